import type { Transport } from '../../../engine/ports.ts';
import type { UrlPeer } from '../../mcp-client/mcp-client-options.ts';

export type A2aReceive = Parameters<Transport['open']>[0];

/** An A2A agent to speak to. */
export interface A2aPeer extends UrlPeer {
  /** The agent's address, or that of its card; `grpc://host:port` for an agent that speaks only gRPC. */
  readonly url: string;
}

/** Limits on how much, and for how long, an agent can make us hold. */
export interface A2aClientLimits {
  readonly bodyBytes: number;
  readonly eventBytes: number;
  readonly streamBytes: number;
  readonly streamItems: number;
  readonly depth: number;
  /** The most bytes of unreadable content that are recorded. */
  readonly recordedBytes: number;
  /** The longest silence. */
  readonly silenceMs: number;
}

const mebibyte = 1024 * 1024;

export const defaultA2aClientLimits: A2aClientLimits = {
  bodyBytes: 16 * mebibyte,
  eventBytes: 8 * mebibyte,
  streamBytes: 64 * mebibyte,
  streamItems: 100_000,
  depth: 512,
  recordedBytes: 64 * 1024,
  silenceMs: 60_000,
};
