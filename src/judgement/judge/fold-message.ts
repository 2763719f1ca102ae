import type { AgentActivity } from '../../format/model/binding-views.ts';
import { isFaulted, type MessageRecord } from '../../format/model/trace-record.ts';
import { findModeSurface, isClientMode } from '../../format/registry/known-modes.ts';
import { listChanges } from '../../format/registry/piece-kinds.ts';
import { listEras } from '../../format/registry/protocols.ts';
import { noteIncident } from './delivery-facts.ts';
import { type ActorTally, type DeliveryState, mostKept, noteRefusal } from './delivery-state.ts';
import { excuseAnswer, isOfFaulted } from './faulted-requests.ts';
import { noteDenial, noteDoubt, notePage } from './inventory.ts';
import {
  awaitAnswer,
  formatAnswerKey,
  formatRequestKey,
  joinKey,
  listAskedPieces,
  noteArrival,
  noteBegun,
  notePieceAnswer,
  noteSent,
} from './piece-state.ts';

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
  const surface = findModeSurface(record.mode);
  if (surface !== undefined) state.surfaces.add(surface);
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
  if (record.refused !== undefined) {
    noteRefusal(tally, record.refused);
    return;
  }
  tally.isHeard = true;
  noteInventory(state, record, activity);
  if (kind === 'response' || kind === 'event') notePieceAnswer(state.pieces, actor, formatAnswerKey(record), activity);
  noteTrouble(state, tally, record, activity);
  if (activity.declares !== undefined) {
    tally.hasDeclared = true;
    for (const capability of activity.declares) tally.declared.add(capability);
  }
}

function noteInventory(
  { inventory, pieces, faulted }: DeliveryState,
  record: MessageRecord,
  { pages = [], changes = [], denies }: AgentActivity,
): void {
  const { actor } = record;
  for (const page of pages) notePage(inventory, actor, page);
  for (const kind of changes) noteDoubt(inventory, actor, kind);
  // The answer to a request that the document broke is about how it was sent.
  if (denies !== undefined && !isOfFaulted(faulted, record))
    noteDenial(inventory, actor, listAskedPieces(pieces, actor, formatAnswerKey(record)), denies);
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
  { trouble, refuses }: AgentActivity,
): void {
  if (refuses) state.lastRefusal = seq;
  if (trouble === undefined) return;
  tally.trouble ??= trouble;
  noteIncident(state.troubles, {
    actor,
    reason: trouble,
    ...(refuses && { refuses: true }),
  });
}

/** Folds in a message of ours: which pieces it carries, and whether they have arrived with it. */
export function foldSent(
  state: DeliveryState,
  tally: ActorTally,
  record: MessageRecord,
  { answersIfDeclared, use }: AgentActivity,
): void {
  const { actor, pieces, seq, session } = record;
  tally.served += 1;
  if (isClientMode(record.mode)) state.isVisible = true;
  if (isFaulted(record))
    state.faulted.isWhole.set(joinKey(actor, formatAnswerKey(record)), record.sent?.harm === undefined);
  if (record.begun !== undefined) noteBegun(state.pieces, actor, record.begun);
  if (pieces === undefined) return;
  state.hasPieces = true;
  noteSent(state.pieces, actor, pieces);
  const rule = pieces.filter((piece) => piece === record.sent?.rule);
  const read = isTooLate(state, record) ? rule : pieces;
  const carried = { actor, session, seq, pieces: read, unresolved: record.unresolved ?? [] };
  // A broken request delivers its `x-wire` rule at once. Whether it delivers its other pieces, its answer will show.
  if (isFaulted(record)) noteArrival(state.pieces, { ...carried, pieces: rule }, { seq, byUse: false });
  if (answersIfDeclared !== undefined && tally.declared.has(answersIfDeclared))
    noteArrival(state.pieces, carried, { seq, byUse: false });
  else if (record.kind === 'request') awaitAnswer(state.pieces, formatAnswerKey(record), carried);
  else noteArrival(state.pieces, carried, { seq, byUse: use === true });
}

/**
 * An answer that comes after the agent cancelled its request delivers only the rule that held it. An agent that
 * cancelled more requests than we keep may have cancelled any.
 */
function isTooLate({ takenBack }: DeliveryState, { kind, actor, session, id }: MessageRecord): boolean {
  if (kind !== 'response' || id === undefined || takenBack.size === 0) return false;
  return takenBack.size === mostKept || takenBack.has(formatRequestKey(actor, session, id));
}
