import type { Direction, Mode, Protocol } from './enumerations.ts';
import type { Path } from './path.ts';
import type { MessageRecord } from './trace.ts';
import type { Value, ValueMap } from './value.ts';

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
  /** Whose message it is made of; filled in where the projector leaves it out. */
  readonly actor?: string;
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
  /** The same message in another spelling: what fails there says nothing. */
  readonly isRespelt?: true;
}

/** Sees every message of its protocol, in order, and says what projections each one completes. */
export interface Projector {
  add(record: MessageRecord): readonly Projection[];
  /** What the end of the trace completes. */
  finish(): readonly Projection[];
}

/** Something of a document that can be put on the wire, whole. A response is a piece of its own, not a part of its tool. */
export interface Piece {
  /** JSON Pointer into the phase's state. */
  readonly at: string;
  /** A row of the table of pieces; an unknown kind is one that the binding has defined for itself. */
  readonly kind: string;
  /** What it is, for people: `the tool "search"`. */
  readonly label: string;
}

/** What one message shows of the agent. */
export interface Signs {
  /** The agent said or did something: words that are not blank, a call, an answer to a question of ours. */
  readonly alive?: true;
  /** It used what a server actor offers, or answered what it was asked. */
  readonly use?: true;
  /** The surface that it turned to, as `without` names it. */
  readonly surface?: string;
  /** It asked from the beginning for what this surface lists. */
  readonly lists?: true;
  /** Why a request of ours was not understood, so that it delivered nothing. */
  readonly refusal?: string;
  /** What went wrong on the agent's side. */
  readonly trouble?: string;
  /** The trouble is that there is nobody to answer. */
  readonly absent?: true;
  /**
   * The trouble is an error of the protocol's, or a task that failed: a refusal, where it is known that the same agent
   * answers what is harmless.
   */
  readonly refuses?: true;
  /** The capabilities that it declares here. */
  readonly declares?: readonly string[];
  /** It asks which era of the protocol is spoken here, which says nothing of its own. */
  readonly probes?: true;
  /** A request of ours that came as an answer: it has arrived, answered or not, where the agent declares this capability. */
  readonly answersIfDeclared?: string;
}

/** Sees every message of a trace, of all protocols, in order, and says what of each one repeats ours. */
export interface EchoFinder {
  /** Where in the content of a message of the agent's our own words stand, because the protocol puts them there. */
  echoesIn(record: MessageRecord): readonly Path[];
}

/** Tokens of a language model. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What evaluation needs to know of a protocol’s messages. */
export interface BindingViews {
  readonly protocol: Protocol;
  projector?(): Projector;
  echoes?(): EchoFinder;
  /** The pieces that a state can put on the wire. */
  pieces(mode: Mode, state: Value): readonly Piece[];
  /** What a message shows of the agent, whoever sent it. */
  signs(record: MessageRecord): Signs;
  /** The tokens that the agent says it has taken, where the protocol lets it say so. */
  usage?(record: MessageRecord): TokenCount | undefined;
}
