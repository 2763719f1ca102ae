import type { Value, ValueMap } from './value.ts';

/** Where a phase says how it sends: an extension of ours (docs/wire.md). */
export const wireKey = 'x-wire';

/** A place in what is sent: so many bytes from its beginning, or such a share of it (`50%`). */
export type WirePoint = number | string;

/** What is done to one message on its way out. Plain data: the engine makes it, the loop and the transports perform it. */
export interface WireOrder {
  /** The rule, as a JSON Pointer into the normalized actor. */
  readonly rule: string;
  /** The keys of the rule that say what is done, as far as they come to anything for this message. */
  readonly deeds: readonly string[];
  readonly delayMs?: number;
  /** An answer that waits: until another was sent, or until the peer has given up. */
  readonly hold?: 'next' | 'cancelled';
  readonly flood?: WireFlood;
  /** How often it is sent in all. */
  readonly repeat?: number;
  readonly id?: { readonly value: Value };
  readonly batch?: true;
  readonly http?: WireHttp;
  readonly bytes?: WireBytes;
  readonly frame?: 'no_newline' | 'newline_inside';
  /** So many bytes at a time, with a pause between. */
  readonly pace?: { readonly bytes: number; readonly everyMs: number };
  readonly end?: WireEnd;
  /** How a client reads what comes back: so many bytes at a time, or not at all. */
  readonly read?: 'none' | { readonly bytes: number; readonly everyMs: number };
  readonly stream?: 'endless' | 'silent' | 'comments';
  readonly sse?: WireSse;
  readonly grpc?: WireGrpc;
}

/** Notifications that go out before an answer. */
export interface WireFlood {
  readonly method: string;
  readonly params: Value | undefined;
  readonly count: number;
  readonly everyMs: number;
}

/** What of HTTP is other than it would be. */
export interface WireHttp {
  readonly status?: number;
  /** Null leaves one out. */
  readonly headers?: { readonly [name: string]: string | null };
  readonly contentType?: string;
  readonly compress?: 'gzip' | 'deflate' | 'br';
}

/** What of the bytes is other than it would be. */
export interface WireBytes {
  /** Nothing is sent from here on. */
  readonly cut?: WirePoint;
  readonly corrupt?: {
    readonly at: WirePoint;
    readonly with: 'invalid_utf8' | 'zeros' | 'text';
    readonly text?: string;
  };
  /** Keys that stand once more, before those of the result. */
  readonly repeatKey?: ValueMap;
}

/** How and when a connection is ended. */
export interface WireEnd {
  readonly by: 'reset' | 'close';
  /** `answering`: a client, once the answer has begun. */
  readonly when: 'before' | 'during' | 'after' | 'answering';
}

/** What a client does to a request so that its peer may turn it down, break it off or never answer it. */
export const requestFaults: ReadonlySet<string> = new Set([
  'bytes',
  'frame',
  'http',
  'batch',
  'pace',
  'end',
  'read',
]);

/** What of a stream of events is other than it would be. */
export interface WireSse {
  readonly id?: string;
  readonly retry?: string;
  readonly event?: string;
  /** So many comments before it. */
  readonly comments?: number;
  /** Events that nobody asked for, before it: their data. */
  readonly events?: readonly string[];
}

/** How a call of gRPC can fail. */
export const grpcFailures = [
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

/** How a call of gRPC ends. */
export interface WireGrpc {
  readonly status?: string;
  readonly message?: string;
  readonly trailers?: { readonly [name: string]: string };
}

/** What a transport has made of an order. */
export interface WirePerformed {
  /** Deeds that it cannot do, and those that have changed nothing. */
  readonly undone?: readonly string[];
  /** Why what was to be sent did not go out whole, or not so that it can be read. */
  readonly harm?: string;
  /** What was really written, where that is not the message as it is recorded. */
  readonly bytes?: number;
  readonly sha256?: string;
  /** The beginning of it, in base64. */
  readonly head?: string;
}
