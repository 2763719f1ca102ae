import { isRefusingStatus, type MarkerRecord } from '../../format/model/trace-record.ts';
import { type Incident, noteIncident } from './delivery-facts.ts';
import { type DeliveryState, noteRefusal } from './delivery-state.ts';
import { excuseEnd, isOfFaulted } from './faulted-requests.ts';
import { noteArrival, noteSent, noteTurnedDown } from './piece-state.ts';

/** Folds in a record that is not a message: the beginning of a phase, or something that went wrong. */
export function foldMarker(state: DeliveryState, record: MarkerRecord, byUse: boolean): void {
  const { kind, actor, phase, reason } = record;
  if (kind === 'phase' && actor !== undefined && phase !== undefined) state.actors.get(actor)?.entered.add(phase);
  if (kind === 'wire') noteKeptBack(state, record, byUse);
  const incident = readIncident(record);
  if (kind === 'malformed' && record.late !== true) {
    const tally = actor === undefined ? undefined : state.actors.get(actor);
    if (tally !== undefined) noteRefusal(tally, incident.reason);
    if (isOfFaulted(state.faulted, record)) noteIncident(state.faulted.doubtful, incident);
    else noteIncident(record.cause === 'cut_off' ? state.cuts : state.unread, incident);
  }
  if (kind === 'log' && record.cause === 'unjudged')
    noteIncident(state.overdue, { ...incident, reason: String(record.message ?? '') });
  if (kind === 'connection' && typeof reason === 'string') noteBrokenConnection(state, record, incident);
}

function readIncident({ actor, reason, absent, cause, status }: MarkerRecord): Incident {
  return {
    ...(actor !== undefined && { actor }),
    reason: String(reason ?? ''),
    ...(absent === true && { absent: true }),
    ...(cause === 'trouble' && isRefusingStatus(status) && { refuses: true }),
  };
}

function noteBrokenConnection(state: DeliveryState, record: MarkerRecord, incident: Incident): void {
  const { actor, session, seq, cause } = record;
  if (excuseEnd(state.faulted, record, incident, state.unread)) return;
  const tally = actor === undefined ? undefined : state.actors.get(actor);
  if (tally !== undefined) tally.trouble ??= incident.reason;
  if (incident.refuses) {
    state.lastRefusal = seq;
    noteTurnedDown(state.pieces, actor, session);
  }
  noteIncident(cause === 'cut_off' ? state.cuts : cause === 'unread' ? state.unread : state.troubles, incident);
}

/** A piece that the document withholds or delays counts as delivered: the silence itself reaches the waiting peer. */
function noteKeptBack(state: DeliveryState, record: MarkerRecord, byUse: boolean): void {
  const { seq, actor, session, pieces } = record;
  if (actor === undefined || !Array.isArray(pieces)) return;
  state.hasPieces = true;
  noteSent(state.pieces, actor, pieces);
  noteArrival(state.pieces, { actor, session, seq, pieces, unresolved: [] }, { seq, byUse });
}
