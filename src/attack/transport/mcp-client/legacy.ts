import type { OpenRequests } from './http-request.ts';
import type { Inbox } from './inbox.ts';
import type { ClientLimits } from './mcp-client-options.ts';
import { waitAtMost } from './pause.ts';
import { isEventStream, readStream } from './read-event-stream.ts';

/** The stream of a server of 2024-11-05, which names the URL for messages. */
export interface LegacyStream {
  readonly endpoint: URL;
  readonly ended: Promise<unknown>;
}

interface StreamMeans {
  readonly requests: OpenRequests;
  readonly inbox: Inbox;
  readonly limits: ClientLimits;
}

const endpointMs = 5_000;

/** Opens the stream; undefined when the server has none. */
export async function openLegacy(
  url: URL,
  headers: { readonly [name: string]: string },
  { requests, inbox, limits }: StreamMeans,
): Promise<LegacyStream | undefined> {
  const reply = await requests.send(url, { method: 'GET', headers });
  if (!reply.ok) return undefined;
  const { response } = reply;
  if (!isEventStream(response)) {
    response.resume();
    return undefined;
  }
  let endpoint: URL | undefined;
  let found = (): void => {};
  const isFound = new Promise<void>((resolve) => {
    found = resolve;
  });
  const ended = readStream(response, {
    inbox,
    limits,
    message: (data) => inbox.take(data),
    other(name, data) {
      const place = data.toString('utf8');
      if (name !== 'endpoint' || !URL.canParse(place, url.href)) return false;
      const named = new URL(place, url);
      // Messages, and the tokens that go with them, are not sent to another host.
      if (named.origin !== url.origin) return false;
      endpoint ??= named;
      found();
      return true;
    },
  });
  await waitAtMost(endpointMs, Promise.race([isFound, ended]));
  if (endpoint !== undefined) return { endpoint, ended };
  response.destroy();
  return undefined;
}
