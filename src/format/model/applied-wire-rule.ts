import type { Value, ValueMap } from './value.ts';

/** A position in the sent bytes: an offset from the beginning, or a share of the whole (`50%`). */
export type WirePoint = number | string;

/** The changes to one message on its way out. Plain data: the engine makes it; the loop and the transports carry it out. */
export interface AppliedWireRule {
  /** JSON Pointer of the rule in the normalized actor. */
  readonly rule: string;
  /** The keys of the rule that have an effect on this message. */
  readonly actions: readonly string[];
  readonly delayMs?: number;
  /** Holds an answer back until another was sent, or until the peer has cancelled the request. */
  readonly hold?: 'next' | 'cancelled';
  readonly flood?: WireFlood;
  /** How often the message is sent in total. */
  readonly repeat?: number;
  readonly id?: { readonly value: Value };
  readonly batch?: true;
  readonly http?: WireHttp;
  readonly bytes?: WireBytes;
  readonly frame?: 'no_newline' | 'newline_inside';
  /** Sends this many bytes at a time, with a pause between. */
  readonly pace?: { readonly bytes: number; readonly everyMs: number };
  readonly end?: WireEnd;
  /** How a client reads the answer: this many bytes at a time, or not at all. */
  readonly read?: 'none' | { readonly bytes: number; readonly everyMs: number };
  readonly stream?: 'endless' | 'silent' | 'comments';
  readonly sse?: WireSse;
  readonly grpc?: WireGrpc;
}

/** Notifications that are sent before an answer. */
export interface WireFlood {
  readonly method: string;
  readonly params: Value | undefined;
  readonly count: number;
  readonly everyMs: number;
}

/** Changes to the HTTP response. */
export interface WireHttp {
  readonly status?: number;
  /** Null removes a header. */
  readonly headers?: { readonly [name: string]: string | null };
  readonly contentType?: string;
  readonly compress?: 'gzip' | 'deflate' | 'br';
}

/** Changes to the bytes of the message. */
export interface WireBytes {
  /** The position from which nothing more is sent. */
  readonly cut?: WirePoint;
  readonly corrupt?: {
    readonly at: WirePoint;
    readonly with: 'invalid_utf8' | 'zeros' | 'text';
    readonly text?: string;
  };
  /** Keys that are written a second time, before those of the result. */
  readonly repeatKey?: ValueMap;
}

/** How and when a connection is ended. */
export interface WireEnd {
  readonly by: 'reset' | 'close';
  /** `answering`: a client ends the connection once the answer has begun. */
  readonly when: 'before' | 'during' | 'after' | 'answering';
}

/** The keys of a rule that break a request, so that its peer may refuse it, break it off or never answer it. */
export const requestFaults: ReadonlySet<string> = new Set(['bytes', 'frame', 'http', 'batch', 'pace', 'end', 'read']);

/** Changes to an event stream. */
export interface WireSse {
  readonly id?: string;
  readonly retry?: string;
  readonly event?: string;
  /** The number of comments before the message. */
  readonly comments?: number;
  /** The data of unsolicited events before the message. */
  readonly events?: readonly string[];
}

/** How a gRPC call ends. */
export interface WireGrpc {
  readonly status?: string;
  readonly message?: string;
  readonly trailers?: { readonly [name: string]: string };
}

/** The transport's report on an applied rule. */
export interface WirePerformed {
  /** Keys of the rule that the transport cannot perform, or that changed nothing. */
  readonly unapplied?: readonly string[];
  /** Why the message was not sent whole, or cannot be read. */
  readonly harm?: string;
  /** The number of bytes that were written, if they differ from the recorded message. */
  readonly bytes?: number;
  readonly sha256?: string;
  /** The first bytes, in base64. */
  readonly head?: string;
}
