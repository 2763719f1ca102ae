import type { IncomingMessage } from 'node:http';
import { createEventReader } from '../sse-client/read-events.ts';
import type { Inbox } from './inbox.ts';
import type { ClientLimits } from './options.ts';

export interface StreamEnd {
  readonly events: number;
  /** Where it can be gone on with. */
  readonly lastId: string | undefined;
  readonly retryMs: number | undefined;
  /** Why it must not be gone on with. */
  readonly fault?: string;
}

export interface StreamSink {
  readonly inbox: Inbox;
  readonly limits: ClientLimits;
  message(data: Buffer): void;
  /** Takes an event that is no message; says whether it could. */
  other?(name: string, data: Buffer): boolean;
}

/** Reads events until their stream ends, however it does. */
export function readStream(response: IncomingMessage, sink: StreamSink): Promise<StreamEnd> {
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
    else if (sink.other?.(name, data) !== true)
      inbox.malformed(data, `an event named ${JSON.stringify(name)}`);
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
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.streamBytes) stop(`its stream is longer than ${limits.streamBytes} bytes`);
      else reader.push(chunk);
    });
    response.on('close', () => {
      const rest = fault === undefined ? reader.end() : undefined;
      // Servers that leave out the last empty line mean their last event all the same.
      if (rest !== undefined && response.complete) take(rest, undefined);
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
