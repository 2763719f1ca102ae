import { describe, expect, test } from 'vitest';
import type { MarkerRecord } from '../../../src/index.ts';
import { documentWith } from '../../support/records.ts';
import { playVirtually, type VirtualRun } from '../../support/virtual-run.ts';

// `x-wire` without bytes: which rule applies to a message, when the message is sent, and what the record says.

const tools = [{ name: 'search', responses: [{ content: { content: [{ type: 'text', text: 'found' }] } }] }];
const search = { name: 'search', arguments: { query: 'tea' } };
const found = { content: [{ type: 'text', text: 'found' }] };

const play = (rules: unknown, ...more: object[]): Promise<VirtualRun> =>
  playVirtually(
    documentWith({
      execution: {
        mode: 'mcp_server',
        phases: [{ state: { tools }, 'x-wire': rules, ...more[0] }, ...more.slice(1)],
      },
    }),
  );

const answersOf = ({ peer }: VirtualRun) =>
  peer().sent.flatMap(({ kind, content }) => (kind === 'answer' ? [content] : []));
const responses = (virtual: VirtualRun) => virtual.messages().filter(({ kind }) => kind === 'response');
const wires = ({ records }: VirtualRun) => records.filter((each): each is MarkerRecord => each.kind === 'wire');

test('x-wire applies in the single-phase form', async () => {
  const execution = { mode: 'mcp_server', state: { tools }, 'x-wire': [{ on: 'tools/call', drop: true }] };
  const virtual = await playVirtually(documentWith({ execution }));
  expect(virtual.peer().request('tools/call', search)).toBeUndefined();
});

describe('an answer delayed by x-wire', () => {
  test('is sent and recorded when its time has come', async () => {
    const virtual = await play([{ on: 'tools/call', delay: '5s' }]);
    virtual.peer().request('tools/call', search);
    virtual.clock.advance(4_999);
    expect([answersOf(virtual), responses(virtual)]).toEqual([[], []]);
    virtual.clock.advance(1);
    expect(answersOf(virtual)).toEqual([found]);
    expect(responses(virtual)).toMatchObject([
      {
        timestamp: '1970-01-01T00:00:05.000Z',
        pieces: ['/phases/0/state/tools/0/responses/0', '/phases/0/x-wire/0'],
        sent: { rule: '/phases/0/x-wire/0', did: ['delay'] },
      },
    ]);
  });

  test('is recorded as waiting from its beginning', async () => {
    const virtual = await play([{ on: 'tools/call', delay: '5s' }]);
    virtual.peer().request('tools/call', search);
    expect(wires(virtual)).toMatchObject([{ did: ['wait'], delay_ms: 5_000, pieces: ['/phases/0/x-wire/0'] }]);
  });

  test('has the same random delay for the same seed', async () => {
    const delays = async () => {
      const virtual = await play([{ on: 'tools/call', delay: { from: '1s', to: '9s' } }]);
      for (let call = 0; call < 3; call += 1) virtual.peer().request('tools/call', search);
      return wires(virtual).map(({ delay_ms }) => Number(delay_ms));
    };
    const [first, second] = [await delays(), await delays()];
    expect(first).toEqual(second);
    expect(new Set(first).size).toBe(3);
    expect(first.every((ms) => ms >= 1_000 && ms <= 9_000)).toBe(true);
  });
});

describe('an answer dropped by x-wire', () => {
  test('is not sent but recorded as dropped', async () => {
    const virtual = await play([{ on: 'tools/call', drop: true }]);
    expect(virtual.peer().request('tools/call', search)).toBeUndefined();
    expect(responses(virtual)).toEqual([]);
    expect(wires(virtual)).toMatchObject([{ did: ['drop'], method: 'tools/call', pieces: ['/phases/0/x-wire/0'] }]);
  });
});

