import type { AgentActivity } from '../../format/model/binding-views.ts';
import { isFaulted, type MessageRecord } from '../../format/model/trace-record.ts';
import { isClientMode } from '../../format/registry/known-modes.ts';
import { type ActorTally, type DeliveryState, mostKept } from './delivery-state.ts';
import { awaitAnswer, joinKey, noteArrival, noteBegun, noteSent } from './piece-state.ts';
import { formatAnswerKey, formatRequestKey } from './request-keys.ts';

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
