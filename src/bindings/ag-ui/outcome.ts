import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';

// How a run says that it ended.

export type RunOutcome =
  /** `pending`: the calls that wait for the user's side, where the run names them. */
  | { readonly kind: 'success'; readonly pending?: ReadonlySet<Value> }
  /** The agent asks something before it goes on. */
  | { readonly kind: 'interrupt'; readonly interrupts: readonly ValueMap[] }
  | { readonly kind: 'cancelled' };

/** What a RUN_FINISHED event says; without an outcome it is a success, as it was before there were outcomes. */
export function outcomeOf(event: ValueMap): RunOutcome {
  const { outcome } = event;
  // Drafts of the protocol wrote the kind alone, and what belongs to it beside it.
  const { type, pendingToolCallIds, interrupts, interrupt }: Partial<ValueMap> = isValueMap(outcome)
    ? outcome
    : { ...event, type: outcome ?? 'success' };
  if (type === 'interrupt')
    return { kind: 'interrupt', interrupts: mapsIn(interrupts ?? [interrupt ?? null]) };
  if (type === 'cancelled') return { kind: 'cancelled' };
  return {
    kind: 'success',
    ...(Array.isArray(pendingToolCallIds) && { pending: new Set(pendingToolCallIds as readonly Value[]) }),
  };
}

/** An interrupt of LangGraph's, which has its own event for them unless it is told to use the outcome. */
export function isLangGraphInterrupt(method: string, { name }: ValueMap): boolean {
  return method === 'custom' && name === 'on_interrupt';
}

function mapsIn(list: Value): readonly ValueMap[] {
  return Array.isArray(list) ? list.filter(isValueMap) : [];
}
