import type { MemoryListener } from './memory-channel.ts';

/** One peer in this process, as the server sees it: JSON texts both ways, as over any other transport. */
export interface MemoryPeer {
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

export function createMemoryConnection(join: (ears: MemoryListener) => MemoryPeer | string): MemoryConnection {
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
