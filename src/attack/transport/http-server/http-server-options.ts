import type { Exposure } from '../exposure/exposure.ts';
import { defaultSessionLimits, messageBytes, type SessionLimits } from '../mcp-server/sessions/session-limits.ts';

const mebibyte = 1024 * 1024;

/** The address of an MCP server over HTTP, and the peers that it admits. */
export interface HttpServerOptions {
  /** The address to listen on. */
  readonly host?: string;
  /** 0 takes a free port. */
  readonly port?: number;
  /** Host names, in addition to loopback ones, that requests may be addressed to, with or without a port. */
  readonly allowedHosts?: readonly string[];
  /** Origins, in addition to loopback ones, that web pages may send from, such as `https://example.com`. */
  readonly allowedOrigins?: readonly string[];
  /** Opens the server to peers on other machines, and says what keeps strangers out. */
  readonly exposure?: Exposure | undefined;
  readonly limits?: Partial<Limits>;
  /** The endpoint's path. */
  readonly path?: string;
  /** Makes session ids; they must be impossible to guess. */
  readonly newSessionId?: () => string;
}

/** Limits on how much peers can make a server over HTTP hold, and for how long. */
export interface Limits extends SessionLimits {
  readonly bodyBytes: number;
  /** The bytes of all bodies that are being read. */
  readonly allBodiesBytes: number;
  readonly connections: number;
  readonly sessions: number;
  /** Streams of a session that can be resumed. */
  readonly streamsPerSession: number;
  /** Events of one stream that are kept for resumption. */
  readonly replayEvents: number;
  readonly replayBytes: number;
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long an unused connection is kept. */
  readonly idleMs: number;
  /** How often a silent stream shows that it is still alive. */
  readonly heartbeatMs: number;
}

export const defaultHttpServerLimits: Limits = {
  ...defaultSessionLimits,
  bodyBytes: messageBytes,
  allBodiesBytes: 256 * mebibyte,
  connections: 4096,
  sessions: 1000,
  streamsPerSession: 32,
  replayEvents: 256,
  replayBytes: 1 * mebibyte,
  headersMs: 20_000,
  requestMs: 60_000,
  // Longer than the 60 s for which clients and proxies usually keep a connection, so that they close it first.
  idleMs: 65_000,
  heartbeatMs: 15_000,
};
