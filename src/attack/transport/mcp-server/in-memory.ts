import type { Incoming } from '../../engine/actor-messages.ts';
import type { Endpoint, Transport } from '../../engine/ports.ts';
import { errorCode, frameError } from '../json-rpc-frames.ts';
import { createMemoryConnection, type MemoryConnection, type MemoryPeer } from './in-memory/connection.ts';
import { MemoryChannel, type MemoryListener } from './in-memory/memory-channel.ts';
import { ChannelSession } from './sessions/channel-session.ts';
import { createUnsentWarner } from './sessions/client-session.ts';
import { McpPeers, sendThrough } from './sessions/peers.ts';
import { recordRefused } from './sessions/record-refused.ts';
import { defaultSessionLimits, messageBytes, type SessionLimits } from './sessions/session-limits.ts';
import { takeMessage } from './sessions/take-message.ts';

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
  join(ears: MemoryListener): MemoryPeer | string;
}

const defaultLimits: MemoryLimits = { ...defaultSessionLimits, messageBytes, sessions: 1000 };

/** An MCP server for clients in this process; it opens no port. */
export function createMemoryServer(given: Partial<MemoryLimits> = {}): MemoryServer {
  const limits = { ...defaultLimits, ...given };
  let receive: (message: Incoming) => void = () => {};
  let isOpen = false;
  let joined = 0;
  const peers = new McpPeers(limits, (message) => receive(message));

  function join(ears: MemoryListener): MemoryPeer | string {
    if (!isOpen) return 'the run is over';
    if (peers.sessionCount >= limits.sessions) return 'too many sessions';
    joined += 1;
    const session = new ChannelSession(`memory-${joined}`, new MemoryChannel(ears), limits, createUnsentWarner(peers));
    peers.beginSession(session);
    return { send: (bytes) => take(bytes, session), leave: () => peers.endSession(session) };
  }

  function take(bytes: Buffer, session: ChannelSession): void {
    if (peers.session(session.id) === undefined) return;
    const refused =
      bytes.length > limits.messageBytes
        ? {
            id: null,
            code: errorCode.refused,
            reason: `the message is longer than ${limits.messageBytes} bytes`,
          }
        : takeMessage(bytes, session, peers);
    if (refused === undefined) return;
    const { id, code, reason } = refused;
    const isTooLarge = bytes.length > limits.messageBytes;
    recordRefused(peers, {
      reason,
      bytes: bytes.subarray(0, limits.messageBytes),
      session: session.id,
      ...(isTooLarge && { end: 'too large' }),
    });
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
