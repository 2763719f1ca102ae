import { describe, expect, test } from 'vitest';
import { call, phased, tool } from '../../support/tool-server.ts';
import { playVirtually } from '../../support/virtual-run.ts';

describe('a trigger of an MCP server actor', () => {
  const state = { tools: [tool('a')] };
  const afterwards = { name: 'second', state: { tools: [tool('b')] } };
  const rows: [string, object, number, string[]][] = [
    ['an event', { event: 'tools/call' }, 1, ['first', 'second']],
    ['another event', { event: 'tools/list' }, 3, ['first']],
    ['a count that is not reached', { event: 'tools/call', count: 3 }, 2, ['first']],
    ['a count that is reached', { event: 'tools/call', count: 3 }, 3, ['first', 'second']],
    [
      'a matching event',
      { event: 'tools/call', match: { 'arguments.path': { starts_with: '/tmp' } } },
      1,
      ['first', 'second'],
    ],
    ['an event that does not match', { event: 'tools/call', match: { name: 'other' } }, 2, ['first']],
  ];
  test.each(rows)('leads to the phases $3 for %s', async (_, trigger, calls, expected) => {
    const virtual = await playVirtually(phased({ name: 'first', state, trigger }, afterwards));
    for (let count = 0; count < calls; count++) virtual.peer().request('tools/call', call);
    expect(virtual.phases()).toEqual(expected);
  });

  test('fires by `after` without any traffic', async () => {
    const virtual = await playVirtually(phased({ name: 'first', state, trigger: { after: '30s' } }, afterwards));
    virtual.clock.advance(29_999);
    expect(virtual.phases()).toEqual(['first']);
    virtual.clock.advance(1);
    expect(virtual.phases()).toEqual(['first', 'second']);
  });
  test.each<[string, object, number, string[]]>([
    ['comes in time', { after: '30s' }, 29_000, []],
    ['comes too late', { after: '30s' }, 30_000, ['O-114']],
    ['ends the phase by its first message', { event: 'tools/list' }, 30_000, []],
  ])('reports $3 for an agent that %s for a phase with `after`', async (_, trigger, arrives, codes) => {
    const virtual = await playVirtually(phased({ name: 'first', state, trigger }, afterwards));
    virtual.clock.advance(arrives);
    virtual.peer().request('tools/list');
    virtual.clock.advance(31_000);
    virtual.peer().request('tools/list');
    const { diagnostics } = await virtual.end();
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });
  test('measures `after` from the entry into its phase', async () => {
    const virtual = await playVirtually(
      phased(
        { name: 'first', state, trigger: { event: 'tools/call' } },
        { name: 'second', trigger: { after: '10s' } },
        { name: 'third' },
      ),
    );
    virtual.clock.advance(60_000);
    virtual.peer().request('tools/call', call);
    virtual.clock.advance(9_999);
    expect(virtual.phases()).toEqual(['first', 'second']);
    virtual.clock.advance(1);
    expect(virtual.phases()).toEqual(['first', 'second', 'third']);
  });
  test('fires at once with `after: 0s`', async () => {
    const virtual = await playVirtually(phased({ name: 'first', state, trigger: { after: '0s' } }, afterwards));
    expect(virtual.phases()).toEqual(['first', 'second']);
  });
  test('counts anew in each phase', async () => {
    const trigger = { event: 'tools/call', count: 2 };
    const virtual = await playVirtually(
      phased({ name: 'first', state, trigger }, { name: 'second', trigger }, { name: 'third' }),
    );
    for (let count = 0; count < 3; count++) virtual.peer().request('tools/call', call);
    expect(virtual.phases()).toEqual(['first', 'second']);
  });
  test.each([
    ['ping', ['first']],
    ['tasks/get', ['first']],
    ['roots/list', ['first', 'second']],
  ])('counts an answer to our %s as an event only if agents send no such request', async (method, expected) => {
    const on_enter = [{ send: { method } }];
    const virtual = await playVirtually(
      phased({ name: 'first', state, on_enter, trigger: { event: method } }, afterwards),
    );
    virtual.peer().request('tools/list');
    const ask = virtual.peer().sent[0]?.ask ?? 'default-1';
    virtual.peer().reply(ask, {});
    expect(virtual.phases()).toEqual(expected);
    if (expected.length === 1) virtual.peer().request(method);
    expect(virtual.phases()).toEqual(['first', 'second']);
    expect(virtual.messages()).toContainEqual(expect.objectContaining({ kind: 'response', method, origin: 'agent' }));
  });
  test('does not count our own messages', async () => {
    const virtual = await playVirtually(
      phased(
        {
          name: 'first',
          state,
          on_enter: [{ send: { method: 'notifications/progress' } }],
          trigger: { event: 'notifications/progress' },
        },
        afterwards,
      ),
    );
    expect(virtual.phases()).toEqual(['first']);
    virtual.peer().notification('notifications/progress');
    expect(virtual.phases()).toEqual(['first', 'second']);
  });
});

