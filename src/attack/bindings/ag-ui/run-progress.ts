import { isValueMap, toMaps, type Value, type ValueMap } from '../../../format/model/value.ts';

// Decides whether the run in a stream is the one we asked for, and whether it ended. A stream may replay earlier runs
// first.

/** The state of the runs in a stream so far. */
export interface RunProgress {
  readonly open?: { readonly isOurs: boolean };
  /** Our run was finished under another id. It is over if no further event follows. */
  readonly isClosed?: true;
  /** The finished run is not the one we asked for. */
  readonly odd?: 'another run' | 'no run';
}

/** An id that is missing on either side, or is not a string, cannot differ. */
function isSame(id: Value | undefined, asked: Value | undefined): boolean {
  return typeof id !== 'string' || typeof asked !== 'string' || id === asked;
}

export function beginAgUiRun(
  { odd }: RunProgress,
  { runId }: ValueMap,
  asked: Value | undefined,
): { readonly progress: RunProgress; readonly noted?: string } {
  const isOurs = isSame(runId, asked);
  const progress = { open: { isOurs }, ...(odd !== undefined && { odd }) };
  return isOurs ? { progress } : { progress, noted: 'this is not the run that was asked for' };
}

interface RunEndReading {
  readonly progress: RunProgress;
  readonly ends: 'our run' | 'ours by its stream' | 'no run of ours';
  readonly noted?: string;
}

export function endAgUiRun({ open }: RunProgress, { runId }: ValueMap, asked: Value | undefined): RunEndReading {
  if (open === undefined)
    return { progress: { odd: 'no run' }, ends: 'no run of ours', noted: 'it ends a run that has not begun' };
  // Without an id, it ends the run that is open.
  const isOurs = typeof runId === 'string' ? isSame(runId, asked) : open.isOurs;
  if (isOurs) return { progress: {}, ends: 'our run' };
  // Some agents start the run that we asked for and end it under an id of their own.
  if (open.isOurs)
    return {
      progress: { isClosed: true },
      ends: 'ours by its stream',
      noted: 'it ends the run under another id than it began with',
    };
  return {
    progress: { odd: 'another run' },
    ends: 'no run of ours',
    noted: 'this is not the run that was asked for',
  };
}

/** The reason why a stream ended too early; nothing if it may end here. */
export function explainEarlyEnd({ open, isClosed, odd }: RunProgress): string | undefined {
  if (isClosed) return undefined;
  if (open === undefined && odd === 'another run')
    return 'its stream reports another run than the one that was asked for';
  if (open === undefined && odd === 'no run') return 'it ended a run that it had not begun';
  return 'the stream ended before the run did';
}

// How a run reports its end.

type AgUiRunEnd =
  /** `pending`: the calls that wait for the user's side, if the run names them. */
  | { readonly kind: 'success'; readonly pending?: ReadonlySet<Value> }
  /** The agent asks a question before it goes on. */
  | { readonly kind: 'interrupt'; readonly interrupts: readonly ValueMap[] }
  | { readonly kind: 'cancelled' };

/** Reads a RUN_FINISHED event. Without an outcome it is a success, as in versions that had no outcomes. */
export function readAgUiRunEnd(event: ValueMap): AgUiRunEnd {
  const { outcome } = event;
  // Drafts of the protocol wrote only the kind there, and its fields beside it.
  const { type, pendingToolCallIds, interrupts, interrupt }: Partial<ValueMap> = isValueMap(outcome)
    ? outcome
    : { ...event, type: outcome ?? 'success' };
  if (type === 'interrupt') return { kind: 'interrupt', interrupts: toMaps(interrupts ?? [interrupt ?? null]) };
  if (type === 'cancelled') return { kind: 'cancelled' };
  return {
    kind: 'success',
    ...(Array.isArray(pendingToolCallIds) && { pending: new Set(pendingToolCallIds as readonly Value[]) }),
  };
}

/** Whether an event is a LangGraph interrupt. LangGraph sends its own event unless it is configured to use the outcome. */
export function isLangGraphInterrupt(method: string, { name }: ValueMap): boolean {
  return method === 'custom' && name === 'on_interrupt';
}
