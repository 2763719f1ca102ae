import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ValueMap } from '../../../src/index.ts';

export interface Recorder {
  readonly url: string;
  readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly body?: ValueMap }[];
  close(): Promise<void>;
}

/** An agent over JSON-RPC that completes every task and keeps the requests. */
export async function openRecorder(card: (url: string) => ValueMap): Promise<Recorder> {
  const requests: { headers: IncomingHttpHeaders; body?: ValueMap }[] = [];
  let url = '';
  const server = createServer(async (request, response) => {
    const { method, headers } = request;
    response.setHeader('content-type', 'application/json');
    if (method === 'GET') {
      requests.push({ headers });
      response.end(JSON.stringify(card(url)));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as ValueMap;
    requests.push({ headers, body });
    const is1 = !String(body.method).includes('/');
    const ids = { id: 't1', contextId: 'c1' };
    const task = is1
      ? { ...ids, status: { state: 'TASK_STATE_COMPLETED' } }
      : { kind: 'task', ...ids, status: { state: 'completed' } };
    const result = body.method === 'SendMessage' ? { task } : task;
    response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    requests,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
