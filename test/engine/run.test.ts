import { describe, expect, test } from 'vitest';
import { documentWith } from '../support/records.ts';
import { playVirtually } from '../support/virtual-run.ts';

const tool = (name: string, text = name) => ({ name, responses: [{ content: [{ type: 'text', text }] }] });
const phased = (...phases: object[]) => documentWith({ execution: { mode: 'mcp_server', phases } });
const call = { name: 'a', arguments: { path: '/tmp' } };

describe('triggers', () => {
  const state = { tools: [tool('a')] };
  const afterwards = { name: 'second', state: { tools: [tool('b')] } };
  const rows: [string, object, number, string[]][] = [
    ['event', { event: 'tools/call' }, 1, ['first', 'second']],
    ['another event', { event: 'tools/list' }, 3, ['first']],
    ['count not reached', { event: 'tools/call', count: 3 }, 2, ['first']],
    ['count reached', { event: 'tools/call', count: 3 }, 3, ['first', 'second']],
    [
      'match',
      { event: 'tools/call', match: { 'arguments.path': { starts_with: '/tmp' } } },
      1,
      ['first', 'second'],
    ],
    ['no match', { event: 'tools/call', match: { name: 'other' } }, 2, ['first']],
  ];
  test.each(rows)('%s', async (_, trigger, calls, expected) => {
    const virtual = await playVirtually(phased({ name: 'first', state, trigger }, afterwards));
    for (let count = 0; count < calls; count++) virtual.peer().request('tools/call', call);
    expect(virtual.phases()).toEqual(expected);
  });

  test('`after` fires without any traffic', async () => {
    const virtual = await playVirtually(
      phased({ name: 'first', state, trigger: { after: '30s' } }, afterwards),
    );
    virtual.clock.advance(29_999);
    expect(virtual.phases()).toEqual(['first']);
    virtual.clock.advance(1);
    expect(virtual.phases()).toEqual(['first', 'second']);
  });
  test.each<[string, object, number, string[]]>([
    ['that comes in time', { after: '30s' }, 29_000, []],
    ['that comes too late', { after: '30s' }, 30_000, ['O-114']],
    ['whose first message ends it', { event: 'tools/list' }, 30_000, []],
  ])('what an agent missed by `after` is told: one %s', async (_, trigger, arrives, codes) => {
    const virtual = await playVirtually(phased({ name: 'first', state, trigger }, afterwards));
    virtual.clock.advance(arrives);
    virtual.peer().request('tools/list');
    virtual.clock.advance(31_000);
    virtual.peer().request('tools/list');
    const { diagnostics } = await virtual.end();
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });
  test('`after` is measured from the entry into its phase', async () => {
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
  test('a phase that ends after no time ends at once', async () => {
    const virtual = await playVirtually(
      phased({ name: 'first', state, trigger: { after: '0s' } }, afterwards),
    );
    expect(virtual.phases()).toEqual(['first', 'second']);
  });
  test('the counter starts anew in each phase', async () => {
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
  ])('an answer to our %s is an event only where agents send no such request', async (method, expected) => {
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
    expect(virtual.messages()).toContainEqual(
      expect.objectContaining({ kind: 'response', method, origin: 'agent' }),
    );
  });
  test('what we send is not an event', async () => {
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

describe('phases', () => {
  test('a request is answered from the phase it arrived in', async () => {
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
  test('a phase without state serves the one before, whole', async () => {
    const virtual = await playVirtually(
      phased({ state: { tools: [tool('a')] }, trigger: { event: 'ping' } }, { name: 'later' }),
    );
    virtual.peer().request('ping');
    expect(virtual.peer().request('tools/list')).toEqual({ tools: [{ name: 'a' }] });
  });
  test('a terminal phase is served until the end', async () => {
    const virtual = await playVirtually(phased({ state: { tools: [tool('a')] } }), { sessionMs: 100_000 });
    virtual.peer().request('tools/list');
    virtual.clock.advance(90_000);
    expect(virtual.peer().request('tools/list')).toEqual({ tools: [{ name: 'a' }] });
  });
});

describe('entry actions', () => {
  const entered = (...on_enter: object[]) =>
    phased(
      {
        state: { tools: [tool('a')] },
        extractors: [{ name: 'path', source: 'request', type: 'json_path', selector: '$.arguments.path' }],
        trigger: { event: 'tools/call' },
      },
      { name: 'second', on_enter },
    );

  test('send a notification, templates resolved on entry', async () => {
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
  test('send a request, and its answer is recorded and can trigger', async () => {
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
  test('log with a level', async () => {
    const virtual = await playVirtually(entered({ log: { message: 'took {{path}}', level: 'warn' } }));
    virtual.peer().request('tools/call', call);
    expect(virtual.logs).toEqual(['default warn took /tmp']);
  });
  test('one that no binding knows is skipped with a warning', async () => {
    const virtual = await playVirtually(entered({ delay_ms: 5 }));
    virtual.peer().request('tools/call', call);
    virtual.run.stop();
    expect((await virtual.end()).diagnostics).toMatchObject([{ code: 'O-101' }]);
  });
  test('a reference that does not resolve is W-004 in the result', async () => {
    const virtual = await playVirtually(entered({ log: { message: '{{request.nothing}}' } }));
    virtual.peer().request('tools/call', call);
    virtual.run.stop();
    expect((await virtual.end()).diagnostics).toMatchObject([{ code: 'W-004' }]);
  });
  test('many different warnings are told up to a bound, each once', async () => {
    const message = Array.from({ length: 300 }, (_, index) => `{{request.n${index}}}`).join('');
    const virtual = await playVirtually(entered({ log: { message } }, { log: { message } }));
    virtual.peer().request('tools/call', call);
    virtual.run.stop();
    const told = (await virtual.end()).diagnostics.map(({ message }) => message);
    expect([told.length, new Set(told).size]).toEqual([200, 200]);
  });
});

describe('values', () => {
  test('of a request are there for its own answer', async () => {
    const virtual = await playVirtually(
      phased({
        state: { tools: [tool('a', 'you said {{said}} and {{request.arguments.path}}')] },
        extractors: [{ name: 'said', source: 'request', type: 'json_path', selector: '$.arguments.path' }],
      }),
    );
    expect(virtual.peer().request('tools/call', call)).toEqual({
      content: [{ type: 'text', text: 'you said /tmp and /tmp' }],
    });
  });
  test('of an answer are there afterwards', async () => {
    const virtual = await playVirtually(
      phased({
        state: { tools: [tool('a', 'token=42'), tool('b', 'it was {{token}}')] },
        extractors: [{ name: 'token', source: 'response', type: 'regex', selector: 'token=(\\d+)' }],
      }),
    );
    virtual.peer().request('tools/call', call);
    expect(virtual.peer().request('tools/call', { name: 'b' })).toEqual({
      content: [{ type: 'text', text: 'it was 42' }],
    });
  });
  test('of a request are taken whoever sent it', async () => {
    const virtual = await playVirtually(
      phased({
        state: { tools: [tool('a', 'asked {{asked}}')], elicitations: [{ message: 'your key?' }] },
        extractors: [{ name: 'asked', source: 'request', type: 'json_path', selector: '$.message' }],
      }),
    );
    virtual.peer().request('tools/call', call);
    virtual.peer().reply(virtual.peer().sent[0]?.ask ?? '', { action: 'decline' });
    expect(virtual.peer().sent.at(-1)?.content).toEqual({
      content: [{ type: 'text', text: 'asked your key?' }],
    });
  });
  test.each([
    ['{{request.arguments.path}}', undefined],
    ['{{nobody}} and {{request.nothing}}', ['nobody', 'request.nothing']],
  ])('that %s lacks are told in the record of what was sent', async (text, unresolved) => {
    const virtual = await playVirtually(phased({ state: { tools: [tool('a', text)] } }));
    virtual.peer().request('tools/call', call);
    expect(virtual.messages().at(-1)?.unresolved).toEqual(unresolved);
  });
  test('cross from one actor to another', async () => {
    const document = documentWith({
      execution: {
        actors: [
          {
            name: 'reader',
            mode: 'mcp_server',
            phases: [
              {
                state: { tools: [tool('a')] },
                extractors: [
                  { name: 'path', source: 'request', type: 'json_path', selector: '$.arguments.path' },
                ],
              },
            ],
          },
          {
            name: 'sender',
            mode: 'mcp_server',
            phases: [{ state: { tools: [{ name: 'send', description: 'send {{reader.path}}' }] } }],
          },
        ],
      },
    });
    const virtual = await playVirtually(document);
    const listed = () => virtual.peer('sender').request('tools/list');
    expect(listed()).toEqual({ tools: [{ name: 'send', description: 'send ' }] });
    virtual.peer('reader').request('tools/call', call);
    expect(listed()).toEqual({ tools: [{ name: 'send', description: 'send /tmp' }] });
  });
});

describe('what the peer says is never a template', () => {
  const document = phased({
    state: { tools: [tool('t-{{said}}', 'here')], progress: [{ values: [{ progress: 1 }] }] },
    extractors: [{ name: 'said', source: 'request', type: 'json_path', selector: '$.arguments.path' }],
  });

  test('in errors', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('tools/call', call);
    expect(virtual.peer().request('tools/call', { name: '{{said}}' })).toMatchObject({
      message: 'Unknown tool: {{said}}',
    });
    expect(virtual.peer().request('no/{{said}}')).toMatchObject({ message: 'Method not found: no/{{said}}' });
  });
  test('in progress tokens', async () => {
    const virtual = await playVirtually(document);
    const params = { name: 't-/tmp', arguments: { path: '/tmp' }, _meta: { progressToken: '{{said}}' } };
    expect(virtual.peer().request('tools/call', params)).toMatchObject({ content: [{ text: 'here' }] });
    expect(virtual.peer().sent[0]).toMatchObject({
      kind: 'notify',
      content: { progressToken: '{{said}}', progress: 1 },
    });
  });
});

describe('asking within a call', () => {
  const asking = phased({
    state: {
      tools: [tool('a', 'done')],
      elicitations: [
        { when: { name: 'a' }, message: 'your key, {{request.arguments.path}}?', requestedSchema: {} },
      ],
    },
  });

  test('the call is answered when the peer has answered', async () => {
    const virtual = await playVirtually(asking);
    expect(virtual.peer().request('tools/call', call)).toBeUndefined();
    const asked = virtual.peer().sent[0];
    expect(asked).toMatchObject({
      kind: 'ask',
      target: 'x1',
      method: 'elicitation/create',
      content: { message: 'your key, /tmp?' },
    });
    virtual.peer().reply(asked?.ask ?? '', { action: 'accept', content: { key: 'k' } });
    expect(virtual.peer().sent.at(-1)).toMatchObject({ kind: 'answer', target: 'x1' });
  });
  test('a peer that never answers does not hang the call', async () => {
    const virtual = await playVirtually(asking, { askMs: 5_000 });
    virtual.peer().request('tools/call', call);
    virtual.clock.advance(5_000);
    expect(virtual.peer().sent.at(-1)).toMatchObject({ kind: 'answer', target: 'x1' });
  });
  test('an answer that comes late is recorded under what was asked, and can be extracted from', async () => {
    const virtual = await playVirtually(
      phased({
        state: {
          tools: [tool('a', 'done'), tool('b', '{{key}} {{default.key}}')],
          elicitations: [{ when: { name: 'a' }, message: 'your key?' }],
        },
        extractors: [{ name: 'key', source: 'response', type: 'json_path', selector: '$.content.key' }],
      }),
      { askMs: 5_000 },
    );
    virtual.peer().request('tools/call', call);
    const asked = virtual.peer().sent[0]?.ask ?? '';
    virtual.clock.advance(5_000);
    virtual.peer().reply(asked, { action: 'accept', content: { key: 'k' } });
    expect(virtual.messages().at(-1)).toMatchObject({
      method: 'elicitation/create',
      origin: 'agent',
      request: { message: 'your key?' },
    });
    expect(virtual.peer().request('tools/call', { name: 'b' })).toEqual({
      content: [{ type: 'text', text: 'k k' }],
    });
  });
  test('the call counts once it is answered, in the phase that it arrived in', async () => {
    const virtual = await playVirtually(
      phased(
        {
          name: 'first',
          state: { tools: [tool('a')], elicitations: [{ message: '?' }] },
          trigger: { event: 'tools/call' },
        },
        { name: 'second' },
      ),
    );
    virtual.peer().request('tools/call', call);
    expect(virtual.phases()).toEqual(['first']);
    virtual.peer().reply(virtual.peer().sent[0]?.ask ?? '', { action: 'decline' });
    expect(virtual.phases()).toEqual(['first', 'second']);
    expect(new Set(virtual.messages().map(({ phase }) => phase))).toEqual(new Set(['first']));
  });
  test('every url elicitation has an id of its own', async () => {
    const url = { message: 'go', mode: 'url', url: 'https://example.com' };
    const virtual = await playVirtually(
      phased({ state: { tools: [tool('a')], elicitations: [url, { ...url, elicitationId: null }] } }),
    );
    virtual.peer().request('tools/call', call);
    virtual.peer().reply(virtual.peer().sent[0]?.ask ?? '', { action: 'accept' });
    const ids = virtual
      .peer()
      .sent.flatMap(({ content }) => (content as { elicitationId?: string }).elicitationId ?? []);
    expect(new Set(ids).size).toBe(2);
  });
  test('log messages go out within the call that they are for, before its answer', async () => {
    const logging = [
      { when: { name: 'a' }, level: 'warning', data: 'called with {{request.arguments.path}}' },
      { when: { name: 'b' }, data: 'never' },
    ];
    const virtual = await playVirtually(phased({ state: { tools: [tool('a')], logging } }));
    virtual.peer().request('logging/setLevel', { level: 'emergency' });
    virtual.peer().request('tools/call', call);
    expect(
      virtual
        .peer()
        .sent.slice(1)
        .map(({ kind, target, method, content }) => [kind, target, method, content]),
    ).toEqual([
      ['notify', 'x2', 'notifications/message', { level: 'warning', data: 'called with /tmp' }],
      ['answer', 'x2', undefined, { content: [{ type: 'text', text: 'a' }] }],
    ]);
    expect(virtual.messages().find(({ method }) => method === 'notifications/message')?.pieces).toEqual([
      '/phases/0/state/logging/0',
    ]);
  });
  test('a long list of progress is sent whole', async () => {
    const values = Array.from({ length: 12_000 }, (_, progress) => ({ progress }));
    const virtual = await playVirtually(phased({ state: { tools: [tool('a')], progress: [{ values }] } }));
    virtual.peer().request('tools/call', { ...call, _meta: { progressToken: 1 } });
    expect(virtual.peer().sent.length).toBe(12_001);
  });
  test('other requests are answered meanwhile', async () => {
    const virtual = await playVirtually(asking);
    virtual.peer().request('tools/call', call);
    expect(virtual.peer().request('ping')).toEqual({});
  });
});

describe('the end', () => {
  const document = phased({ state: { tools: [tool('a')] } });
  const patient = documentWith({
    grace_period: '30s',
    execution: { mode: 'mcp_server', state: { tools: [] } },
  });

  test('garbage is traffic too', async () => {
    const virtual = await playVirtually(document, { sessionMs: 10_000 });
    virtual.peer().deliver({ kind: 'malformed', raw: '', reason: 'not HTTP' });
    expect((await virtual.end()).reason).toBe('session_limit');
  });
  test('without traffic there is none but the caller’s', async () => {
    const virtual = await playVirtually(document);
    virtual.clock.advance(3_600_000);
    virtual.run.stop();
    expect((await virtual.end()).reason).toBe('stopped');
    expect(virtual.peer().closed).toBe(true);
  });
  test('two seconds of quiet after the last session', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('ping');
    virtual.clock.advance(30_000);
    virtual.peer().sessions = 0;
    virtual.peer().deliver({ kind: 'connection', session: 's1', event: 'closed' });
    expect((await virtual.end()).reason).toBe('idle');
    expect(virtual.clock.now()).toBeLessThan(34_000);
  });
  test('somebody in the middle of a message is waited for', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('ping');
    virtual.peer().sessions = 0;
    virtual.peer().receiving = true;
    virtual.clock.advance(60_000);
    expect(virtual.peer().closed).toBe(false);
    virtual.peer().receiving = false;
    expect((await virtual.end()).reason).toBe('idle');
    expect(virtual.records.filter(({ kind }) => kind === 'malformed')).toEqual([]);
  });
  test('a message that was still coming in when the run was ended is told', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('ping');
    virtual.peer().receiving = true;
    virtual.run.stop('operator');
    expect((await virtual.end()).reason).toBe('operator');
    expect(virtual.records.filter(({ kind }) => kind === 'malformed')).toMatchObject([{ cause: 'cut_off' }]);
  });
  test('half a minute without any connection, for clients that leave without a word', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('ping');
    virtual.peer().connected = false;
    expect((await virtual.end()).reason).toBe('idle');
    expect(virtual.clock.now()).toBeGreaterThanOrEqual(30_000);
    expect(virtual.clock.now()).toBeLessThan(35_000);
  });
  test('the document’s grace period takes its place', async () => {
    const virtual = await playVirtually(patient);
    virtual.peer().request('ping');
    virtual.peer().sessions = 0;
    await virtual.end();
    expect(virtual.clock.now()).toBeGreaterThanOrEqual(30_000);
  });
  test('a caller who stops does not wait for the grace period', async () => {
    const virtual = await playVirtually(patient, { sessionMs: 1_000 });
    virtual.peer().request('tools/list');
    virtual.clock.advance(1_500);
    expect(virtual.peer().closed).toBe(false);
    virtual.run.stop();
    expect((await virtual.run.ended).reason).toBe('session_limit');
    expect(virtual.peer().closed).toBe(true);
  });
  test('the caller’s grace period takes the document’s place', async () => {
    const virtual = await playVirtually(patient, { graceMs: 0 });
    virtual.peer().request('ping');
    virtual.peer().sessions = 0;
    await virtual.end();
    expect(virtual.clock.now()).toBeLessThan(3_000);
  });
  test('the session limit counts from the first traffic', async () => {
    const virtual = await playVirtually(document, { sessionMs: 10_000 });
    virtual.clock.advance(60_000);
    virtual.peer().request('ping');
    expect((await virtual.end()).reason).toBe('session_limit');
    expect(virtual.clock.now()).toBeLessThan(75_000);
  });
  test('the phase before the last is not terminal', async () => {
    const waiting = phased(
      { state: { tools: [] }, trigger: { event: 'tools/call' } },
      { state: { tools: [] }, trigger: { event: 'tools/call' } },
      { state: { tools: [] } },
    );
    const virtual = await playVirtually(waiting, { sessionMs: 20_000, terminalMs: 5_000 });
    virtual.peer().request('tools/call', { name: 'a' });
    expect(virtual.phases()).toHaveLength(2);
    expect((await virtual.end()).reason).toBe('session_limit');
  });
  test('an answer that nobody has asked for is recorded, and nothing else', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().reply('nobody', { x: 1 });
    expect(virtual.messages()).toMatchObject([{ kind: 'response', method: 'unknown', content: { x: 1 } }]);
    expect(virtual.peer().request('ping')).toEqual({});
  });
  test('terminal phases have a limit of their own', async () => {
    const virtual = await playVirtually(document, { sessionMs: 3_600_000, terminalMs: 20_000 });
    virtual.peer().request('ping');
    expect((await virtual.end()).reason).toBe('terminal_limit');
  });
  test('an unknown mode is skipped with a warning', async () => {
    const virtual = await playVirtually(
      documentWith({
        execution: { actors: [{ name: 'voice', mode: 'voice_server', phases: [{ state: {} }] }] },
      }),
    );
    virtual.run.stop();
    const end = await virtual.end();
    expect(end).toMatchObject({ skipped: ['voice'], diagnostics: [{ severity: 'warning', code: 'O-104' }] });
  });
});

describe('{{response.…}} sees the answer as it goes out', () => {
  const answering = (content: object) =>
    phased({ state: { tools: [{ name: 'a', responses: [{ content }] }] } });

  test.each([
    [
      'what was filled in',
      { to: '{{request.name}}!', echo: '<{{response.to}}>' },
      { to: 'a!', echo: '<a!>' },
    ],
    [
      'what looks at another part',
      { one: '1{{response.two}}', two: '2{{response.three}}', three: '{{request.name}}' },
      { one: '12a', two: '2a', three: 'a' },
    ],
    ['a list', { list: ['{{request.name}}'], echo: '{{response.list}}' }, { list: ['a'], echo: '["a"]' }],
    ['nothing', { echo: '<{{response.no}}>' }, { echo: '<>' }],
  ])('%s', async (_, content, expected) => {
    const virtual = await playVirtually(answering(content));
    expect(virtual.peer().request('tools/call', call)).toEqual(expected);
  });
});

test.each([
  ['null', null, null],
  ['none at all', undefined, {}],
])('params that are %s are recorded as such', async (_, params, content) => {
  const virtual = await playVirtually(phased({ state: {} }));
  virtual.peer().request('ping', params as never);
  virtual.peer().notification('notifications/initialized', params as never);
  expect(virtual.messages().filter(({ origin }) => origin === 'agent')).toMatchObject([
    { content },
    { content },
  ]);
});
