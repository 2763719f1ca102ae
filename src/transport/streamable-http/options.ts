import type { Exposure } from '../exposure/exposure.ts';
import { defaultSessionLimits, messageBytes, type SessionLimits } from '../sessions/limits.ts';

const mebibyte = 1024 * 1024;

/** Where an MCP server listens over HTTP, and whom it lets in. */
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
  /** Says that others than peers on this machine reach it, and what keeps strangers out. */
  readonly exposure?: Exposure | undefined;
  readonly limits?: Partial<Limits>;
  /** Makes session ids; they have to be unguessable. */
  readonly newSessionId?: () => string;
}

/** How much peers can make a server over HTTP hold, and for how long. */
export interface Limits extends SessionLimits {
  readonly bodyBytes: number;
  /** Over all bodies that are being read. */
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
  /** How often a silent stream shows that it is still there. */
  readonly heartbeatMs: number;
}

export const defaultLimits: Limits = {
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
  // Above the 60 s that clients and proxies like to keep a connection, so that they close it first.
  idleMs: 65_000,
  heartbeatMs: 15_000,
};
