import type { AgentActivity } from '../../format/model/binding-views.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { listChanges } from '../../format/registry/piece-kinds.ts';
import { listEras } from '../../format/registry/protocols.ts';
import { type ActorTally, type DeliveryState, mostKept } from './delivery-state.ts';
import { excuseAnswer } from './faulted-requests.ts';
import { noteIncident } from './incidents.ts';
import { joinKey, notePieceAnswer } from './piece-state.ts';
import { formatAnswerKey, formatRequestKey } from './request-keys.ts';

/** Folds in a message of the agent: what it shows, and which request of ours it answers. */
export function foldReceived(
  state: DeliveryState,
  tally: ActorTally,
  record: MessageRecord,
  given: AgentActivity,
): void {
  const { actor, kind, seq } = record;
  const activity = excuseAnswer(state.faulted, record, given);
  tally.reached = true;
  const era = record.era ?? listEras(record.protocol)[0];
  if (era !== undefined && !activity.probes) tally.eras.add(era);
  if (record.covered) {
    if (state.masked.size < mostKept) state.masked.add(seq);
    noteIncident(state.unread, { actor, reason: 'secrets in it were masked when it was stored' });
  }
  noteActivity(state, tally, record, activity);
  if (activity.cancels !== undefined && state.takenBack.size < mostKept)
    state.takenBack.add(formatRequestKey(actor, record.session, activity.cancels));
  // A message that we did not serve reports its trouble where its request ends.
  if (record.refused !== undefined) return;
  if (kind === 'response' || kind === 'event') notePieceAnswer(state.pieces, actor, formatAnswerKey(record), activity);
  noteTrouble(state, tally, record, activity);
  if (activity.declares !== undefined) {
    tally.hasDeclared = true;
    for (const capability of activity.declares) tally.declared.add(capability);
  }
}

function noteActivity(
  state: DeliveryState,
  tally: ActorTally,
  record: MessageRecord,
  { alive, use, trouble, surface, lists }: AgentActivity,
): void {
  if (alive || use) {
    state.lastActivity = record.seq;
    if (trouble === undefined) state.hasAnswered = true;
  }
  if (use) {
    state.lastUse = record.seq;
    tally.engaged = true;
  }
  if (surface === undefined) return;
  state.surfaces.add(surface);
  if (lists) noteListing(state, record, surface);
}

/** An agent that lists a surface again in a later phase sees the changes, so it has the surface `listChanges`. */
function noteListing(
  { listedIn, surfaces }: DeliveryState,
  { actor, phase = '' }: MessageRecord,
  surface: string,
): void {
  const key = joinKey(actor, surface);
  const first = listedIn.get(key) ?? phase;
  listedIn.set(key, first);
  if (first !== phase) surfaces.add(listChanges);
}

function noteTrouble(
  state: DeliveryState,
  tally: ActorTally,
  { actor, seq }: MessageRecord,
  { trouble, absent, refuses }: AgentActivity,
): void {
  if (refuses) state.lastRefusal = seq;
  if (trouble === undefined) return;
  tally.trouble ??= trouble;
  noteIncident(state.troubles, {
    actor,
    reason: trouble,
    ...(absent && { absent: true }),
    ...(refuses && { refuses: true }),
  });
}
