import type { Direction, Protocol } from './enumerations.ts';
import type { MessageRecord } from './trace.ts';
import type { ValueMap } from './value.ts';

// What a binding tells evaluation about its messages. Evaluation applies whatever is declared.

/** A message as public documents aim at it, where no wire message has such a path. */
export interface Projection {
  /** The path that targets must begin with, and the projection's name in evidence. */
  readonly path: string;
  readonly content: ValueMap;
  readonly record: number;
  readonly protocol: Protocol;
  readonly direction: Direction;
  /** Offered to indicators of any protocol. */
  readonly anyProtocol?: true;
}

/** Sees every message of its protocol, in order, and says what projections each one completes. */
export interface Projector {
  add(record: MessageRecord): readonly Projection[];
  /** What the end of the trace completes. */
  finish(): readonly Projection[];
}

/** What evaluation needs to know of a protocol’s messages. */
export interface BindingViews {
  readonly protocol: Protocol;
  projector?(): Projector;
  /** Whether this message shows that what the actor offers reached the agent. */
  delivers(record: MessageRecord): boolean;
  /** Whether this message shows that the agent went along: it used what the actor offers. */
  engages(record: MessageRecord): boolean;
  /** What this message says went wrong on the agent's side, so that it did not get to the end of its answer. */
  trouble?(record: MessageRecord): string | undefined;
  /** What the agent failed to do when nothing was delivered: `never fetched the tools of`. */
  readonly undelivered: { readonly server: string; readonly client: string };
}
