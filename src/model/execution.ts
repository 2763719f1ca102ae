import type { AdvanceReason } from './enumerations.ts';
import type { EvaluationError } from './errors.ts';
import type { Value } from './value.ts';

/** Something a trigger can match (§2.8a). */
export interface ProtocolEvent {
  readonly eventType: string;
  readonly content: Value;
}

/** Kept per actor and phase; `evaluateTrigger` counts in it (§2.8c). */
export interface TriggerState {
  eventCount: number;
}

/** Whether a trigger ends its phase, and why. */
export type TriggerResult =
  | { readonly kind: 'advanced'; readonly reason: AdvanceReason }
  /** `failure`: whether the event matches is not known, because its predicate ran out of time. */
  | { readonly kind: 'not_advanced'; readonly failure?: EvaluationError };
