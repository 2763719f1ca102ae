import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Incoming } from '../../../src/attack/engine/actor-messages.ts';
import type { JsonRpcClientLimits, UrlPeer } from '../../../src/attack/transport/mcp-client/mcp-client-transport.ts';
import type { ValueMap } from '../../../src/index.ts';
import { type OpenedClient, openClient, rawOf } from '../../support/json-rpc-peer.ts';

// A server that answers each request as a test wants it to.

type Handler = (
  call: {
    readonly request: IncomingMessage;
    readonly body: string;
    readonly message: ValueMap;
    readonly count: number;
  },
  response: ServerResponse,
) => unknown;

let server: Server | undefined;
let open: OpenedClient | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(0) : server.close(resolve)));
  server = undefined;
});

async function serve(handle: Handler): Promise<string> {
  let count = 0;
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    count += 1;
    const message = body === '' ? {} : (JSON.parse(body) as ValueMap);
    await handle({ request, body, message, count }, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function connect(
  handle: Handler,
  limits: Partial<JsonRpcClientLimits> = {},
  target: Partial<UrlPeer> = {},
): Promise<OpenedClient> {
  open = await openClient({ url: await serve(handle), ...target }, limits);
  return open;
}

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };
const frame = (value: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(value)}\n\n`;
const result = (message: ValueMap, value: unknown = {}) => ({
  jsonrpc: '2.0',
  id: message.id,
  result: value,
});

const answerJson: Handler = ({ message }, response) =>
  message.id === undefined
    ? response.writeHead(202).end()
    : response.writeHead(200, json).end(JSON.stringify(result(message)));

const kinds = ({ received }: OpenedClient) => received.map(({ kind }) => kind);
const malformed = ({ received }: OpenedClient): Extract<Incoming, { kind: 'malformed' }>[] =>
  received.filter((message) => message.kind === 'malformed');

describe('an answer to our MCP client over HTTP', () => {
  test.each<[string, Handler]>([
    ['is accepted as JSON', answerJson],
    [
      'is accepted as an event stream',
      ({ message }, response) => response.writeHead(200, events).end(frame(result(message))),
    ],
    [
      'is accepted as an event stream without its last empty line',
      ({ message }, response) => response.writeHead(200, events).end(`data: ${JSON.stringify(result(message))}`),
    ],
    [
      'is accepted as a batch',
      ({ message }, response) => response.writeHead(200, json).end(JSON.stringify([result(message)])),
    ],
    [
      'is accepted as an HTTP error with a JSON-RPC error under the id null',
      (_call, response) => response.writeHead(400, json).end('{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}'),
    ],
  ])('%s', async (_what, handle) => {
    const client = await connect(handle);
    client.ask('a-1', 'tools/list', {});
    expect((await client.next('answer')).ask).toBe('a-1');
    expect(client.sent).toEqual(['a-1']);
  });
  test.each<[string, Handler, string, number]>([
    [
      'with another content type',
      (_call, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello'),
      'it answered with text/html in place of JSON or an event stream',
      1,
    ],
    [
      'that refuses the call',
      (_call, response) => response.writeHead(403).end('members only'),
      'it answered HTTP 403 Forbidden: members only',
      0,
    ],
    [
      'whose stream ends too early',
      (_call, response) => response.writeHead(200, events).end(frame({ jsonrpc: '2.0', method: 'x' })),
      'its stream ended before the answer came',
      0,
    ],
    [
      'whose stream breaks off',
      (_call, response) => {
        response.writeHead(200, events).write('data: {"half');
        setTimeout(() => response.destroy(), 20);
      },
      'its stream ended before the answer came',
      1,
    ],
    [
      'that is JSON but answers another request',
      (_call, response) => response.writeHead(200, json).end('{"jsonrpc":"2.0","id":"b","result":{}}'),
      'what it sent back is no answer to the request',
      0,
    ],
    [
      'that is broken JSON',
      (_call, response) => response.writeHead(200, json).end('{"jsonrpc'),
      'what it sent back is no answer to the request',
      1,
    ],
    ['with an empty JSON body', (_call, response) => response.writeHead(200, json).end(), 'its answer is empty', 0],
    ['without body and content type', (_call, response) => response.writeHead(204).end(), 'its answer is empty', 0],
    ['that is a closed connection', (_call, response) => response.destroy(), 'the connection was reset by', 0],
    [
      'that is longer than is read',
      (_call, response) => response.writeHead(200, json).end('"x"'.repeat(1_000)),
      'its answer is too long, or broke off',
      1,
    ],
    [
      'with an event that is too long',
      (_call, response) => response.writeHead(200, events).end(`data: ${'x'.repeat(3_000)}\n\n`),
      'its stream has an event of more than 2000 bytes',
      1,
    ],
  ])('%s ends the call with a reason', async (_what, handle, reason, broken) => {
    const client = await connect(handle, { messageBytes: 2_000 });
    client.ask('a-1', 'tools/list', {});
    expect((await client.next('end')).reason).toContain(reason);
    expect(malformed(client)).toHaveLength(broken);
  });
  test('may come over another stream after HTTP 202', async () => {
    const client = await connect(({ request }, response) =>
      request.method === 'GET'
        ? response.writeHead(200, events).write(frame(result({ id: 'a-1' })))
        : response.writeHead(202).end(),
    );
    client.ask('a-1', 'tools/list');
    client.notify('notifications/initialized');
    expect((await client.next('answer')).ask).toBe('a-1');
  });
  test('is not waited for if nothing listens', async () => {
    open = await openClient({ url: 'http://127.0.0.1:9/mcp' });
    open.ask('a-1', 'x');
    expect((await open.next('end')).reason).toBe('nothing listens at 127.0.0.1:9');
    expect(open.sent).toEqual([]);
  });
  test('may come over the stream of another request', async () => {
    let first: ServerResponse | undefined;
    const client = await connect(({ message, count }, response) => {
      response.writeHead(200, events).flushHeaders();
      if (count === 1) first = response;
      else first?.write(frame(result({ id: 'a-2' })) + frame(result({ id: 'a-1' })));
      return message;
    });
    client.ask('a-1', 'x');
    client.ask('a-2', 'x');
    await client.next('answer', ({ ask }) => ask === 'a-1');
    expect(client.received.flatMap((each) => (each.kind === 'answer' ? each.ask : []))).toEqual(['a-2', 'a-1']);
  });
});

describe('the session of our MCP client over HTTP', () => {
  test('has its id and version in every request, a stream of its own, and a DELETE at the end', async () => {
    const seen: string[] = [];
    const client = await connect(({ request, message }, response) => {
      const { 'mcp-session-id': id = '-', 'mcp-protocol-version': version = '-' } = request.headers;
      seen.push(`${request.method} ${message.method ?? ''} ${id} ${version}`);
      if (request.method === 'GET')
        return response.writeHead(200, events).write(frame({ jsonrpc: '2.0', method: 'notifications/hello' }));
      if (message.method === 'initialize')
        return response
          .writeHead(200, { ...json, 'mcp-session-id': 's-1' })
          .end(JSON.stringify(result(message, { protocolVersion: '2025-06-18' })));
      return answerJson({ request, message, body: '', count: 0 }, response);
    });
    client.ask('a-1', 'initialize', {});
    await client.next('answer');
    client.notify('notifications/initialized');
    client.ask('a-2', 'tools/list');
    await client.next('answer', ({ ask }) => ask === 'a-2');
    expect((await client.next('notification')).method).toBe('notifications/hello');
    await client.close();
    expect(seen).toEqual([
      'POST server/discover - 2026-07-28',
      'POST initialize - -',
      'POST notifications/initialized s-1 2025-06-18',
      'GET  s-1 2025-06-18',
      'POST tools/list s-1 2025-06-18',
      'DELETE  s-1 2025-06-18',
    ]);
  });
  test('works with a server that has no stream of its own', async () => {
    const client = await connect(({ request, message, body, count }, response) =>
      request.method === 'GET'
        ? response.writeHead(405).end()
        : answerJson({ request, message, body, count }, response),
    );
    client.ask('a-1', 'initialize', {});
    await client.next('answer');
    client.notify('notifications/initialized');
    client.ask('a-2', 'x');
    await client.next('answer', ({ ask }) => ask === 'a-2');
    expect(kinds(client)).toEqual(['log', 'answer', 'answer']);
    await expect.poll(() => client.transport.isConnected()).toBe(false);
  });
  test('sends messages in order, each after the one before it', async () => {
    const seen: unknown[] = [];
    const client = await connect(async ({ message, request, body, count }, response) => {
      // The first takes its time; a client that does not wait would be overtaken.
      if (message.method === 'notifications/slow') await new Promise((resolve) => setTimeout(resolve, 60));
      seen.push(message.method);
      return answerJson({ message, request, body, count }, response);
    });
    client.notify('notifications/slow');
    client.ask('a-1', 'x');
    client.notify('notifications/last');
    await expect.poll(() => seen).toEqual(['notifications/slow', 'x', 'notifications/last']);
  });
  test('records that a server refused a notification', async () => {
    const client = await connect((_call, response) => response.writeHead(400).end('no'));
    client.notify('notifications/x');
    expect((await client.next('malformed')).reason).toBe(
      'notifications/x was not taken: it answered HTTP 400 Bad Request: no; it does not say what it is',
    );
  });
  test('posts each answer to the server once', async () => {
    const posted: string[] = [];
    const client = await connect(({ body, message }, response) => {
      if (message.method === undefined) posted.push(body);
      if (message.method === undefined) return response.writeHead(202).end();
      return response.writeHead(200, events).write(frame({ jsonrpc: '2.0', id: [1], method: 'ping' }));
    });
    client.ask('a-1', 'x');
    const { exchange } = await client.next('request');
    client.transport.answer(exchange, { kind: 'result', result: {} }, () => {});
    client.transport.answer(exchange, { kind: 'result', result: { twice: true } }, () => {});
    await expect.poll(() => posted).toEqual(['{"jsonrpc":"2.0","id":[1],"result":{}}']);
  });
});

describe('a broken stream of our MCP client over HTTP', () => {
  test('is resumed where it broke', async () => {
    const resumed: unknown[] = [];
    const client = await connect(({ request, message }, response) => {
      if (request.method === 'GET') {
        resumed.push(request.headers['last-event-id']);
        return response.writeHead(200, events).end(frame(result({ id: 'a-1' }), 'e-3'));
      }
      response.writeHead(200, events);
      return response.end(
        `retry: 10\nid: e-1\ndata:\n\n${frame({ jsonrpc: '2.0', method: 'x' }, 'e-2')}id: e-9\n`,
        () => message,
      );
    });
    client.ask('a-1', 'x');
    await client.next('answer');
    expect(resumed).toEqual(['e-2']);
  });
  test('is resumed only as often as allowed', async () => {
    let resumed = 0;
    const client = await connect(
      ({ request }, response) => {
        if (request.method === 'GET') resumed += 1;
        response.writeHead(200, events).end('retry: 5\nid: e-1\ndata:\n\n');
      },
      { resumptions: 3 },
    );
    client.ask('a-1', 'x');
    await client.next('end');
    expect(resumed).toBe(3);
  });
});

describe('redirections and older servers of our MCP client over HTTP', () => {
  test('are followed on the same host, and remembered', async () => {
    const seen: unknown[] = [];
    const client = await connect(({ request, message, body, count }, response) => {
      seen.push(request.url);
      return request.url === '/mcp'
        ? response.writeHead(307, { location: '/mcp/' }).end()
        : answerJson({ request, message, body, count }, response);
    });
    client.ask('a-1', 'x');
    await client.next('answer');
    client.ask('a-2', 'x');
    await client.next('answer', ({ ask }) => ask === 'a-2');
    expect(seen).toEqual(['/mcp', '/mcp/', '/mcp/']);
  });
  test.each<[string, string]>([
    ['to another host', 'http://elsewhere.example/mcp'],
    ['to nowhere', 'http://'],
    ['without end', '/mcp'],
  ])('are not followed %s', async (_what, location) => {
    const client = await connect((_call, response) => response.writeHead(307, { location }).end());
    client.ask('a-1', 'x');
    expect((await client.next('end')).reason).toContain('HTTP 307');
  });

  const older =
    (endpoint: string): Handler =>
    ({ request, message }, response) => {
      if (request.method === 'GET') {
        stream = response;
        return response.writeHead(200, events).write(`event: endpoint\ndata: ${endpoint}\n\n`);
      }
      if (request.url === '/mcp') return response.writeHead(405).end();
      response.writeHead(202).end('Accepted');
      return message.id === undefined ? undefined : stream?.write(frame(result(message)));
    };
  let stream: ServerResponse | undefined;

  test('of 2024-11-05 are spoken to over HTTP+SSE', async () => {
    const client = await connect(older('/messages?session=1'));
    client.ask('a-1', 'initialize', {});
    await client.next('answer');
    client.notify('notifications/initialized');
    client.ask('a-2', 'x');
    await client.next('answer', ({ ask }) => ask === 'a-2');
    expect(client.sent).toEqual(['a-1', 'notifications/initialized', 'a-2']);
    client.ask('a-3', 'x');
    await client.next('answer', ({ ask }) => ask === 'a-3');
    stream?.destroy();
    await client.next('connection', ({ event }) => event === 'closed');
  });
  test('of 2024-11-05 are refused if they point to another host', async () => {
    const client = await connect(older('http://elsewhere.example/messages'));
    client.ask('a-1', 'initialize', {});
    stream?.end();
    await client.next('malformed');
    stream?.end();
    expect((await client.next('end')).reason).toContain('HTTP 405');
  });
  test('lead to HTTP+SSE only from the handshake', async () => {
    const client = await connect(older('/messages'));
    client.ask('a-1', 'tools/list');
    expect((await client.next('end')).reason).toContain('HTTP 405');
  });
});

describe('the headers of our MCP client over HTTP', () => {
  const token = 'secret-token-4711';
  const headers = { Authorization: `Bearer ${token}`, 'X-Plain': 'visible-value' };

  test('go along with every request', async () => {
    const seen: unknown[] = [];
    const client = await connect(
      ({ request, message, body, count }, response) => {
        seen.push([request.headers.authorization, request.headers['x-plain']]);
        return answerJson({ request, message, body, count }, response);
      },
      {},
      { headers },
    );
    client.ask('a-1', 'x');
    await client.next('answer');
    expect(seen).toEqual([[`Bearer ${token}`, 'visible-value']]);
  });
  test('are masked where a server repeats them, whatever their names', async () => {
    const client = await connect(
      ({ request, count }, response) => {
        const words = JSON.stringify(request.headers);
        if (count === 1) return response.writeHead(200, json).end(`{"jsonrpc":"2.0","id":"a-1","result":${words}}`);
        return response.writeHead(401).end(words);
      },
      {},
      { headers },
    );
    client.ask('a-1', 'x');
    await client.next('answer');
    client.ask('a-2', 'x');
    const { reason } = await client.next('end');
    const all = JSON.stringify(client.received) + reason + malformed(client).map(rawOf).join('');
    expect([all.includes(token), all.includes('visible-value')]).toEqual([false, false]);
  });
  test('make the call fail if no request can have them', async () => {
    open = await openClient({ url: await serve(answerJson), headers: { 'x-a': 'line\nbreak' } });
    open.ask('a-1', 'x');
    expect((await open.next('end')).reason).toContain('header');
  });
});

test('close ends whatever our MCP client over HTTP has open', async () => {
  const client = await connect((_call, response) => response.writeHead(200, events).flushHeaders());
  client.ask('a-1', 'x');
  await expect.poll(() => client.sent).toEqual(['a-1']);
  await client.close();
  expect(kinds(client)).toEqual([]);
  await expect.poll(() => client.transport.isConnected()).toBe(false);
});
