import { describe, expect, test } from 'vitest';
import type { MarkerRecord } from '../../src/index.ts';
import { documentWith } from '../support/records.ts';
import { playVirtually, type VirtualRun } from '../support/virtual-run.ts';

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
const wires = ({ records }: VirtualRun) =>
  records.filter((each): each is MarkerRecord => each.kind === 'wire');

test('in the single-phase form the rules stand beside the state', async () => {
  const execution = { mode: 'mcp_server', state: { tools }, 'x-wire': [{ on: 'tools/call', drop: true }] };
  const virtual = await playVirtually(documentWith({ execution }));
  expect(virtual.peer().request('tools/call', search)).toBeUndefined();
});

describe('a delayed answer', () => {
  test('goes out when its time has come, and is recorded then', async () => {
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

  test('shows from its beginning that the agent is kept waiting', async () => {
    const virtual = await play([{ on: 'tools/call', delay: '5s' }]);
    virtual.peer().request('tools/call', search);
    expect(wires(virtual)).toMatchObject([
      { did: ['wait'], delay_ms: 5_000, pieces: ['/phases/0/x-wire/0'] },
    ]);
  });

  test('between two values is the same for the same seed', async () => {
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

describe('a dropped answer', () => {
  test('is not sent and delivers nothing; that it was dropped is recorded', async () => {
    const virtual = await play([{ on: 'tools/call', drop: true }]);
    expect(virtual.peer().request('tools/call', search)).toBeUndefined();
    expect(responses(virtual)).toEqual([]);
    expect(wires(virtual)).toMatchObject([
      { did: ['drop'], method: 'tools/call', pieces: ['/phases/0/x-wire/0'] },
    ]);
  });
});

test.each([
  ['that is dropped', { drop: true }, 0, ['drop']],
  ['that is delayed', { delay: '1s' }, 1, []],
])('a notification %s', async (_, rule, sent, told) => {
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
  expect(wires(virtual).flatMap(({ did }) => did ?? [])).toEqual(told);
});

describe('which rule is for a message', () => {
  const error = (message: string) => ({ code: -32000, message });
  const asked = async (rules: unknown, ...queries: string[]) => {
    const virtual = await play(rules);
    return queries.map((query) =>
      virtual.peer().request('tools/call', { name: 'search', arguments: { query } }),
    );
  };

  test('the first that fits', async () => {
    const rules = [
      { on: 'tools/list', error: error('list') },
      { on: 'tools/call', when: { 'arguments.query': 'tea' }, error: error('tea') },
      { on: '*', error: error('any') },
    ];
    expect(await asked(rules, 'tea', 'milk')).toEqual([error('tea'), error('any')]);
  });

  test('only the nth', async () => {
    expect(await asked([{ on: 'tools/call', nth: 2, error: error('no') }], 'a', 'b', 'c')).toEqual([
      found,
      error('no'),
      found,
    ]);
  });

  test('only the first few', async () => {
    expect(await asked([{ on: 'tools/call', times: 2, error: error('no') }], 'a', 'b', 'c')).toEqual([
      error('no'),
      error('no'),
      found,
    ]);
  });

  test('rules are inherited as state is, and an empty list ends them', async () => {
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

  test('a rule that was never applied is reported', async () => {
    const virtual = await play([
      { on: 'tools/call', error: error('no') },
      { on: 'tools/call', delay: '1s' },
    ]);
    virtual.peer().request('tools/call', search);
    virtual.run.stop();
    const { diagnostics } = await virtual.run.ended;
    expect(diagnostics).toMatchObject([
      { code: 'O-117', message: expect.stringContaining('/phases/0/x-wire/1') },
    ]);
  });
});

test('an error in place of a result is the rule’s alone, with its templates filled in', async () => {
  const error = { code: -32001, message: 'no {{request.arguments.query}} here', data: { retry: true } };
  const virtual = await play([{ on: 'tools/call', error }]);
  expect(virtual.peer().request('tools/call', search)).toEqual({ ...error, message: 'no tea here' });
  expect(responses(virtual)).toMatchObject([{ failed: true, pieces: ['/phases/0/x-wire/0'] }]);
});

test('answers out of order: one is held until another has gone out', async () => {
  const virtual = await play([{ on: 'tools/call', nth: 1, hold: 'next' }]);
  virtual.peer().request('tools/call', search);
  expect(answersOf(virtual)).toEqual([]);
  virtual.peer().request('tools/list');
  expect(virtual.peer().sent.map(({ target }) => target)).toEqual(['x2', 'x1']);
});

test('a late answer comes once the client has given up', async () => {
  const virtual = await play([{ on: 'tools/call', hold: 'cancelled' }]);
  virtual.peer().request('tools/call', search);
  virtual.peer().notification('notifications/cancelled', { requestId: 7 });
  expect(answersOf(virtual)).toEqual([]);
  virtual.peer().notification('notifications/cancelled', { requestId: 1 });
  expect(answersOf(virtual)).toEqual([found]);
});

test('a flood of notifications goes before the answer, at its rate', async () => {
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

test('pages without end name one more page each time, and those with an end do not', async () => {
  const virtual = await play([{ on: 'tools/list', pages: true }]);
  const list = (cursor?: string) =>
    virtual.peer().request('tools/list', cursor === undefined ? {} : { cursor });
  expect(list()).toMatchObject({ nextCursor: 'page-2' });
  expect(list('page-41')).toMatchObject({ nextCursor: 'page-42' });
  const two = await play([{ on: 'tools/list', pages: 2 }]);
  expect(two.peer().request('tools/list', { cursor: 'page-2' })).not.toHaveProperty('nextCursor');
});

test.each<readonly [string, object]>([
  ['a delay that begins behind its end', { delay: { from: '9s', to: '1s' } }],
  ['no delay', { delay: '0s' }],
  ['a header that HTTP cannot carry', { http: { headers: { 'a b': 'c' } } }],
  ['an empty deed', { bytes: {} }],
  ['no text that corrupts', { bytes: { corrupt: { at: 0, with: '' } } }],
  ['the id that was answered before, where none was', { id: { of: 'previous' } }],
  ['the id as it is', { id: { as: 'number' } }],
  ['pages of what is no list', { pages: true }],
  ['a flood of nothing', { flood: { method: 'notifications/message', count: 0 } }],
  ['once', { repeat: 1 }],
  ['an unknown deed', { dealy: '1s' }],
])('%s is not done, and the answer arrives as if there was no rule', async (_, rule) => {
  const virtual = await play([{ on: 'tools/call', ...rule }]);
  expect(virtual.peer().request('tools/call', search)).toEqual(found);
  const [response] = responses(virtual);
  expect(response).toMatchObject({
    pieces: ['/phases/0/state/tools/0/responses/0'],
    sent: { did: [] },
  });
  expect(response?.sent).not.toHaveProperty('harm');
});

test('deeds that a transport does not know are reported, and the rule has not reached the agent', async () => {
  const virtual = await play([{ on: 'tools/call', http: { status: 503 } }]);
  virtual.peer().request('tools/call', search);
  expect(responses(virtual)).toMatchObject([{ sent: { did: [] } }]);
  virtual.run.stop();
  const { diagnostics } = await virtual.run.ended;
  expect(diagnostics).toMatchObject([{ code: 'O-116' }]);
});

describe('a client', () => {
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

  test('names a request, does not wait for its answer and cancels it by its name', async () => {
    const virtual = await calling({ on: 'tools/call', as: 'slow', together: true });
    expect(said(virtual)).toEqual([
      ['tools/call', 'default-2'],
      ['notifications/cancelled', { requestId: 'default-2' }],
    ]);
  });

  test('sends a request several times at once, each under an id of its own', async () => {
    const virtual = await calling({ on: 'tools/call', repeat: 3 });
    expect(said(virtual).map(([, ask]) => ask)).toEqual(['default-2', 'default-3', 'default-4']);
  });
});
