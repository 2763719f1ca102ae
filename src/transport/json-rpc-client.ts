import type { Transport } from '../engine/ports.ts';
import { chosenLate } from './chosen-late.ts';
import { openHttp } from './json-rpc-client/http.ts';
import { type ClientLimits, defaultLimits, type Peer } from './json-rpc-client/options.ts';
import { openStdio } from './json-rpc-client/stdio.ts';

export type {
  ClientLimits as JsonRpcClientLimits,
  CommandPeer,
  Peer,
  UrlPeer,
} from './json-rpc-client/options.ts';

/** Whom an MCP client speaks to, and how much it takes. */
export interface JsonRpcClientOptions {
  /** Whom to speak to; asked for when the actor begins to. */
  target(): Peer;
  readonly limits?: Partial<ClientLimits> | undefined;
}

/** Speaks JSON-RPC to one server: a program over its standard streams, or a URL over HTTP. */
export function createJsonRpcClient({ target, limits: given }: JsonRpcClientOptions): Transport {
  const limits = { ...defaultLimits, ...given };
  return chosenLate((receive) => {
    const to = target();
    return 'url' in to ? openHttp(to, limits, receive) : openStdio(to, limits, receive);
  });
}
