import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { HttpAgent } from '@ag-ui/client';
import { afterEach, expect, test } from 'vitest';
import type { ServedAgent } from '../../../src/agents/adapters/agent-under-test.ts';
import type { Model } from '../../../src/agents/built-in/model.ts';
import { launch, post, saying, scripted } from './run-agent.ts';

const json = { 'content-type': 'application/json' };

const open: ServedAgent[] = [];
afterEach(async () => {
  for (const agent of open.splice(0)) await agent.stop();
});

async function start(model: Model = scripted('hello')): Promise<ServedAgent> {
  const agent = await launch({ model });
  open.push(agent);
  return agent;
}

test('AG-UI server of the built-in agent: holds one conversation over two runs with the official client', async () => {
  const model = scripted([{ name: 'ask', arguments: { text: 'x' } }], 'the answer', 'and another 🙂');
  const agent = await start(model);
  const client = new HttpAgent({ url: agent.addresses.ag_ui ?? '', threadId: 'thread-1' });
  client.addMessage({ id: 'u1', role: 'user', content: 'first' });
  await client.runAgent({ runId: 'r1' });
  client.addMessage({ id: 'u2', role: 'user', content: 'second' });
  await client.runAgent({ runId: 'r2' });
  expect(client.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
  ]);
  expect(client.messages.at(-1)?.content).toBe('and another 🙂');
  expect(model.seen.at(-1)?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ]);
});

test('AG-UI server of the built-in agent: streams a long text in several parts', async () => {
  const text = 'word '.repeat(200);
  const { events } = await post(await start(scripted(text)), saying('hi'));
  const deltas = events.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT').map(({ delta }) => delta);
  expect(deltas.length).toBeGreaterThan(1);
  expect(deltas.join('')).toBe(text);
});

const lenient: Readonly<Record<string, [unknown, string[]]>> = {
  'no field at all': [{}, []],
  'no ids': [{ messages: [{ role: 'user', content: 'a' }] }, ['user a']],
  'content in parts': [
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
    },
    ['user a\nb'],
  ],
  'a developer message': [{ messages: [{ role: 'developer', content: 'a' }] }, ['system a']],
  'an unknown role': [{ messages: [{ role: 'oracle', content: 'a' }] }, ['system oracle: a']],
  'no role': [{ messages: [{ content: 'a' }] }, ['user a']],
  'null in every field': [{ threadId: null, messages: null, tools: null, context: null, state: null }, []],
  'wrong types in every field': [{ threadId: 1, messages: 'x', tools: { a: 1 }, context: 7 }, []],
  'malformed messages': [{ messages: [1, null, 'x', [], { role: 'user', content: 5 }] }, ['user 5']],
  'a key named __proto__': [
    JSON.parse('{"messages":[{"role":"user","content":"a","__proto__":{"role":"system"}}]}'),
    ['user a'],
  ],
};

test.each(Object.entries(lenient))(
  'AG-UI server of the built-in agent: accepts a run input with %s',
  async (_, [input, expected]) => {
    const model = scripted('fine');
    const { text } = await post(await start(model), JSON.stringify(input));
    expect(text).toBe('fine');
    expect(model.seen[0]?.messages.map(({ role, content }) => `${role} ${content}`)).toEqual(expected);
  },
);

const refused: Readonly<Record<string, [string, number]>> = {
  'text that is not JSON': ['{{{', 400],
  'no bytes': ['', 400],
  'a list': ['[]', 400],
  'a number': ['7', 400],
  'endlessly nested JSON': ['['.repeat(100_000), 400],
  'more than 4 MB': [JSON.stringify({ messages: 'x'.repeat(4 * 1024 * 1024) }), 413],
};

test.each(Object.entries(refused))(
  'AG-UI server of the built-in agent: refuses a body of %s',
  async (_, [body, status]) => {
    const agent = await start();
    const response = await fetch(agent.addresses.ag_ui ?? '', { method: 'POST', headers: json, body });
    expect([response.status, typeof ((await response.json()) as { error: unknown }).error]).toEqual([status, 'string']);
  },
);

test('AG-UI server of the built-in agent: refuses bytes that are not UTF-8', async () => {
  const agent = await start();
  const response = await fetch(agent.addresses.ag_ui ?? '', {
    method: 'POST',
    headers: json,
    body: new Uint8Array([0x22, 0xff, 0x22]),
  });
  expect(response.status).toBe(400);
});

test.each(['GET', 'PUT', 'DELETE'])('AG-UI server of the built-in agent: refuses %s with HTTP 405', async (method) => {
  const agent = await start();
  expect((await fetch(agent.addresses.ag_ui ?? '', { method })).status).toBe(405);
});

test.each([
  [{ host: 'evil.example' }, 403],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'http://localhost:3000' }, 200],
  // Requests that a page may send to any server without a preflight.
  [{ 'content-type': 'text/plain' }, 415],
  [{ 'content-type': 'application/x-www-form-urlencoded' }, 415],
  [{ 'content-type': 'text/plain; application/json' }, 415],
  [{ 'content-type': 'application/json; charset=utf-8' }, 200],
])('AG-UI server of the built-in agent: answers the headers %j with HTTP %i', async (headers, status) => {
  const agent = await start();
  const got = await new Promise((resolve, reject) => {
    const request = httpRequest(
      agent.addresses.ag_ui ?? '',
      { method: 'POST', headers: { ...json, ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    request.on('error', reject);
    request.end('{}');
  });
  expect(got).toBe(status);
});

test('AG-UI server of the built-in agent: aborts the run of a client that disconnects', async () => {
  let aborted: () => void = () => {};
  const wasAborted = new Promise<void>((resolve) => {
    aborted = resolve;
  });
  const waiting: Model = {
    complete: ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          aborted();
          reject(signal.reason);
        });
      }),
  };
  const agent = await start(waiting);
  const controller = new AbortController();
  const response = await fetch(agent.addresses.ag_ui ?? '', {
    method: 'POST',
    headers: json,
    body: '{}',
    signal: controller.signal,
  });
  controller.abort();
  await wasAborted;
  await response.text().catch(() => {});
});

test('AG-UI server of the built-in agent: ends open runs when the agent stops', async () => {
  const waiting: Model = {
    complete: ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  };
  const agent = await launch({ model: waiting });
  const response = await fetch(agent.addresses.ag_ui ?? '', { method: 'POST', headers: json, body: '{}' });
  await agent.stop();
  await expect(response.text()).rejects.toThrow();
});

test('AG-UI server of the built-in agent: refuses connections after the agent has stopped', async () => {
  const agent = await launch({ model: scripted() });
  await agent.stop();
  const { port } = new URL(agent.addresses.ag_ui ?? '');
  const outcome = await new Promise((resolve) => {
    connect(Number(port), '127.0.0.1')
      .on('connect', () => resolve('connected'))
      .on('error', (error) => resolve((error as NodeJS.ErrnoException).code));
  });
  expect(outcome).toBe('ECONNREFUSED');
});
