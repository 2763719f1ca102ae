import type { Direction, Protocol } from './enumerations.ts';
import type { Path } from './path.ts';
import type { MessageRecord } from './trace.ts';
import type { ValueMap } from './value.ts';

// What a binding tells evaluation about its messages. Evaluation applies whatever is declared.

/** A message as public documents aim at it, where no wire message has such a path. */
export interface Projection {
  /** Its name in evidence. Targets must begin with it, unless it is a stream's. */
  readonly path: string;
  readonly content: ValueMap;
  readonly record: number;
  readonly protocol: Protocol;
  readonly direction: Direction;
  /** Offered to indicators of any protocol. */
  readonly anyProtocol?: true;
  /** Made of a message that we sent. */
  readonly own?: true;
  readonly stream?: StreamView;
}

/** What makes a projection of a streamed message stand beside the messages of its actor, whatever the target. */
export interface StreamView {
  /** The message that completed it. */
  readonly last: MessageRecord;
  /** The operations that it can be looked at as. */
  readonly surfaces: readonly string[];
  /**
   * Put together from parts that indicators have seen one by one. Otherwise it is one part under another name, and only
   * indicators that name one of its operations are offered it.
   */
  readonly isWhole: boolean;
  /** The text was longer than what is put together at once. */
  readonly isCut?: true;
}

/** Sees every message of its protocol, in order, and says what projections each one completes. */
export interface Projector {
  add(record: MessageRecord): readonly Projection[];
  /** What the end of the trace completes. */
  finish(): readonly Projection[];
}

/** Sees every message of a trace, of all protocols, in order, and says what of each one repeats ours. */
export interface EchoFinder {
  /** Where in the content of a message of the agent's our own words stand, because the protocol puts them there. */
  echoesIn(record: MessageRecord): readonly Path[];
}

/** What evaluation needs to know of a protocol’s messages. */
export interface BindingViews {
  readonly protocol: Protocol;
  projector?(): Projector;
  echoes?(): EchoFinder;
  /** Whether this message shows that what the actor offers reached the agent. */
  delivers(record: MessageRecord): boolean;
  /** Whether this message shows that the agent went along: it used what the actor offers. */
  engages(record: MessageRecord): boolean;
  /** What this message says went wrong on the agent's side, so that it did not get to the end of its answer. */
  trouble?(record: MessageRecord): string | undefined;
  /** What the agent failed to do when nothing was delivered: `never fetched the tools of`. */
  readonly undelivered: { readonly server: string; readonly client: string };
}
