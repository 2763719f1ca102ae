import type { AppliedWireRule } from '../../../format/model/applied-wire-rule.ts';
import type { Incoming } from '../../engine/actor-messages.ts';
import type { Answered, Endpoint, Transport } from '../../engine/ports.ts';
import { expandText, tooLargeToHold } from '../expand-generated.ts';
import { errorCode, frameError } from '../json-rpc-frames.ts';
import { createFaultyBytes, describeBytes, repeatBytes } from '../wire/faulty-bytes.ts';
import { findUnapplied } from '../wire/unapplied-actions.ts';
import { type Channel, ChannelSession } from './sessions/channel-session.ts';
import { createUnsentWarner } from './sessions/client-session.ts';
import type { OutgoingText } from './sessions/peer-session.ts';
import { McpPeers, sendThrough } from './sessions/peers.ts';
import { recordRefused } from './sessions/record-refused.ts';
import { defaultSessionLimits, messageBytes, type SessionLimits } from './sessions/session-limits.ts';
import { takeMessage } from './sessions/take-frames.ts';

export interface MemoryLimits extends SessionLimits {
  readonly messageBytes: number;
  readonly sessions: number;
}

/** The endpoint for peers in this process: each connection is a session of its own. */
export interface MemoryEndpoint extends Endpoint {
  /** Makes a transport for an MCP client, in the shape that the official SDKs share. */
  connect(): MemoryConnection;
}

export interface MemoryServer extends Transport {
  open(receive: (message: Incoming) => void): Promise<MemoryEndpoint>;
  /** Begins a session; a text gives the reason why it cannot. */
  join(listener: MemoryListener): MemoryPeer | string;
}

const defaultLimits: MemoryLimits = { ...defaultSessionLimits, messageBytes, sessions: 1000 };

/** An MCP server for clients in this process; it opens no port. */
export function createMemoryServer(given: Partial<MemoryLimits> = {}): MemoryServer {
  const limits = { ...defaultLimits, ...given };
  let receive: (message: Incoming) => void = () => {};
  let isOpen = false;
  let joined = 0;
  const peers = new McpPeers(limits, (message) => receive(message));

  function join(listener: MemoryListener): MemoryPeer | string {
    if (!isOpen) return 'the run is over';
    if (peers.sessionCount >= limits.sessions) return 'too many sessions';
    joined += 1;
    const session = new ChannelSession(
      `memory-${joined}`,
      new MemoryChannel(listener),
      limits,
      createUnsentWarner(peers),
    );
    peers.beginSession(session);
    return { send: (bytes) => take(bytes, session), leave: () => peers.endSession(session) };
  }

  function take(bytes: Buffer, session: ChannelSession): void {
    if (peers.session(session.id) === undefined) return;
    const isTooLarge = bytes.length > limits.messageBytes;
    const tooLarge = {
      id: null,
      code: errorCode.refused,
      reason: `the message is longer than ${limits.messageBytes} bytes`,
    };
    const refused = isTooLarge ? tooLarge : takeMessage(bytes, session, peers);
    if (refused === undefined) return;
    const { id, code, reason } = refused;
    const kept = bytes.subarray(0, limits.messageBytes);
    recordRefused(peers, { reason, bytes: kept, session: session.id, ...(isTooLarge && { end: 'too large' }) });
    session.channel.send({ text: frameError(id, code, reason), written: () => {} });
  }

  return {
    join,
    async open(toActor) {
      receive = toActor;
      isOpen = true;
      return { url: 'memory:', connect: () => createMemoryConnection(join) };
    },
    ...sendThrough(peers),
    isConnected: () => peers.sessionCount > 0,
    async close() {
      isOpen = false;
      peers.close();
    },
  };
}

/** One peer in this process, as the server sees it: JSON texts both ways, as over any other transport. */
interface MemoryPeer {
  send(bytes: Buffer): void;
  leave(): void;
}

/**
 * The client's end of a connection in memory: the transport that the `Client` of the official MCP SDKs, 1.x and 2.x,
 * accepts. It has no session id, because to them that would mean that the session has begun before.
 */
export interface MemoryConnection {
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: unknown, extra?: unknown) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
}

function createMemoryConnection(join: (listener: MemoryListener) => MemoryPeer | string): MemoryConnection {
  let peer: MemoryPeer | undefined;
  let isOver = false;
  const connection: MemoryConnection = {
    async start() {
      if (peer !== undefined || isOver) throw new Error('this connection was started already');
      const joined = join({ hear, closed });
      if (typeof joined === 'string') throw new Error(`cannot connect: ${joined}`);
      peer = joined;
    },
    async send(message) {
      const text = JSON.stringify(message);
      if (text === undefined) throw new Error('the message is not JSON');
      if (peer === undefined || isOver) throw new Error('not connected');
      peer.send(Buffer.from(text));
      // As over any other connection, a message takes a moment, so that a peer that sends without end leaves time for
      // others.
      await new Promise<void>((resolve) => setImmediate(resolve));
    },
    async close() {
      if (peer === undefined) closed();
      else peer.leave();
    },
  };

  function hear(text: string): void {
    try {
      connection.onmessage?.(JSON.parse(text));
    } catch (thrown) {
      connection.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  function closed(): void {
    if (isOver) return;
    isOver = true;
    connection.onclose?.();
  }

  return connection;
}

/** Receives our messages to a peer in this process. */
interface MemoryListener {
  hear(text: string): void;
  closed(): void;
}

/**
 * Delivers messages to a peer in this process. Each turn of the event loop delivers the messages of the turn before, so
 * that a peer that answers at once cannot starve the run's own timers.
 */
class MemoryChannel implements Channel {
  readonly #listener: MemoryListener;
  #queue: OutgoingText[] = [];
  #isOpen = true;
  #isGone = false;

  constructor(listener: MemoryListener) {
    this.#listener = listener;
  }

  send(message: OutgoingText): void {
    if (!this.#isOpen) return;
    this.#queue.push(message);
    if (this.#queue.length === 1) setImmediate(() => this.#flush());
  }

  beat(): void {}

  finish(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#flush();
    this.#isGone = true;
    this.#listener.closed();
  }

  /** Within a process there are messages but no bytes, so actions on bytes are not carried out. */
  #hearRuled(text: string, written: Answered, rule: AppliedWireRule): void {
    const { bytes, isOther, harm } = createFaultyBytes(text, rule);
    const ofBytes = ['http', 'frame', 'pace', 'end', 'sse', 'grpc', 'stream'];
    const unapplied = findUnapplied(rule, isOther ? ofBytes : [...ofBytes, 'bytes']);
    written(undefined, undefined, {
      ...unapplied,
      ...(harm !== undefined && { harm }),
      ...(isOther && describeBytes(bytes)),
    });
    for (const copy of repeatBytes(bytes, rule.repeat ?? 1)) this.#listener.hear(copy.toString());
  }

  #flush(): void {
    const messages = this.#queue;
    this.#queue = [];
    for (const { text, written, rule } of messages) {
      if (this.#isGone) return;
      const held = expandText(text);
      if (rule !== undefined) this.#hearRuled(held ?? text, written, rule);
      else {
        written(undefined, held === undefined ? tooLargeToHold : undefined);
        if (held !== undefined) this.#listener.hear(held);
      }
    }
  }
}
