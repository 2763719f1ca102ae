import type { Incoming } from '../../src/attack/engine/actor-messages.ts';
import type { Transport } from '../../src/attack/engine/ports.ts';
import {
  createMcpClient,
  type JsonRpcClientLimits,
  type McpPeer,
  type SpokenEra,
} from '../../src/attack/transport/mcp-client/mcp-client-transport.ts';
import type { Value } from '../../src/index.ts';

/** The client's transport, and the test in place of the actor. */
export interface OpenedClient {
  readonly transport: Transport;
  readonly received: Incoming[];
  /** The keys of the written messages, in order. */
  readonly sent: string[];
  ask(ask: string, method: string, params?: Value): void;
  notify(method: string, params?: Value): void;
  /** Waits for the first message that is meant. */
  next<K extends Incoming['kind']>(
    kind: K,
    isMeant?: (message: Extract<Incoming, { kind: K }>) => boolean,
  ): Promise<Extract<Incoming, { kind: K }>>;
  close(): Promise<void>;
}

export async function openClient(
  target: McpPeer,
  limits: Partial<JsonRpcClientLimits> = {},
  era?: SpokenEra,
): Promise<OpenedClient> {
  const transport = createMcpClient({
    target: () => target,
    limits: { goodbyeMs: 200, ...limits },
    era,
  });
  const received: Incoming[] = [];
  const sent: string[] = [];
  const waiting = new Set<(message: Incoming) => boolean>();
  await transport.open((message) => {
    received.push(message);
    for (const look of waiting) look(message);
  });
  return {
    transport,
    received,
    sent,
    ask: (ask, method, params) => transport.ask('every session', ask, method, params, () => sent.push(ask)),
    notify: (method, params) => transport.notify('every session', method, params, () => sent.push(method)),
    next(kind, isMeant = () => true) {
      return new Promise((resolve) => {
        const look = (each: Incoming): boolean => {
          const message = each as Extract<Incoming, { kind: typeof kind }>;
          if (each.kind !== kind || !isMeant(message)) return false;
          waiting.delete(look);
          resolve(message);
          return true;
        };
        if (!received.some(look)) waiting.add(look);
      });
    },
    close: () => transport.close(),
  };
}

/** The bytes of a `malformed` message. */
export function rawOf(message: Incoming): string {
  return message.kind === 'malformed' ? Buffer.from(message.raw, 'base64').toString('latin1') : '';
}
