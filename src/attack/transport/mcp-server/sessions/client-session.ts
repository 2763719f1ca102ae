import { stringifyJson } from '../../../../format/model/json-text-values.ts';
import type { Value } from '../../../../format/model/value.ts';
import { mcp2026, metaKey, readRequestMeta } from '../../../../format/registry/mcp-2026.ts';
import type { OutgoingText, PeerExchange, PeerSession } from './peer-session.ts';
import type { McpPeers } from './peers.ts';

import { Subscriptions, type UnsentReport } from './subscriptions.ts';

/**
 * A client of MCP since 2026-07-28, which has no sessions. The client is identified by the name that it gives itself,
 * for the record only.
 */
export class ClientSession implements PeerSession {
  readonly id: string;
  readonly era = mcp2026;
  readonly exchanges = new Set<PeerExchange>();
  readonly subscriptions: Subscriptions;

  constructor(id: string, most: number, tell: UnsentReport) {
    this.id = id;
    this.subscriptions = new Subscriptions(most, tell);
  }

  deliver(message: OutgoingText): void {
    this.subscriptions.deliver(message);
  }

  /** A request that can carry waiting messages takes them itself. */
  deliverWaiting(): void {}

  /** A client answers only the questions within its own calls. */
  expectAnswer(): void {}

  takeAsk(_id: Value): undefined {
    return undefined;
  }

  beat(): void {
    for (const { reply } of this.exchanges) reply.beat?.();
  }

  end(): void {
    this.subscriptions.end();
  }
}

/** Finds the client that sent a message, by the name that it gives itself. */
export function createClientSessions(
  peers: McpPeers,
  limits: { readonly sessions: number; readonly waitingPerSession: number },
): (params: Value | undefined) => ClientSession | { readonly status: number; readonly reason: string } {
  const clients = new Map<string, ClientSession>();
  let number = 0;
  return (params) => {
    const name = stringifyJson(readRequestMeta(params)[metaKey.clientInfo] ?? null);
    const known = clients.get(name);
    if (known !== undefined) return known;
    const [idle] =
      clients.size < limits.sessions ? [] : [...clients].filter(([, { exchanges }]) => exchanges.size === 0);
    if (idle !== undefined) clients.delete(idle[0]);
    if (clients.size >= limits.sessions) return { status: 503, reason: 'too many clients' };
    number += 1;
    const client = new ClientSession(`client-${number}`, limits.waitingPerSession, createUnsentWarner(peers));
    clients.set(name, client);
    return client;
  };
}

/** Warns the run of messages that a client could not be sent. */
export function createUnsentWarner({ receive }: Pick<McpPeers, 'receive'>): UnsentReport {
  return (message) => receive({ kind: 'warning', code: 'O-112', message });
}
