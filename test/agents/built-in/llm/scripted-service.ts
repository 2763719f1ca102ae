import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is looked into freely
  readonly body: any;
}

/** One answer of the service: events of a stream, or a refusal. */
export type Reply =
  | { readonly events: readonly unknown[]; readonly cut?: true }
  | { write(response: ServerResponse): unknown }
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> };

export interface ScriptedService {
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

/** A service on loopback that gives the replies in order, and then repeats the last one. */
export async function scriptedService(replies: readonly Reply[]): Promise<ScriptedService> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    asked.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text) });
    give(replies[Math.min(asked.length, replies.length) - 1], response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

function give(reply: Reply | undefined, response: ServerResponse): void {
  if (reply === undefined) response.destroy();
  else if ('write' in reply) reply.write(response);
  else if ('status' in reply) response.writeHead(reply.status, reply.headers ?? {}).end(reply.body ?? '');
  else {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of reply.events)
      response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
    // Written data is read before the connection breaks.
    if (reply.cut) setImmediate(() => response.destroy());
    else response.end();
  }
}

/** The same answer in the form of each API: a text, and calls with their arguments in two pieces. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  /** The reason for the end, in the API's own word. Default: the usual one. */
  readonly ending?: string;
}

export function openAiEvents({ text = '', calls = [], ending }: ScriptedAnswer): readonly unknown[] {
  const half = (args: string): number => Math.floor(args.length / 2);
  return [
    ...[...text].map((content) => ({ choices: [{ delta: { content } }] })),
    ...calls.flatMap(({ id, name, args }, index) => [
      { choices: [{ delta: { tool_calls: [{ index, id, function: { name, arguments: '' } }] } }] },
      ...[args.slice(0, half(args)), args.slice(half(args))].map((part) => ({
        choices: [{ delta: { tool_calls: [{ index, function: { arguments: part } }] } }],
      })),
    ]),
    { choices: [{ delta: {}, finish_reason: ending ?? (calls.length > 0 ? 'tool_calls' : 'stop') }] },
    { choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } },
    '[DONE]',
  ];
}

export function anthropicEvents({ text = '', calls = [], ending }: ScriptedAnswer): readonly unknown[] {
  const half = (args: string): number => Math.floor(args.length / 2);
  return [
    { type: 'message_start', message: { usage: { input_tokens: 11, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...[...text].map((part) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: part },
    })),
    ...calls.flatMap(({ id, name, args }, at) => [
      {
        type: 'content_block_start',
        index: at + 1,
        content_block: { type: 'tool_use', id, name, input: {} },
      },
      ...[args.slice(0, half(args)), args.slice(half(args))].map((partial_json) => ({
        type: 'content_block_delta',
        index: at + 1,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index: at + 1 },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: ending ?? (calls.length > 0 ? 'tool_use' : 'end_turn') },
      usage: { output_tokens: 7 },
    },
    { type: 'message_stop' },
  ];
}