describe('the phases of an MCP server actor', () => {
  test('answer a request from the phase in which it arrived', async () => {
    const virtual = await playVirtually(
      phased(
        { state: { tools: [tool('a', 'benign')] }, trigger: { event: 'tools/call' } },
        { state: { tools: [tool('a', 'poisoned')] } },
      ),
    );
    expect(virtual.peer().request('tools/call', call)).toEqual({
      content: [{ type: 'text', text: 'benign' }],
    });
    expect(virtual.peer().request('tools/call', call)).toEqual({
      content: [{ type: 'text', text: 'poisoned' }],
    });
  });
  test('keep the state of the phase before if one has none', async () => {
    const virtual = await playVirtually(
      phased({ state: { tools: [tool('a')] }, trigger: { event: 'ping' } }, { name: 'later' }),
    );
    virtual.peer().request('ping');
    expect(virtual.peer().request('tools/list')).toEqual({ tools: [{ name: 'a' }] });
  });
  test('serve the terminal phase until the end', async () => {
    const virtual = await playVirtually(phased({ state: { tools: [tool('a')] } }), { sessionMs: 100_000 });
    virtual.peer().request('tools/list');
    virtual.clock.advance(90_000);
    expect(virtual.peer().request('tools/list')).toEqual({ tools: [{ name: 'a' }] });
  });
});

describe('the entry actions of an MCP server phase', () => {
  const entered = (...on_enter: object[]) =>
    phased(
      {
        state: { tools: [tool('a')] },
        extractors: [{ name: 'path', source: 'request', type: 'json_path', selector: '$.arguments.path' }],
        trigger: { event: 'tools/call' },
      },
      { name: 'second', on_enter },
    );

  test('send a notification with templates resolved on entry', async () => {
    const virtual = await playVirtually(
      entered({ send: { method: 'notifications/resources/updated', params: { uri: 'file://{{path}}' } } }),
    );
    virtual.peer().request('tools/call', call);
    expect(virtual.peer().sent.at(-1)).toEqual({
      kind: 'notify',
      target: 'every session',
      method: 'notifications/resources/updated',
      content: { uri: 'file:///tmp' },
    });
    expect(virtual.messages().at(-1)).toMatchObject({
      kind: 'notification',
      origin: 'attacker',
      phase: 'second',
    });
  });
  test('send a request whose answer is recorded and can fire the trigger', async () => {
    const virtual = await playVirtually(
      phased(
        {
          state: {},
          on_enter: [{ send: { method: 'roots/list' } }],
          trigger: { event: 'roots/list' },
        },
        { name: 'second' },
      ),
    );
    virtual.peer().reply(virtual.peer().sent[0]?.ask ?? '', { roots: [] });
    expect(virtual.messages().at(-1)).toMatchObject({
      kind: 'response',
      origin: 'agent',
      method: 'roots/list',
    });
    expect(virtual.phases().at(-1)).toBe('second');
  });
  test('write a log message with a level', async () => {
    const virtual = await playVirtually(entered({ log: { message: 'took {{path}}', level: 'warn' } }));
    virtual.peer().request('tools/call', call);
    expect(virtual.logs).toEqual(['default warn took /tmp']);
  });
  test('are skipped with O-101 if no binding knows them', async () => {
    const virtual = await playVirtually(entered({ delay_ms: 5 }));
    virtual.peer().request('tools/call', call);
    virtual.run.stop();
    expect((await virtual.end()).diagnostics).toMatchObject([{ code: 'O-101' }]);
  });
  test('report a reference that does not resolve as W-004', async () => {
    const virtual = await playVirtually(entered({ log: { message: '{{request.nothing}}' } }));
    virtual.peer().request('tools/call', call);
    virtual.run.stop();
    expect((await virtual.end()).diagnostics).toMatchObject([{ code: 'W-004' }]);
  });
  test('report at most 200 different warnings, each once', async () => {
    const message = Array.from({ length: 300 }, (_, index) => `{{request.n${index}}}`).join('');
    const virtual = await playVirtually(entered({ log: { message } }, { log: { message } }));
    virtual.peer().request('tools/call', call);
    virtual.run.stop();
    const reported = (await virtual.end()).diagnostics.map(({ message }) => message);
    expect([reported.length, new Set(reported).size]).toEqual([200, 200]);
  });
});

test('the end of a run lists what a binding warns of in an answer', async () => {
  const tools = [{ name: 'search', responses: [{ content: [], isError: true }] }];
  const virtual = await playVirtually(phased({ state: { tools } }));
  virtual.peer().request('tools/call', { name: 'search' });
  virtual.run.stop();
  expect((await virtual.end()).diagnostics).toMatchObject([{ code: 'O-103' }]);
});

test.each([
  ['null', null, null],
  ['missing', undefined, {}],
])('an MCP server actor records params that are %s as they came', async (_, params, content) => {
  const virtual = await playVirtually(phased({ state: {} }));
  virtual.peer().request('ping', params as never);
  virtual.peer().notification('notifications/initialized', params as never);
  expect(virtual.messages().filter(({ origin }) => origin === 'agent')).toMatchObject([{ content }, { content }]);
});
