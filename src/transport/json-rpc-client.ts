import type { Transport } from '../engine/ports.ts';
import { openHttp } from './json-rpc-client/http.ts';
import { type ClientLimits, type ClientTarget, defaultLimits } from './json-rpc-client/options.ts';
import { openStdio } from './json-rpc-client/stdio.ts';

export type {
  ClientLimits as JsonRpcClientLimits,
  ClientTarget,
  CommandTarget,
  UrlTarget,
} from './json-rpc-client/options.ts';

export interface JsonRpcClientOptions {
  /** Whom to speak to; asked for when the actor begins to. */
  target(): ClientTarget;
  readonly limits?: Partial<ClientLimits> | undefined;
}

/** Speaks JSON-RPC to one server: a program over its standard streams, or a URL over HTTP. */
export function createJsonRpcClient({ target, limits: given }: JsonRpcClientOptions): Transport {
  const limits = { ...defaultLimits, ...given };
  let connection: Transport | undefined;
  return {
    async open(receive) {
      const to = target();
      connection = 'url' in to ? openHttp(to, limits, receive) : await openStdio(to, limits, receive);
      return connection.open(receive);
    },
    answer: (exchange, answer, sent) => connection?.answer(exchange, answer, sent),
    notify: (to, method, params, sent) => connection?.notify(to, method, params, sent),
    ask: (to, ask, method, params, sent) => connection?.ask(to, ask, method, params, sent),
    openSessions: () => connection?.openSessions() ?? 0,
    isConnected: () => connection?.isConnected() ?? false,
    close: async () => connection?.close(),
  };
}