test.each([
  ['that is dropped', { drop: true }, 0, ['drop']],
  ['that is delayed', { delay: '1s' }, 1, []],
])('x-wire applies to a notification %s', async (_, rule, sent, reported) => {
  const on = 'notifications/message';
  const virtual = await play(
    [],
    { trigger: { event: 'tools/call' } },
    { on_enter: [{ send: { method: on, params: { data: 'hello' } } }], 'x-wire': [{ on, ...rule }] },
  );
  virtual.peer().request('tools/call', search);
  virtual.clock.advance(1_000);
  expect(virtual.peer().sent.filter(({ kind }) => kind === 'notify')).toHaveLength(sent);
  expect(virtual.messages().filter(({ kind }) => kind === 'notification')).toHaveLength(sent);
  expect(wires(virtual).flatMap(({ did }) => did ?? [])).toEqual(reported);
});

describe('the choice of an x-wire rule', () => {
  const error = (message: string) => ({ code: -32000, message });
  const asked = async (rules: unknown, ...queries: string[]) => {
    const virtual = await play(rules);
    return queries.map((query) => virtual.peer().request('tools/call', { name: 'search', arguments: { query } }));
  };

  test('takes the first rule that fits', async () => {
    const rules = [
      { on: 'tools/list', error: error('list') },
      { on: 'tools/call', when: { 'arguments.query': 'tea' }, error: error('tea') },
      { on: '*', error: error('any') },
    ];
    expect(await asked(rules, 'tea', 'milk')).toEqual([error('tea'), error('any')]);
  });

  test('applies a rule with nth only to that message', async () => {
    expect(await asked([{ on: 'tools/call', nth: 2, error: error('no') }], 'a', 'b', 'c')).toEqual([
      found,
      error('no'),
      found,
    ]);
  });

  test('applies a rule with times only to the first messages', async () => {
    expect(await asked([{ on: 'tools/call', times: 2, error: error('no') }], 'a', 'b', 'c')).toEqual([
      error('no'),
      error('no'),
      found,
    ]);
  });

  test('inherits rules as it does state, until an empty list', async () => {
    const ends = { trigger: { event: 'tools/call' } };
    const virtual = await play(
      [{ on: 'tools/call', error: error('no') }],
      ends,
      { name: 'b', ...ends },
      {
        name: 'c',
        'x-wire': [],
      },
    );
    const answers = [1, 2, 3].map(() => virtual.peer().request('tools/call', search));
    expect(answers).toEqual([error('no'), error('no'), found]);
  });

  test('reports a rule that was never applied as O-117', async () => {
    const virtual = await play([
      { on: 'tools/call', error: error('no') },
      { on: 'tools/call', delay: '1s' },
    ]);
    virtual.peer().request('tools/call', search);
    virtual.run.stop();
    const { diagnostics } = await virtual.run.ended;
    expect(diagnostics).toMatchObject([{ code: 'O-117', message: expect.stringContaining('/phases/0/x-wire/1') }]);
  });
});

test('x-wire replaces a result with an error whose templates are filled in', async () => {
  const error = { code: -32001, message: 'no {{request.arguments.query}} here', data: { retry: true } };
  const virtual = await play([{ on: 'tools/call', error }]);
  expect(virtual.peer().request('tools/call', search)).toEqual({ ...error, message: 'no tea here' });
  expect(responses(virtual)).toMatchObject([{ failed: true, pieces: ['/phases/0/x-wire/0'] }]);
});

test('x-wire holds an answer until another has gone out', async () => {
  const virtual = await play([{ on: 'tools/call', nth: 1, hold: 'next' }]);
  virtual.peer().request('tools/call', search);
  expect(answersOf(virtual)).toEqual([]);
  virtual.peer().request('tools/list');
  expect(virtual.peer().sent.map(({ target }) => target)).toEqual(['x2', 'x1']);
});

test('x-wire holds an answer until the client has cancelled the request', async () => {
  const virtual = await play([{ on: 'tools/call', hold: 'cancelled' }]);
  virtual.peer().request('tools/call', search);
  virtual.peer().notification('notifications/cancelled', { requestId: 7 });
  expect(answersOf(virtual)).toEqual([]);
  virtual.peer().notification('notifications/cancelled', { requestId: 1 });
  expect(answersOf(virtual)).toEqual([found]);
});

