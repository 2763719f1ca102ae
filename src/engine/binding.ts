import type { Mode, Protocol } from '../model/enumerations.ts';
import type { Diagnostic } from '../model/errors.ts';
import type { MessageRecord } from '../model/trace.ts';
import type { Value } from '../model/value.ts';
import type { BindingViews } from '../model/views.ts';
import type { Answer } from './messages.ts';
import type { Endpoint } from './ports.ts';

// What a binding brings to the engine: what messages mean. How they move is the transport's.

/** A request or notification, as the peer sent it. */
export interface PeerRequest {
  readonly method: string;
  readonly params: Value | undefined;
  /** Of a request: what it is answered under. */
  readonly id?: Value | undefined;
  /** The era of the protocol that it came in; left out for the first. */
  readonly era?: string | undefined;
  /** What it repeats of its params beside itself; left out where the transport has no place for that. */
  readonly repeated?: { readonly [name: string]: string } | undefined;
}

/**
 * Fills in the templates of something the document says. What the peer says is never passed through it.
 * `{{request.…}}` looks into the request at hand, or into the one that is given.
 */
export type Fill = (value: Value, request?: Value) => Value;

/** Names for what a document has left unnamed. */
export interface Ids {
  /** The same for the whole run of an actor. */
  readonly own: string;
  /** A new one each time. */
  fresh(): string;
}

/**
 * How a request is answered. Each part is made when it goes out, so that it can hold what the peer has answered
 * meanwhile.
 */
export interface Plan {
  readonly steps: readonly PlanStep[];
  answer(fill: Fill): Answer;
  /** Where in the state the answer stands: JSON Pointers, `*` for every item of a list. Left out for what is no piece. */
  readonly pieces?: readonly string[];
  readonly warnings?: readonly Diagnostic[];
  /** Takes the place of what the binding remembers of this actor's run. */
  readonly memory?: Value;
  /** It is not answered: what is sent meanwhile goes into its stream, until one side ends it. */
  readonly staysOpen?: true;
}

/** What a peer says within a request or notification, under the names that documents know it by. */
export interface SaidWithin {
  readonly events: readonly WithinEvent[];
  /** Takes the place of what the binding remembers of this actor's run. */
  readonly memory?: Value;
  /** The request only repeats one that was counted before. */
  readonly isRepeated?: true;
}

/** A message that the peer did not send by itself. */
export interface WithinEvent {
  readonly kind: 'request' | 'response' | 'notification';
  readonly method: string;
  readonly content: Value;
  /** It counts once the message that says it is answered; otherwise before that message is looked at. */
  readonly isAnsweredToo?: true;
}

/** What a binding may need to know beside the request. */
export interface PlanContext {
  readonly ids: Ids;
  /** What the last plan that said so left to remember. */
  readonly memory: Value | undefined;
  /** Where the actor listens. */
  readonly endpoint: Endpoint | undefined;
  /** Wall-clock time for what carries one, as ISO 8601. */
  timestamp(): string;
}

/** What goes out within the request's own stream before its answer. */
export type PlanStep = { readonly pieces?: readonly string[] } & (
  | { readonly kind: 'notify'; readonly method: string; params(fill: Fill): Value }
  /**
   * The answer waits until the peer has answered this, or the time for it is over. `ask` is unique among all that
   * the actor has asked.
   */
  | { readonly kind: 'ask'; readonly method: string; params(fill: Fill, ask: string): Value }
  /** A part of an answer that is streamed; the last part is the plan's answer. */
  | { readonly kind: 'part'; content(fill: Fill): Value }
);

/** How a protocol names the pages of a list. */
export interface PageKeys {
  /** In the params: the page that is asked for. */
  readonly asked: string;
  /** In the result: the page after it. */
  readonly next: string;
}

/** What the messages of a server mode mean: how the actor answers. */
export interface ServerBinding {
  readonly mode: Mode;
  readonly protocol: Protocol;
  readonly views: BindingViews;
  /** OATF's name of an operation that a document names as a later era does. */
  operationName?(name: string): string;
  plan(request: PeerRequest, state: Value | undefined, fill: Fill, context: PlanContext): Plan;
  /** What a request or notification says beside itself; asked before it is planned. */
  saidWithin?(request: PeerRequest, state: Value | undefined, context: PlanContext): SaidWithin | undefined;
  /** Whether peers of an era never send what a phase may wait for. */
  isUnheard?(event: string, era: string): boolean;
  /**
   * Whether peers send requests of this name themselves. Such a request is the event of that name; an answer to one of
   * ours is not. Left out, they send none that we send too.
   */
  isPeersToo?(method: string): boolean;
  readonly pageKeys?: PageKeys;
  /** The request that a notification of the peer's gives up, by its id. */
  givesUp?(method: string, params: Value | undefined): Value | undefined;
  /** Whether a method that an entry action sends expects no answer. */
  isNotification(method: string): boolean;
  /** What an entry action of the binding's own does; nothing for one that it does not know. */
  entryAction?(name: string, value: Value, context: PlanContext): EntryAsk | undefined;
}

