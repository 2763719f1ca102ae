import type { Transport } from '../../engine/ports.ts';

export type McpReceive = Parameters<Transport['open']>[0];

/** A server to speak to: one that listens at a URL, or a program that is launched for the run. */
export type McpPeer = UrlPeer | CommandPeer;

/** A server that listens. */
export interface UrlPeer {
  readonly url: string;
  /** Sent with every request. The values of headers with secret names are removed from the peer's messages. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Further values that are removed. */
  readonly secrets?: readonly string[] | undefined;
  /**
   * Whether these values stay in the peer's messages, because an attack may aim at them; the code that stores the
   * messages then removes them.
   */
  readonly secretsStay?: boolean | undefined;
}

/** A program that is launched, and spoken to over its standard input and output. */
export interface CommandPeer {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Variables for the program, added to its environment. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /**
   * The part of our environment that the program gets. Default: only what it needs to run (such as `PATH` and `HOME`),
   * so that our other variables stay private.
   */
  readonly environment?: 'clean' | 'inherited' | undefined;
  readonly cwd?: string | undefined;
}

/** Limits on how much a peer can make us hold. */
export interface ClientLimits {
  /** The size of one message. */
  readonly messageBytes: number;
  /** The nesting depth of a message. */
  readonly depth: number;
  /** The most bytes of unreadable content that are recorded. */
  readonly recordedBytes: number;
  /** The number of the peer's requests that wait for our answers. */
  readonly exchanges: number;
  /** The bytes that wait to be written to a program that does not read. */
  readonly waitingBytes: number;
  /** The bytes of a program's standard error that are recorded. */
  readonly logBytes: number;
  /** The size of an event stream. */
  readonly streamBytes: number;
  /** How often a broken stream is resumed without receiving anything. */
  readonly resumptions: number;
  /** How long each part of a shutdown may take. */
  readonly goodbyeMs: number;
  /** How long a server has to answer `server/discover`; an older one may never answer it. */
  readonly probeMs: number;
  /** The same for a program, which has to start first. */
  readonly launchedProbeMs: number;
}

const mebibyte = 1024 * 1024;

export const defaultMcpClientLimits: ClientLimits = {
  messageBytes: 16 * mebibyte,
  depth: 512,
  recordedBytes: 64 * 1024,
  exchanges: 1_000,
  waitingBytes: 64 * mebibyte,
  logBytes: 64 * 1024,
  streamBytes: 256 * mebibyte,
  resumptions: 4,
  goodbyeMs: 1_000,
  probeMs: 5_000,
  launchedProbeMs: 15_000,
};
