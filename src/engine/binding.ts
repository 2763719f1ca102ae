import type { Mode, Protocol } from '../model/enumerations.ts';
import type { Diagnostic } from '../model/errors.ts';
import type { Value } from '../model/value.ts';
import type { BindingViews } from '../model/views.ts';
import type { Answer } from './messages.ts';

// What a binding brings to the engine: what messages mean. How they move is the transport's.

export interface PeerRequest {
  readonly method: string;
  readonly params: Value | undefined;
}

/** Fills in the templates of something the document says. What the peer says is never passed through it. */
export type Fill = (value: Value) => Value;

/**
 * How a request is answered. Each part is made when it goes out, so that it can hold what the peer has answered
 * meanwhile.
 */
export interface Plan {
  readonly steps: readonly PlanStep[];
  answer(fill: Fill): Answer;
  readonly warnings?: readonly Diagnostic[];
}

/** What goes out within the request's own stream before its answer. */
export type PlanStep =
  | { readonly kind: 'notify'; readonly method: string; params(fill: Fill): Value }
  /**
   * The answer waits until the peer has answered this, or the time for it is over. `ask` is unique among all that
   * the actor has asked.
   */
  | { readonly kind: 'ask'; readonly method: string; params(fill: Fill, ask: string): Value };

export interface ServerBinding {
  readonly mode: Mode;
  readonly protocol: Protocol;
  readonly views: BindingViews;
  plan(request: PeerRequest, state: Value | undefined, fill: Fill): Plan;
  /** Whether a method that an entry action sends expects no answer. */
  isNotification(method: string): boolean;
}
