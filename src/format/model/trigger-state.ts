import type { AdvanceReason } from './enumeration-types.ts';
import type { EvaluationError } from './errors.ts';
import type { Value } from './value.ts';

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
