const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

export interface StreamableHttpOptions {
  /** The address to listen on. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  /** The endpoint's path. */
  readonly path?: string;
  /** Host names beside loopback ones that requests may be addressed to, with or without a port. */
  readonly allowedHosts?: readonly string[];
  /** Origins beside loopback ones that web pages may send from, such as `https://example.com`. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** Makes session ids; they have to be unguessable. */
  readonly newSessionId?: () => string;
}

/** How much a peer can make us hold. Past a limit it is refused, or the oldest is given up. */
export interface Limits {
  readonly bodyBytes: number;
  /** Over all bodies that are being read. */
  readonly allBodiesBytes: number;
  /** How much of a malformed body is kept for the record. */
  readonly recordedBytes: number;
  /** How deep JSON may be nested. */
  readonly depth: number;
  readonly connections: number;
  readonly sessions: number;
  /** Requests that wait for their answers. */
  readonly exchangesPerSession: number;
  readonly exchanges: number;
  /** Messages of ours that wait for a stream, and requests of ours that wait for the peer's answers. */
  readonly waitingPerSession: number;
  /** Streams of a session that can be resumed. */
  readonly streamsPerSession: number;
  /** Events of one stream that are kept for resumption. */
  readonly replayEvents: number;
  readonly replayBytes: number;
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long an unused connection is kept. */
  readonly idleMs: number;
  /** How often a silent stream shows that it is still there. */
  readonly heartbeatMs: number;
}

export const defaultLimits: Limits = {
  bodyBytes: 16 * mebibyte,
  allBodiesBytes: 256 * mebibyte,
  recordedBytes: 64 * kibibyte,
  depth: 512,
  connections: 4096,
  sessions: 1000,
  exchangesPerSession: 128,
  exchanges: 4096,
  waitingPerSession: 1000,
  streamsPerSession: 32,
  replayEvents: 256,
  replayBytes: 1 * mebibyte,
  headersMs: 20_000,
  requestMs: 60_000,
  // Above the 60 s that clients and proxies like to keep a connection, so that they close it first.
  idleMs: 65_000,
  heartbeatMs: 15_000,
};
