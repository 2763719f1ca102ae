import type { IncomingMessage } from 'node:http';
import { createEventReader } from '../ag-ui-client/read-events.ts';
import { readResponse } from '../read-response.ts';
import type { OpenRequests } from './http-request.ts';
import type { Inbox } from './inbox.ts';
import type { ClientLimits } from './mcp-client-options.ts';
import { waitAtMost } from './pause.ts';

export interface EventStreamEnd {
  readonly events: number;
  /** The id of the event after which the stream can be resumed. */
  readonly lastId: string | undefined;
  readonly retryMs: number | undefined;
  /** The reason why the stream must not be resumed. */
  readonly fault?: string;
}

export interface StreamSink {
  readonly inbox: Inbox;
  readonly limits: ClientLimits;
  message(data: Buffer): void;
  /** Handles an event that is not a message, and tells whether it could. */
  other?(name: string, data: Buffer): boolean;
}

/** Reads events until their stream ends, in whichever way. */
export function readStream(response: IncomingMessage, sink: StreamSink): Promise<EventStreamEnd> {
  const { inbox, limits } = sink;
  let bytes = 0;
  let events = 0;
  let fault: string | undefined;
  const stop = (reason: string): void => {
    fault ??= reason;
    response.destroy();
  };
  const take = (data: Buffer, name: string | undefined): void => {
    events += 1;
    if (name === undefined || name === 'message') sink.message(data);
    else if (sink.other?.(name, data) !== true) inbox.malformed(data, `an event named ${JSON.stringify(name)}`);
  };
  const reader = createEventReader(
    {
      data: take,
      tooLong(raw) {
        inbox.malformed(raw, `an event of more than ${limits.messageBytes} bytes`, undefined, {
          end: 'too large',
        });
        stop(`its stream has an event of more than ${limits.messageBytes} bytes`);
      },
    },
    limits.messageBytes,
  );
  return new Promise((resolve) => {
    const takeChunk = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limits.streamBytes) stop(`its stream is longer than ${limits.streamBytes} bytes`);
      else reader.push(chunk);
    };
    readResponse(response, takeChunk, (isComplete) => {
      const rest = fault === undefined ? reader.end() : undefined;
      // A server that leaves out the last empty line still means its last event to count.
      if (rest !== undefined && isComplete) take(rest, undefined);
      else if (rest !== undefined)
        inbox.malformed(rest, 'the stream broke off within this event', undefined, { end: 'cut off' });
      const { lastId, retryMs } = reader;
      resolve({ events, lastId, retryMs, ...(fault !== undefined && { fault }) });
    });
  });
}

export function isEventStream({ statusCode = 0, headers }: IncomingMessage): boolean {
  const type = headers['content-type'] ?? '';
  return statusCode >= 200 && statusCode < 300 && /^text\/event-stream\b/i.test(type);
}

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
