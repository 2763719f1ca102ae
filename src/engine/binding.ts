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

/** How a request is answered. Templates in it are filled in when each part goes out. */
export interface Plan {
  readonly steps: readonly PlanStep[];
  readonly answer: Answer;
  readonly warnings?: readonly Diagnostic[];
}

/** What goes out within the request's own stream before its answer. */
export type PlanStep =
  | { readonly kind: 'notify'; readonly method: string; readonly params: Value }
  /** The answer waits until the peer has answered this, or the time for it is over. */
  | { readonly kind: 'ask'; readonly method: string; readonly params: Value };

export interface ServerBinding {
  readonly mode: Mode;
  readonly protocol: Protocol;
  readonly views: BindingViews;
  plan(request: PeerRequest, state: Value | undefined): Plan;
  /** Whether a method that an entry action sends expects no answer. */
  isNotification(method: string): boolean;
}
