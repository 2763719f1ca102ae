import type { IncomingMessage } from 'node:http';
import { createEventReader } from '../../attack/transport/ag-ui-client/read-events.ts';
import type { LineOutput } from './line-output.ts';

export interface RelayedStreamEnd {
  /** The event id from which the stream can be resumed. */
  readonly lastId: string | undefined;
  readonly retryMs: number | undefined;
  readonly events: number;
}

/** Forwards the messages of an event stream until it ends in any way. */
export function relayStream(
  response: IncomingMessage,
  output: LineOutput,
  longest: number,
  seen: (message: Buffer) => void,
): Promise<RelayedStreamEnd> {
  let events = 0;
  const take = (data: Buffer, name?: string): void => {
    events += 1;
    // Events with another name are not messages.
    if (name !== undefined && name !== 'message') return;
    output.write(data);
    seen(data);
  };
  const reader = createEventReader({ data: take, tooLong: () => response.destroy() }, longest);
  return new Promise((resolve) => {
    response.on('data', (chunk: Buffer) => {
      reader.push(chunk);
      response.pause();
      void output.ready().then(() => response.resume());
    });
    response.on('close', () => {
      const rest = response.complete ? reader.end() : undefined;
      if (rest !== undefined) take(rest);
      const { lastId, retryMs } = reader;
      resolve({ lastId, retryMs, events });
    });
  });
}
