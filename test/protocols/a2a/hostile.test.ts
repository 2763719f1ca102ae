import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { A2aAgents } from '../../../src/agents/built-in/a2a-agents.ts';
import type { Incoming } from '../../../src/attack/engine/actor-messages.ts';
import { createA2aClient } from '../../../src/attack/transport/a2a/a2a-client.ts';
import type { A2aClientLimits } from '../../../src/attack/transport/a2a/client/call.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import { eventually } from '../../support/http-peer.ts';
import { rpc, userMessage } from './support.ts';

// Hostile peers: what they send is bounded, and addresses that they name are not followed.

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(handler: Handler): Promise<string> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Serves a card, and answers everything else with `handler`. */
const withCard =
  (card: ValueMap, handler: Handler): Handler =>
  (request, response) => {
    if (request.method === 'GET')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card));
    else handler(request, response);
  };

async function ask(
  url: string,
  method: string,
  limits: Partial<A2aClientLimits> = {},
): Promise<{ readonly received: Incoming[]; readonly last: Incoming | undefined }> {
  const received: Incoming[] = [];
  const client = createA2aClient({ target: () => ({ url }), limits });
  await client.open((message) => received.push(message));
  client.ask('every session', 'a-1', method, { message: userMessage('hello') }, () => {});
  await eventually(() => received.some(({ kind }) => kind === 'end' || kind === 'answer')).toBe(true);
  await client.close();
  return { received, last: received.at(-1) };
}

const events: Record<string, string> = { 'content-type': 'text/event-stream' };

/** Writes as fast as the peer reads, until it leaves. */
function pour(response: ServerResponse, chunk: string): void {
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', write);
  };
  response.on('error', () => {});
  write();
}

