import type { Transport } from '../../engine/ports.ts';
import { createDeferredTransport } from '../deferred-transport.ts';
import { openInEra } from './mcp-2026-client.ts';
import { type ClientLimits, defaultMcpClientLimits, type McpPeer } from './mcp-client-options.ts';
import { openHttp } from './mcp-http-client.ts';
import { openStdio } from './mcp-stdio-client.ts';
import type { SpokenEra } from './opening.ts';

export type {
  ClientLimits as JsonRpcClientLimits,
  CommandPeer,
  McpPeer,
  UrlPeer,
} from './mcp-client-options.ts';
export type { SpokenEra } from './opening.ts';

/** The server that an MCP client speaks to, and its limits. */
export interface McpClientOptions {
  /** The server to speak to; called when the actor begins to speak. */
  target(): McpPeer;
  readonly limits?: Partial<ClientLimits> | undefined;
  /**
   * The era of MCP to speak. Default: the era without sessions if the server speaks it, otherwise the one with a
   * handshake.
   */
  readonly era?: SpokenEra | undefined;
  /** Whether the document writes the version of the handshake, and so its era. */
  readonly isVersionWritten?: boolean | undefined;
}

/** Speaks JSON-RPC to one server: a program over its standard streams, or a URL over HTTP. */
export function createMcpClient({
  target,
  limits: given,
  era = 'both',
  isVersionWritten = false,
}: McpClientOptions): Transport {
  const limits = { ...defaultMcpClientLimits, ...given };
  return createDeferredTransport((receive) => {
    const to = target();
    const hasHeaders = 'url' in to;
    const probeMs = hasHeaders ? limits.probeMs : limits.launchedProbeMs;
    return openInEra({ era, probeMs, hasHeaders, isVersionWritten }, receive, (hear) =>
      'url' in to ? openHttp(to, limits, hear) : openStdio(to, limits, hear),
    );
  });
}
