import type { Trigger } from '../model/document.ts';
import type { ProtocolEvent, TriggerResult, TriggerState } from '../model/execution.ts';
import { evaluatePredicate } from './evaluate-predicate.ts';
import { parseDuration } from './parse-duration.ts';

/**
 * Whether a phase ends now (§5.8). `elapsed` is in seconds since the phase began; `state` is the phase's own
 * counter, which this function advances.
 */
export function evaluateTrigger(
  trigger: Trigger,
  event: ProtocolEvent | undefined,
  elapsed: number,
  state: TriggerState,
): TriggerResult {
  const after = trigger.after === undefined ? undefined : parseDuration(trigger.after);
  if (typeof after === 'number' && elapsed >= after) return { kind: 'advanced', reason: 'timeout' };
  if (event === undefined || trigger.event === undefined || event.eventType !== trigger.event)
    return { kind: 'not_advanced' };
  if (trigger.match !== undefined && !evaluatePredicate(trigger.match, event.content))
    return { kind: 'not_advanced' };
  state.eventCount += 1;
  return state.eventCount >= (trigger.count ?? 1)
    ? { kind: 'advanced', reason: 'event_matched' }
    : { kind: 'not_advanced' };
}
