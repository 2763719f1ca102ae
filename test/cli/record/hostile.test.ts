import { expect, test } from 'vitest';
import { Recording } from '../../../src/cli/record/recorded-exchange.ts';
import { loadMarked } from '../../../src/format/load-marked.ts';
import type { Value } from '../../../src/format/model/value.ts';
import { nothing, recordPeer, scripted, textOf } from './support.ts';

// Hostile servers are recorded as far as possible, and a message says how far that was.

const opened = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, resources: {}, prompts: {} },
  serverInfo: { name: 'odd' },
};
const server = (lists: (method: string, params: Value | undefined) => Value) =>
  scripted((method, params) => (method === 'initialize' ? opened : lists(method, params)));
let page = 0;
const deep = (levels: number): Value => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

let asked = 0;

const rows: readonly (readonly [what: string, peer: ReturnType<typeof scripted>, told: RegExp])[] = [
  [
    'a list without end',
    server(() => {
      page += 1;
      return {
        tools: [{ name: `t${page}` }],
        resources: [],
        resourceTemplates: [],
        prompts: [],
        nextCursor: `c${page}`,
      };
    }),
    /more than 50 pages/,
  ],
  [
    'a list whose cursor leads back to a page it already sent',
    server(() => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], nextCursor: 'again' })),
    /leads back to a page/,
  ],
  [
    'a huge answer',
    server(() => ({ tools: [{ name: 'a', description: 'x'.repeat(1_000_000) }] })),
    /characters are kept|are kept/,
  ],
  [
    'answers that grow without end',
    server((method, params) => ({
      tools: [{ name: 'a', description: 'x'.repeat(200_000) }],
      resources: [],
      resourceTemplates: [],
      prompts: [],
      nextCursor: `${method}${JSON.stringify(params ?? 0).length}`,
    })),
    /not listened to any more|leads back/,
  ],
  [
    'an answer nested a hundred levels deep',
    server(() => ({ tools: [{ name: 'a', inputSchema: deep(100) }] })),
    /nested too deeply/,
  ],
  ['an array in place of every list', server(() => ['tools', 7, null]), /has no list of tools/],
  [
    'lists whose items are not objects',
    server(() => ({ tools: [1, null, 'a', { name: {} }], resources: 5, resourceTemplates: [], prompts: [] })),
    /has no list of resources/,
  ],
];

test.each(rows)(
  'recordPeer says what it left out, and writes a valid document, of a server with %s',
  async (_, peer, reported) => {
    const recorded = await recordPeer(peer, 'mcp', { ...nothing, reads: true });
    expect(recorded.leftOut.join('\n')).toMatch(reported);
    expect(loadMarked(textOf(recorded)).ok).toBe(true);
  },
);

test('recordPeer fails if the server never introduces itself', async () => {
  const silent = scripted(() => ({ kind: 'silent', reason: 'it has ended' }));
  expect((await recordPeer(silent, 'mcp', nothing)).failure).toMatch(/did not introduce itself: it has ended/);
});

test('recordPeer covers secrets in descriptions, arguments and answers', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const recorded = await recordPeer(
    server((method) =>
      method === 'tools/call'
        ? {
            content: [{ type: 'text', text: `token ${secret}` }],
            structuredContent: { password: 'hunter2hunter2' },
          }
        : {
            tools: [{ name: 'leak', description: `use ${secret}` }],
            resources: [],
            resourceTemplates: [],
            prompts: [],
          },
    ),
    'mcp',
    { ...nothing, calls: [{ name: 'leak', arguments: { key: secret } }] },
  );
  expect(textOf(recorded)).not.toContain(secret);
  expect(textOf(recorded)).toContain('name: leak');
});

test.each([
  ['differently', (): string => `answer ${++asked}`, [/^tools\/call of odd was answered differently/]],
  ['in the same way', (): string => 'always this', []],
] as const)(
  'recordPeer reports only a contradiction, of a server that is asked twice and answers %s',
  async (_, answer, reported) => {
    const peer = server(
      (method): Value =>
        method === 'tools/call'
          ? { content: [{ type: 'text', text: answer() }] }
          : { tools: [{ name: 'odd' }], resources: [], resourceTemplates: [], prompts: [] },
    );
    const call = { name: 'odd', arguments: { a: 1 } };
    const { leftOut } = await recordPeer(peer, 'mcp', { ...nothing, calls: [call, call] });
    expect(leftOut).toEqual(reported.map((words) => expect.stringMatching(words)));
  },
);

test('recordPeer reports arguments that no condition can tell apart', async () => {
  const peer = server((method) =>
    method === 'tools/call'
      ? { content: [] }
      : { tools: [{ name: 'odd' }], resources: [], resourceTemplates: [], prompts: [] },
  );
  const calls = [1, 2].map((value) => ({ name: 'odd', arguments: { 'a b': value } }));
  const { leftOut } = await recordPeer(peer, 'mcp', { ...nothing, calls });
  expect(leftOut.join()).toMatch(/answers of odd to arguments that no condition tells apart/);
});

test('Recording treats two messages as the same if only their ids differ', () => {
  const recording = new Recording();
  for (const messageId of ['m1', 'm2']) {
    const params = { message: { messageId, parts: [{ kind: 'text', text: 'hello' }] } };
    recording.add({ method: 'message/send', params, result: { kind: 'message', messageId } });
  }
  expect(recording.exchanges).toHaveLength(1);
  expect([...recording.leftOut].join()).toMatch(/message\/send was answered differently/);
});

test('recordPeer escapes braces in what a server says, so that they are no templates', async () => {
  const recorded = await recordPeer(
    scripted((method) =>
      method === 'initialize'
        ? { ...opened, serverInfo: { name: 'odd {{x}}' } }
        : {
            tools: [{ name: 'a', description: 'fill in {{name}}' }],
            resources: [],
            resourceTemplates: [],
            prompts: [],
          },
    ),
    'mcp',
    nothing,
  );
  const loaded = loadMarked(textOf(recorded));
  expect(loaded.ok && loaded.document.attack.name).toBe('odd {{x}}, recorded');
  expect(loaded.ok && loaded.warnings).toEqual([]);
});
