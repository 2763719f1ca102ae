import type { Transport } from '../engine/ports.ts';
import { chosenLate } from './chosen-late.ts';
import type { UrlTarget } from './json-rpc-client.ts';
import { createSseClient } from './sse-client.ts';
import { createVoiceClient, type Voice } from './voice-client.ts';

/** Requests that are answered by streams, to somebody at a URL or in this process. */
export function createRunClient(target: () => UrlTarget | Voice): Transport {
  return chosenLate(() => {
    const to = target();
    return typeof to === 'function'
      ? createVoiceClient({ voice: () => to })
      : createSseClient({ ...to, url: () => to.url });
  });
}
