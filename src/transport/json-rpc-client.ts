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

/** Whom an MCP client speaks to, and how much it takes. */
export interface JsonRpcClientOptions {
  /** Whom to speak to; asked for when the actor begins to. */
  target(): Peer;
  readonly limits?: Partial<ClientLimits> | undefined;
  /** The era of MCP to speak in; if left out, the one without sessions where the server speaks it, else with a handshake. */
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
