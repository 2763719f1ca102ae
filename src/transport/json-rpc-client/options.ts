import type { Transport } from '../../engine/ports.ts';

export type Receive = Parameters<Transport['open']>[0];

/** A server to speak to: one that listens somewhere, or a program that is launched for the purpose. */
export type Peer = UrlPeer | CommandPeer;

/** A server that listens. */
export interface UrlPeer {
  readonly url: string;
  /** Sent with every request. Those that are secret by their names are taken out of whatever comes back. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** What else is taken out of it. */
  readonly secrets?: readonly string[] | undefined;
  /** Whether all of it is left in, since an attack may be after it: whoever stores what comes back takes it out. */
  readonly secretsStay?: boolean | undefined;
}

/** A program that is launched, and spoken to over its standard input and output. */
export interface CommandPeer {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Variables for the program, beside those of its environment. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /**
   * What the program sees of our own environment: by default no more than it takes to run (`PATH`, `HOME` and the
   * like), since what else stands there is none of its business.
   */
  readonly environment?: 'clean' | 'inherited' | undefined;
  readonly cwd?: string | undefined;
}

/** How much a peer can make us hold. */
export interface ClientLimits {
  /** Of one message. */
  readonly messageBytes: number;
  /** How deep a message may be nested. */
  readonly depth: number;
  /** How much of what cannot be read is kept for the record. */
  readonly recordedBytes: number;
  /** Requests of the peer's that wait for our answers. */
  readonly exchanges: number;
  /** What waits to be written to a program that does not read. */
  readonly waitingBytes: number;
  /** Of a program's standard error, for the record. */
  readonly logBytes: number;
  /** Of a stream of events. */
  readonly streamBytes: number;
  /** How often a stream that broke is taken up again without anything having come of it. */
  readonly resumptions: number;
  /** How long a goodbye may take, each part of it. */
  readonly goodbyeMs: number;
  /** How long a server has to say whether it knows `server/discover`; one of before may never answer that. */
  readonly probeMs: number;
  /** The same for a program, which has to start first. */
  readonly launchedProbeMs: number;
}

const mebibyte = 1024 * 1024;

export const defaultLimits: ClientLimits = {
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
