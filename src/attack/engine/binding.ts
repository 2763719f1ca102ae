import type { BindingViews } from '../../format/model/binding-views.ts';
import type { Mode, Protocol } from '../../format/model/enumeration-types.ts';
import type { Diagnostic } from '../../format/model/errors.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import type { Value } from '../../format/model/value.ts';
import type { Answer } from './actor-messages.ts';
import type { Endpoint } from './ports.ts';

// The contract between a binding and the engine. A binding defines what messages mean; a transport defines how they
// move.

/** A request or notification, as the peer sent it. */
export interface PeerRequest {
  readonly method: string;
  readonly params: Value | undefined;
  /** The id under which a request is answered. */
  readonly id?: Value | undefined;
  /** The protocol era of the message; undefined for the first era. */
  readonly era?: string | undefined;
  /** Params that the message repeats outside its body; undefined when the transport has no place for them. */
  readonly repeated?: { readonly [name: string]: string } | undefined;
}

/**
 * Fills in the templates of a value from the document. Values from the peer are never passed through it.
 * `{{request.…}}` reads the current request, or the one that is given.
 */
export type Fill = (value: Value, request?: Value) => Value;

/** Makes ids for things that the document does not name. */
export interface Ids {
  /** One id for the whole run of an actor. */
  readonly own: string;
  /** A new id for each call. */
  fresh(): string;
}

/**
 * How a request is answered. Each part is made when it goes out, so that it can contain what the peer has answered
 * meanwhile.
 */
export interface AnswerPlan {
  readonly steps: readonly PlanStep[];
  answer(fill: Fill): Answer;
  /**
   * The place of the answer in the state: JSON Pointers, with `*` for every item of a list. Undefined for an answer
   * that is not a piece.
   */
  readonly pieces?: readonly string[];
  readonly warnings?: readonly Diagnostic[];
  /** Replaces the value that the binding stores for this actor's run. */
  readonly memory?: Value;
  /** The request is not answered: messages go into its stream until one side ends it. */
  readonly staysOpen?: true;
}

/** The events that a request or notification contains, under the names that documents use for them. */
export interface SaidWithin {
  readonly events: readonly WithinEvent[];
  /** Replaces the value that the binding stores for this actor's run. */
  readonly memory?: Value;
  /** The request only repeats one that was counted before. */
  readonly isRepeated?: true;
}

/** An event that the peer sent inside another message. */
export interface WithinEvent {
  readonly kind: 'request' | 'response' | 'notification';
  readonly method: string;
  readonly content: Value;
  /** The event counts once the message that contains it is answered; otherwise it counts before the message is handled. */
  readonly isAnsweredToo?: true;
}

/** Facts that a binding may need in addition to the request. */
export interface PlanContext {
  readonly ids: Ids;
  /** The value that the last plan with a `memory` stored. */
  readonly memory: Value | undefined;
  /** The endpoint at which the actor listens. */
  readonly endpoint: Endpoint | undefined;
  /** Wall-clock time as ISO 8601, for messages that carry a time. */
  timestamp(): string;
}

/** A message that goes out in the request's own stream before its answer. */
export type PlanStep = { readonly pieces?: readonly string[] } & (
  | { readonly kind: 'notify'; readonly method: string; params(fill: Fill): Value }
  /** The answer waits until the peer has answered this request, or its time is over. */
  | { readonly kind: 'ask'; readonly method: string; params(fill: Fill): Value }
  /** A part of a streamed answer; the last part is the plan's answer. */
  | { readonly kind: 'part'; content(fill: Fill): Value }
);

/** How a protocol names the pages of a list. */
export interface PageKeys {
  /** The key in the params that names the requested page. */
  readonly asked: string;
  /** The key in the result that names the next page. */
  readonly next: string;
}

/** The meaning of messages in a server mode: how the actor answers. */
export interface ServerBinding {
  readonly mode: Mode;
  readonly protocol: Protocol;
  readonly views: BindingViews;
  /** Translates the name that a later era gives an operation to OATF's name. */
  operationName?(name: string): string;
  plan(request: PeerRequest, state: Value | undefined, fill: Fill, context: PlanContext): AnswerPlan;
  /** The events that a request or notification contains; called before the message is planned. */
  saidWithin?(request: PeerRequest, state: Value | undefined, context: PlanContext): SaidWithin | undefined;
  /** Tells whether peers of an era never send an event that a phase may wait for. */
  isUnheard?(event: string, era: string): boolean;
  /**
   * Tells whether peers send requests of this name themselves. Such a request is the event of that name; an answer to a
   * request of ours is not. Default: peers send no request that we send too.
   */
  isPeersToo?(method: string): boolean;
  readonly pageKeys?: PageKeys;
  /** The id of the request that a peer's notification cancels. */
  givesUp?(method: string, params: Value | undefined): Value | undefined;
  /** Tells whether a method that an entry action sends expects no answer. */
  isNotification(method: string): boolean;
  /** The request that one of the binding's own entry actions makes; undefined for an unknown action. */
  entryAction?(name: string, value: Value, context: PlanContext): EntryAsk | undefined;
}

/**
 * A request that an entry action sends to the peer in the transport's own way. Without a method there are only
 * warnings.
 */