/** Something that is asked of the peer on entry, in the transport's own way; with no method, only warned of. */
export interface EntryAsk {
  readonly method?: string;
  readonly params?: Value;
  /** How the transport is to send it, in its own words. */
  readonly manner?: Value;
  readonly warnings?: readonly Diagnostic[];
}

/** What the messages of a client mode mean: what the actor does, and how it reads the answers. */
export interface ClientBinding {
  readonly mode: Mode;
  readonly protocol: Protocol;
  readonly views: BindingViews;
  /** OATF's name of an operation that a document names as a later era does. */
  operationName?(name: string): string;
  /** What is done before the first phase does anything: a handshake. */
  opening?(state: Value | undefined, ids: Ids): Acts;
  /** What a phase with a state of its own does on entry, in this order. */
  acts(state: Value | undefined, ids: Ids): Acts;
  /** How a request of the peer's is answered; without this it is told that there is no such method. */
  plan?(request: PeerRequest, state: Value | undefined, fill: Fill, context: PlanContext): Plan;
  /** Whether a method that an entry action sends expects no answer. */
  isNotification?(method: string): boolean;
  /** Whether calls are given up after a while; others may take as long as the run lasts. */
  readonly isTimed?: boolean;
  /** Whether a call goes out under an id that its answer repeats. */
  readonly hasIds?: boolean;
  /** What the peer goes on with after its answer, in protocols that have such work. */
  readonly lasting?: LastingWork;
  /** How the answer to a call is read; `state` is that of the phase that made the call. */
  reader(call: PeerRequest, state: Value | undefined): Reader;
}

/** Work that outlasts the answer to the call that began it. The peer is asked for it until it is over. */
export interface LastingWork {
  /** What a part of the answer to a call says of such work; nothing where it speaks of none. */
  progress(call: PeerRequest, content: Value): Progress | undefined;
  /** How the peer is asked for it; it answers in one piece. */
  poll(name: string): PeerRequest;
}

/** What an answer says of lasting work. */
export interface Progress {
  readonly name: string;
  /** `begun`: it goes on, and is ours to wait for; `over`: nothing more comes of it by itself. */
  readonly state: 'begun' | 'going on' | 'over';
}

/** What the messages of a mode mean. */
export type Binding = ServerBinding | ClientBinding;

export function isClientBinding(binding: Binding): binding is ClientBinding {
  return 'acts' in binding;
}

/** What a client does, one after the other, and what is wrong with how the document says it. */
export interface Acts {
  readonly acts: readonly Act[];
  readonly warnings?: readonly Diagnostic[];
}

/** A call to the peer, or a notification. It is made when it goes out, so that it can hold what was extracted meanwhile. */
export interface Act {
  readonly method: string;
  /** Where in the state it stands, as in a plan. */
  readonly pieces?: readonly string[];
  /** Where in the document it stands, for what is not in the state. */
  readonly place?: Pick<MessageRecord, 'pieces' | 'unresolved'>;
  /** Nothing where the call has no params at all. */
  content(fill: Fill): Value | undefined;
  /** What it is when it goes out, where even the method holds templates. */
  resolve?(fill: Fill): Act;
  /** Most of what we send is no event; this is. */
  readonly counts?: true;
  readonly isNotification?: true;
  /** What is said in its place to a peer that refuses it and may be of before the version that it is written for. */
  older?(content: Value): Value;
  /** How the transport is to send it, in its own words. */
  manner?(fill: Fill): Value;
  /** What the call carries that is recorded before it, each as an event of its own. */
  carries?(content: Value): readonly CarriedEvent[];
}

/** An event that is part of a message: it is recorded, and triggers and extractors see it. */
export interface CarriedEvent {
  readonly method: string;
  readonly content: Value;
  /** What was asked for, where the event answers it. */
  readonly request?: Value;
  /** What is wrong with its form, though it counts. */
  readonly noted?: string;
  /** It is another name for a part that is an event already: counted and extracted from, but no record. */
  readonly isDerived?: true;
}

/** Reads an answer part by part. Each part gives the reader of the next: none is changed. */
export interface Reader {
  /** Nothing for a part that the protocol has no meaning for. */
  read(part: Value, ids: Ids): Reading | undefined;
  /** Why it is too early, where the stream ends before the answer is over; nothing if it may. */
  end(): string | undefined;
}

/** What one part of an answer says. */
export interface Reading extends Partial<Acts> {
  readonly next: Reader;
  /** What the part is, under each name that it goes by. */
  readonly events: readonly CarriedEvent[];
  /** The answer is complete, whether or not its stream is closed. */
  readonly isOver?: true;
  /** Why the peer is left waiting for us. */
  readonly trouble?: string;
  /** Why the answer is not all that it would have been, though it is over. */
  readonly cutOff?: string;
}
