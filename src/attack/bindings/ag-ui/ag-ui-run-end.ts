import { isValueMap, toMaps, type Value, type ValueMap } from '../../../format/model/value.ts';

// How a run reports its end.

export type AgUiRunEnd =
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