export interface EntryAsk {
  readonly method?: string;
  readonly params?: Value;
  /** Instructions for the transport, in its own terms. */
  readonly manner?: Value;
  readonly warnings?: readonly Diagnostic[];
}

/** The meaning of messages in a client mode: what the actor does, and how it reads the answers. */
export interface ClientBinding {
  readonly mode: Mode;
  readonly protocol: Protocol;
  readonly views: BindingViews;
  /** Translates the name that a later era gives an operation to OATF's name. */
  operationName?(name: string): string;
  /** The acts before the first phase: a handshake. */
  opening?(state: Value | undefined, ids: Ids): Acts;
  /** The acts of a phase with a state of its own on entry, in order. */
  acts(state: Value | undefined, ids: Ids): Acts;
  /** How a request from the peer is answered. Without this function the answer is that the method does not exist. */
  plan?(request: PeerRequest, state: Value | undefined, fill: Fill, context: PlanContext): AnswerPlan;
  /** Tells whether a method that an entry action sends expects no answer. */
  isNotification?(method: string): boolean;
  /** The request that one of the binding's own entry actions makes; undefined for an unknown action. */
  entryAction?(name: string, value: Value, context: PlanContext): EntryAsk | undefined;
  /** What an entry action sends, for a protocol whose messages hold the method. Without this function: the params. */
  entryContent?(method: string, params: Value | undefined): Value | undefined;
  /** Whether calls are given up after a time limit; otherwise a call may take as long as the run lasts. */
  readonly isTimed?: boolean;
  /** Whether a call carries an id that its answer repeats. */
  readonly hasIds?: boolean;
  /** How to follow work that the peer continues after its answer, in protocols that have such work. */
  readonly lasting?: LastingWork;
  /** Makes the reader of the answer to a call; `state` is that of the phase that made the call. */
  reader(call: PeerRequest, state: Value | undefined): Reader;
}

/** Work that outlasts the answer to the call that began it. The peer is polled until the work is over. */
export interface LastingWork {
  /** Reads the progress of such work from a part of the answer to a call; undefined when it mentions none. */
  progress(call: PeerRequest, content: Value): Progress | undefined;
  /** The request that polls the work; its answer is not streamed. */
  poll(name: string): PeerRequest;
}

/** The progress of lasting work, as an answer reports it. */
export interface Progress {
  readonly name: string;
  /** `begun`: the work goes on, and we wait for it; `over`: the work sends nothing more of its own accord. */
  readonly state: 'begun' | 'going on' | 'over';
}

/** The meaning of messages in a mode. */
export type Binding = ServerBinding | ClientBinding;

export function isClientBinding(binding: Binding): binding is ClientBinding {
  return 'acts' in binding;
}

/** The acts of a client, in order, and warnings about how the document writes them. */
export interface Acts {
  readonly acts: readonly Act[];
  readonly warnings?: readonly Diagnostic[];
}

/**
 * A call to the peer, or a notification. It is made when it goes out, so that it can contain values extracted
 * meanwhile.
 */
export interface Act {
  readonly method: string;
  /** The place of the act in the state, as in a plan. */
  readonly pieces?: readonly string[];
  /** The place of the act in the document, when it is not in the state. */
  readonly place?: Pick<MessageRecord, 'pieces' | 'unresolved'>;
  /** The params; undefined for a call without params. */
  content(fill: Fill): Value | undefined;
  /** The act as it goes out, when the method itself contains templates. */
  resolve?(fill: Fill): Act;
  /** True when the act counts as an event; most messages that we send do not. */
  readonly counts?: true;
  readonly isNotification?: true;
  /** The content for a peer that refuses the first one, and may be older than the version it is written for. */
  older?(content: Value): Value;
  /** Instructions for the transport, in its own terms. */
  manner?(fill: Fill): Value;
  /** Events that the call contains. Each is recorded on its own, before the call. */
  carries?(content: Value): readonly CarriedEvent[];
}

/** An event that is part of a message: it is recorded, and triggers and extractors see it. */
export interface CarriedEvent {
  readonly method: string;
  readonly content: Value;
  /** The request that the event answers. */
  readonly request?: Value;
  /** A fault in the event's form that does not keep it from counting. */
  readonly noted?: string;
  /** True for another name of a part that is already an event: triggers and extractors see it, but it is not recorded. */
  readonly isDerived?: true;
}

/** Reads an answer part by part. Each part returns the reader of the next; a reader never changes. */
export interface Reader {
  /** Reads a part; undefined when the part has no meaning in the protocol. */
  read(part: Value, ids: Ids): PartReading | undefined;
  /** The reason why the stream ended too early; undefined if the answer may end here. */
  end(): string | undefined;
}

/** The content of one part of an answer. */
export interface PartReading extends Partial<Acts> {
  readonly next: Reader;
  /** The events of the part, one for each of its names. */
  readonly events: readonly CarriedEvent[];
  /** The answer is complete, whether or not its stream is closed. */
  readonly isOver?: true;
  /** The reason why the peer is still waiting for us. */
  readonly trouble?: string;
  /** The reason why the answer is incomplete although it is over. */
  readonly cutOff?: string;
}
