import type { Transport } from '../engine/ports.ts';
import { chosenLate } from './chosen-late.ts';
import { openInEra } from './json-rpc-client/era-2026.ts';
import type { SpokenEra } from './json-rpc-client/era-choice.ts';
import { openHttp } from './json-rpc-client/http.ts';
import { type ClientLimits, defaultLimits, type Peer } from './json-rpc-client/options.ts';
import { openStdio } from './json-rpc-client/stdio.ts';

export type { SpokenEra } from './json-rpc-client/era-choice.ts';
export type {
  ClientLimits as JsonRpcClientLimits,
  CommandPeer,
  Peer,
  UrlPeer,
} from './json-rpc-client/options.ts';

/** The server that an MCP client speaks to, and its limits. */
export interface JsonRpcClientOptions {
  /** The server to speak to; called when the actor begins to speak. */
  target(): Peer;
  readonly limits?: Partial<ClientLimits> | undefined;
  /**
   * The era of MCP to speak. Default: the era without sessions if the server speaks it, otherwise the one with a
   * handshake.
   */
  readonly era?: SpokenEra | undefined;
}

/** Speaks JSON-RPC to one server: a program over its standard streams, or a URL over HTTP. */
export function createJsonRpcClient({
  target,
  limits: given,
  era = 'both',
}: JsonRpcClientOptions): Transport {
  const limits = { ...defaultLimits, ...given };
  return chosenLate((receive) => {
    const to = target();
    const hasHeaders = 'url' in to;
    const probeMs = hasHeaders ? limits.probeMs : limits.launchedProbeMs;
    return openInEra({ era, probeMs, hasHeaders }, receive, (hear) =>
      'url' in to ? openHttp(to, limits, hear) : openStdio(to, limits, hear),
    );
  });
}