const item = (result: Value): string => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 'a-1', result })}\n\n`;

describe('A2A client against a hostile server', () => {
  test.each<[string, string, Handler, Partial<A2aClientLimits>, RegExp]>([
    [
      'an endless stream of items',
      'message/stream',
      (_, response) => pour(response.writeHead(200, events), item({ kind: 'status-update' })),
      { streamItems: 500 },
      /more than 500 items/,
    ],
    [
      'an endless stream of bytes',
      'message/stream',
      (_, response) => pour(response.writeHead(200, events), `: ${'x'.repeat(10_000)}\n`),
      { streamBytes: 1_000_000 },
      /longer than 1000000 bytes/,
    ],
    [
      'an endless event',
      'message/stream',
      (_, response) => pour(response.writeHead(200, events), 'data: xxxxxxxxxxxxxxxxxxxxxxxxxxxx'),
      {},
      /an event of more than/,
    ],
    [
      'an endless body',
      'message/send',
      (_, response) => pour(response.writeHead(200, { 'content-type': 'application/json' }), ' '.repeat(9_999)),
      {},
      /larger than 16777216 bytes/,
    ],
    [
      'a stream that stalls',
      'message/stream',
      (_, response) => void response.writeHead(200, events).write(item({ kind: 'task' })),
      { silenceMs: 200 },
      /nothing came for 0.2 s/,
    ],
    ['a missing answer', 'message/send', () => {}, { silenceMs: 200 }, /nothing came for 0.2 s/],
    [
      'a stream that disconnects',
      'message/stream',
      (_, response) => {
        response.writeHead(200, events).write(item({ kind: 'task' }));
        setTimeout(() => response.destroy(), 20);
      },
      {},
      /broke off|reset/,
    ],
    [
      'a redirect to itself',
      'message/send',
      (_, response) => void response.writeHead(307, { location: '/' }).end(),
      {},
      /HTTP 307/,
    ],
    ['a body that is not JSON', 'message/send', (_, response) => void response.end('<html>'), {}, /cannot be read/],
    [
      'deeply nested JSON',
      'message/send',
      (_, response) => void response.end('['.repeat(100_000)),
      {},
      /cannot be read/,
    ],
  ])('ends the request with a reason on %s', async (_, method, handler, limits, reason) => {
    const url = await serve((request, response) => {
      if (request.method === 'GET') response.writeHead(404).end();
      else handler(request, response);
    });
    const { last } = await ask(url, method, limits);
    expect(last).toMatchObject({ kind: 'end', reason: expect.stringMatching(reason) });
  });

  test('ends the request on an artifact of 50 MB', async () => {
    const url = await serve((request, response) => {
      if (request.method === 'GET') response.writeHead(404).end();
      else {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.on('error', () => {});
        response.end(`{"jsonrpc":"2.0","id":"a-1","result":"${'x'.repeat(50 * 1024 * 1024)}"}`);
      }
    });
    expect((await ask(url, 'message/send')).last).toMatchObject({ kind: 'end' });
  });

  test.each([
    'http://169.254.169.254/a2a',
    'https://agent.example/a2a',
    'agent.example:443',
    'file:///etc/passwd',
    'http://127.0.0.1.agent.example/',
  ])('does not follow a card that points to %s, and warns with O-124', async (elsewhere) => {
    let asked = 0;
    const url = await serve(
      withCard({ url: elsewhere, preferredTransport: 'GRPC' }, (_, response) => {
        asked += 1;
        response.end('{"jsonrpc":"2.0","id":"a-1","result":{}}');
      }),
    );
    const { received, last } = await ask(url, 'message/send');
    expect([asked, last?.kind]).toEqual([1, 'answer']);
    expect(received[0]).toMatchObject({ kind: 'warning', code: 'O-124' });
  });
});

describe('built-in agent against a hostile A2A agent', () => {
  const signal = new AbortController().signal;
  const card = { name: 'Bad', description: 'Bad', capabilities: {}, skills: [] };

  async function asked(handler: Handler, fields: ValueMap = {}): Promise<{ content: string; isError: boolean }> {
    const url = await serve(withCard({ ...card, ...fields }, handler));
    const cardUrl = `${url}.well-known/agent-card.json`;
    const agents = new A2aAgents([cardUrl], 1_000);
    await agents.survey(signal);
    const outcome = await agents.ask(cardUrl, { message: 'hello' }, signal);
    await agents.close();
    return outcome;
  }

  test.each<[string, Handler, ValueMap]>([
    ['never answers', () => {}, {}],
    ['redirects without end', (_, response) => void response.writeHead(307, { location: '/' }).end(), {}],
    ['redirects away', (_, response) => void response.writeHead(307, { location: 'http://10.0.0.1/' }).end(), {}],
    [
      'never stops streaming',
      (_, response) => pour(response.writeHead(200, events), item('x'.repeat(1_000))),
      { capabilities: { streaming: true } },
    ],
    [
      'answers with 50 MB',
      (_, response) => {
        response.on('error', () => {});
        response.end(`{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(50 * 1024 * 1024)}"}`);
      },
      {},
    ],
    ['speaks garbage', (_, response) => void response.end('no json'), {}],
  ])('gives the model an error when the remote agent %s', async (_, handler, fields) => {
    expect(await asked(handler, fields)).toMatchObject({ isError: true });
  });

  test('talks to the address the card came from when the card points elsewhere', async () => {
    const { content, isError } = await asked(
      (request, response) => {
        let body = '';
        request.on('data', (chunk) => {
          body += chunk;
        });
        request.on('end', () => {
          const { id } = JSON.parse(body);
          const result = {
            kind: 'message',
            role: 'agent',
            messageId: 'm',
            parts: [{ kind: 'text', text: 'here' }],
          };
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        });
      },
      { url: 'http://169.254.169.254/' },
    );
    expect([content, isError]).toEqual(['here', false]);
  });

  test('does not fetch a card from another host', async () => {
    const agents = new A2aAgents(['https://agent.example/.well-known/agent-card.json'], 1_000);
    expect(await agents.survey(signal)).toMatchObject([{ failure: 'could not be reached' }]);
    await agents.close();
  });
});

test('A2A server: refuses a request from a web page with 403', async () => {
  const { playServer } = await import('./support.ts');
  const played = await playServer({ state: {} });
  const response = await fetch(played.url, {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
    body: '{}',
  });
  expect(response.status).toBe(403);
  expect(await rpc(played.url, 'tasks/list', {})).toMatchObject({ result: { tasks: [] } });
  await played.stop();
});
