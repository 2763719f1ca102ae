import type { Trigger } from '../model/attack-document.ts';
import type { AdvanceReason } from '../model/enumeration-types.ts';
import { type EvaluationError, isEvaluationError } from '../model/errors.ts';
import type { Value } from '../model/value.ts';
import { cacheByPart } from './cache-by-part.ts';
import { compilePredicate } from './evaluate-predicate.ts';
import { parseDuration } from './parse-duration.ts';

export type CompiledTrigger = (event: ProtocolEvent | undefined, elapsed: number, state: TriggerState) => TriggerResult;

/**
 * Whether a phase ends now (SDK spec §5.8). `elapsed` is the time since the phase began, in seconds. `state` is the phase's
 * own counter; this function advances it.
 */
export function evaluateTrigger(
  trigger: Trigger,
  event: ProtocolEvent | undefined,
  elapsed: number,
  state: TriggerState,
): TriggerResult {
  return compileTrigger(trigger)(event, elapsed, state);
}

export const compileTrigger = cacheByPart((trigger: Trigger): CompiledTrigger => {
  const after = trigger.after === undefined ? undefined : parseDuration(trigger.after);
  const matches = trigger.match === undefined ? undefined : compilePredicate(trigger.match);
  return (event, elapsed, state) => {
    if (typeof after === 'number' && elapsed >= after) return { kind: 'advanced', reason: 'timeout' };
    if (event === undefined || trigger.event === undefined || event.eventType !== trigger.event)
      return { kind: 'not_advanced' };
    const holds = matches === undefined || matches(event.content);
    if (isEvaluationError(holds)) return { kind: 'not_advanced', failure: holds };
    if (!holds) return { kind: 'not_advanced' };
    state.eventCount += 1;
    return state.eventCount >= (trigger.count ?? 1)
      ? { kind: 'advanced', reason: 'event_matched' }
      : { kind: 'not_advanced' };
  };
});

/** An event that a trigger can match (SDK spec §2.8a). */
export interface ProtocolEvent {
  readonly eventType: string;
  readonly content: Value;
}

/** The counter of a trigger, one for each actor and phase. `evaluateTrigger` increments it (SDK spec §2.8c). */
export interface TriggerState {
  eventCount: number;
}

/** Whether a trigger ends its phase, and why. */
export type TriggerResult =
  | { readonly kind: 'advanced'; readonly reason: AdvanceReason }
  /** `failure` is set if the predicate ran out of time, so that it is not known whether the event matches. */
  | { readonly kind: 'not_advanced'; readonly failure?: EvaluationError };
