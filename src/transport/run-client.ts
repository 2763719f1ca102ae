import type { Transport } from '../engine/ports.ts';
import { chosenLate } from './chosen-late.ts';
import type { UrlPeer } from './json-rpc-client.ts';
import { createSseClient } from './sse-client.ts';
import { createVoiceClient, type Voice } from './voice-client.ts';

/** A client for requests that are answered by streams, to an agent at a URL or in this process. */
export function createRunClient(target: () => UrlPeer | Voice): Transport {
  return chosenLate(() => {
    const to = target();
    return typeof to === 'function'
      ? createVoiceClient({ voice: () => to })
      : createSseClient({ ...to, url: () => to.url });
  });
}