test('x-wire sends a flood of notifications before the answer, at its rate', async () => {
  const flood = {
    method: 'notifications/message',
    params: { level: 'info', data: 'x' },
    count: 3,
    every: '1s',
  };
  const virtual = await play([{ on: 'tools/call', flood }]);
  virtual.peer().request('tools/call', search);
  const kinds = () => virtual.peer().sent.map(({ kind }) => kind);
  expect(kinds()).toEqual(['notify']);
  virtual.clock.advance(2_000);
  expect(kinds()).toEqual(['notify', 'notify', 'notify', 'answer']);
  expect(virtual.messages().filter(({ kind }) => kind === 'notification')).toHaveLength(3);
});

test('x-wire adds pages to a list without end or up to a limit', async () => {
  const virtual = await play([{ on: 'tools/list', pages: true }]);
  const list = (cursor?: string) => virtual.peer().request('tools/list', cursor === undefined ? {} : { cursor });
  expect(list()).toMatchObject({ nextCursor: 'page-2' });
  expect(list('page-41')).toMatchObject({ nextCursor: 'page-42' });
  const two = await play([{ on: 'tools/list', pages: 2 }]);
  expect(two.peer().request('tools/list', { cursor: 'page-2' })).not.toHaveProperty('nextCursor');
});

test.each<readonly [string, object]>([
  ['a delay from more to less', { delay: { from: '9s', to: '1s' } }],
  ['a delay of zero', { delay: '0s' }],
  ['a header that HTTP cannot carry', { http: { headers: { 'a b': 'c' } } }],
  ['an empty action', { bytes: {} }],
  ['an empty corruption', { bytes: { corrupt: { at: 0, with: '' } } }],
  ['the id of a previous answer that does not exist', { id: { of: 'previous' } }],
  ['an id of the type that it has', { id: { as: 'number' } }],
  ['pages of what is not a list', { pages: true }],
  ['an empty flood', { flood: { method: 'notifications/message', count: 0 } }],
  ['one repeat', { repeat: 1 }],
  ['an unknown action', { dealy: '1s' }],
])('x-wire skips %s and sends the answer as if there was no rule', async (_, rule) => {
  const virtual = await play([{ on: 'tools/call', ...rule }]);
  expect(virtual.peer().request('tools/call', search)).toEqual(found);
  const [response] = responses(virtual);
  expect(response).toMatchObject({
    pieces: ['/phases/0/state/tools/0/responses/0'],
    sent: { did: [] },
  });
  expect(response?.sent).not.toHaveProperty('harm');
});

test('x-wire reports actions that the transport does not know as O-116 and as undelivered', async () => {
  const virtual = await play([{ on: 'tools/call', http: { status: 503 } }]);
  virtual.peer().request('tools/call', search);
  expect(responses(virtual)).toMatchObject([{ sent: { did: [] } }]);
  virtual.run.stop();
  const { diagnostics } = await virtual.run.ended;
  expect(diagnostics).toMatchObject([{ code: 'O-116' }]);
});

describe('x-wire of an MCP client', () => {
  const calling = (...rules: object[]) =>
    playVirtually(
      documentWith({
        execution: {
          mode: 'mcp_client',
          phases: [
            {
              state: {
                actions: [
                  { method: 'tools/call', params: search },
                  { method: 'notifications/cancelled', params: { requestId: '{{slow}}' } },
                ],
              },
              'x-wire': rules,
            },
          ],
        },
      }),
    );
  const said = (virtual: VirtualRun) => {
    virtual.peer().reply('default-1', { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} });
    return virtual
      .peer()
      .sent.slice(1)
      .filter(({ method }) => method !== 'notifications/initialized')
      .map(({ method, ask, content }) => [method, ask ?? content]);
  };

  test('names a request, does not wait for its answer and cancels it by name', async () => {
    const virtual = await calling({ on: 'tools/call', as: 'slow', together: true });
    expect(said(virtual)).toEqual([
      ['tools/call', 'default-2'],
      ['notifications/cancelled', { requestId: 'default-2' }],
    ]);
  });

  test('sends a request several times at once with different ids', async () => {
    const virtual = await calling({ on: 'tools/call', repeat: 3 });
    expect(said(virtual).map(([, ask]) => ask)).toEqual(['default-2', 'default-3', 'default-4']);
  });
});
