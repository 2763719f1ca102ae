import type { Direction, Mode, Protocol } from './enumeration-types.ts';
import type { Path } from './path.ts';
import type { MessageRecord } from './trace-record.ts';
import type { Value, ValueMap } from './value.ts';

// The types by which a binding describes its messages to evaluation.

/** A message in the shape that public documents target, if no message on the wire has such a path. */
export interface Projection {
  /** The name of the projection in evidence. Targets must begin with it, unless the projection is a stream's. */
  readonly path: string;
  readonly content: ValueMap;
  readonly record: number;
  readonly protocol: Protocol;
  readonly direction: Direction;
  /** Set if indicators of any protocol may look at it. */
  readonly anyProtocol?: true;
  /** Set if it was made from a message that we sent. */
  readonly own?: true;
  /** The actor of the message. Evaluation fills it in if the projector does not. */
  readonly actor?: string;
  readonly stream?: StreamView;
}

/** Makes a projection of a streamed message count among the messages of its actor, whatever the target is. */
export interface StreamView {
  /** The message that completed the stream. */
  readonly last: MessageRecord;
  /** The operations under which indicators may look at it. */
  readonly surfaces: readonly string[];
  /**
   * True if it joins parts that indicators have already seen one by one. False if it is one part under another name: then
   * only indicators that name one of its operations see it.
   */
  readonly isWhole: boolean;
  /** Set if the text was longer than the limit for joining. */
  readonly isCut?: true;
  /** Set if this is the same message in another spelling. An error on it is ignored. */
  readonly isRespelt?: true;
}

/** Sees every message of its protocol in order, and returns the projections that each one completes. */
export interface Projector {
  add(record: MessageRecord): readonly Projection[];
  /** Returns the projections that the end of the trace completes. */
  finish(): readonly Projection[];
}

/** Something in a document that can be put on the wire as a whole. A response is its own piece, not a part of its tool. */
export interface Piece {
  /** JSON Pointer into the phase's state. */
  readonly at: string;
  /** A row of the table of pieces. A kind that is not in the table is the binding's own. */
  readonly kind: string;
  /** A label for people: `the tool "search"`. */
  readonly label: string;
}

/** Something that a request of ours needs the agent to have, such as a tool. */
export interface NamedThing {
  /** The kinds of lists of which one would have it. */
  readonly kinds: readonly string[];
  readonly name: string;
  /** A label for people: `the tool "search"`. */
  readonly label: string;
}

/** A page of a list of what the agent has. */
export interface ListPage {
  readonly kind: string;
  readonly names: readonly string[];
  /** The cursor that was asked for; absent for the first page. */
  readonly cursor?: Value;
  /** The cursor of the next page; absent on the last. */
  readonly next?: Value;
}

/** The facts about the agent that one message shows. */
export interface AgentActivity {
  /** The agent sent something: text that is not blank, a call, an answer to a question of ours. */
  readonly alive?: true;
  /** The agent used what a server actor offers, or answered a request. */
  readonly use?: true;
  /** The surface that the agent used, by the name that `without` uses. */
  readonly surface?: string;
  /** The agent asked for the list of this surface from its beginning. */
  readonly lists?: true;
  /** Why a request of ours was not understood. Such a request delivers nothing. */
  readonly refusal?: string;
  /** The failure on the agent's side. */
  readonly trouble?: string;
  /**
   * The trouble is a protocol error or a failed task. It counts as a refusal once the same agent is known to answer the
   * benign twin.
   */
  readonly refuses?: true;
  /** The capabilities that the agent declares in this message. */
  readonly declares?: readonly string[];
  /** What the agent says that it has. */
  readonly pages?: readonly ListPage[];
  /** The kinds of lists that have changed, or that could not be read. */
  readonly changes?: readonly string[];
  /** A request of ours named this, and the answer is an error. */
  readonly denies?: NamedThing;
  /** The id of a request that the agent cancels: it reads no answer to it any more. */
  readonly cancels?: Value;
  /** The message only asks which era of the protocol is spoken here, so it says nothing of the agent's own era. */
  readonly probes?: true;
  /**
   * A request of ours that was sent in an answer. If the agent declares this capability, the request counts as delivered
   * whether or not the agent answers it.
   */
  readonly answersIfDeclared?: string;
}

/**
 * Whether the agent refuses a request that the document had sent broken: it says that it did not understand the request. A
 * server that answers everything with some other error is broken itself.
 */
export function refusesFaulted({ refuses, refusal }: AgentActivity): boolean {
  return refuses === true && refusal !== undefined;
}

/** A place in an agent's message at which the protocol makes it repeat our text. */
export interface Echo {
  readonly path: Path;
  /** What the agent says there besides our text; absent if the whole value is ours. */
  readonly rest?: string;
  /** Our text as it stands there, if it is a part of a longer text. */
  readonly ours?: string;
}

/** Sees every message of a trace, of all protocols, in order, and finds the agent's echoes of our text. */
export interface EchoFinder {
  /** The echoes in an agent's message. `view` is set if it is a part or the whole of a stream that was seen before. */
  echoesIn(record: MessageRecord, view?: 'part' | 'whole'): readonly Echo[];
}

/** A text that the agent said to its user, and the record that completes it. */
export interface SpokenText {
  readonly record: number;
  readonly text: string;
}

/** Sees every message of its protocol in order, and finds what the agent says to its user. */
export interface WordsReader {
  add(record: MessageRecord): readonly SpokenText[];
  /** Returns the texts that the end of the trace completes. */
  finish?(): readonly SpokenText[];
}

/** The token usage of a language model. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The description of a protocol's messages that evaluation needs. */
export interface BindingViews {
  readonly protocol: Protocol;
  projector?(): Projector;
  echoes?(): EchoFinder;
  /** The pieces that a state can put on the wire. */
  pieces(mode: Mode, state: Value): readonly Piece[];
  /** Reads what a message shows about the agent, whether the message is the agent's or ours. */
  activity(record: MessageRecord): AgentActivity;
  /** Stateful variant of `signs`, for protocols where a message must be read in the context of earlier ones. */
  createActivityReader?(): (record: MessageRecord) => AgentActivity;
  /** Absent if the agent says nothing to a user over this protocol. */
  createWordsReader?(): WordsReader;
  /** The tokens that the agent reports, if the protocol lets it report them. */
  usage?(record: MessageRecord): TokenCount | undefined;
}
