import type { Transport } from '../engine/ports.ts';
import { createAgUiClient } from './ag-ui-client/ag-ui-client.ts';
import { createDeferredTransport } from './deferred-transport.ts';
import { createInProcessClient, type InProcessAgent } from './in-process-client.ts';
import type { UrlPeer } from './mcp-client/mcp-client-transport.ts';

/** A client for requests that are answered by streams, to an agent at a URL or in this process. */
export function createRunClient(target: () => UrlPeer | InProcessAgent): Transport {
  return createDeferredTransport(() => {
    const to = target();
    return typeof to === 'function'
      ? createInProcessClient({ voice: () => to })
      : createAgUiClient({ ...to, url: () => to.url });
  });
}
