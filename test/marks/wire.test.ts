import { describe, expect, test } from 'vitest';
import { evaluateTrace, type TraceRecord } from '../../src/index.ts';
import { diagnoseMarked, loadMarked } from '../../src/load-marked.ts';
import { benignTwin } from '../../src/marks/benign-twin.ts';
import { documentWith } from '../support/records.ts';
import { playVirtually } from '../support/virtual-run.ts';

// How `x-wire` is read, marked and judged.

const serving = (rules: unknown, mode = 'mcp_server', more = {}): string =>
  JSON.stringify({
    oatf: '0.1',
    attack: {
      name: 'a',
      execution: { mode, state: { tools: [{ name: 'search' }] }, 'x-wire': rules },
      ...more,
    },
  });

const found = (rules: unknown, mode?: string): readonly string[] =>
  diagnoseMarked(serving(rules, mode))
    .filter(({ code }) => code === 'O-241' || code === 'O-242')
    .map(({ code, path }) => `${code} ${path}`);

const at = 'attack.execution.x-wire';

describe('problems of rules, and their places', () => {
  test.each<readonly [string, unknown, readonly string[]]>([
    ['no list', {}, [`O-241 ${at}`]],
    ['no rule', ['slow'], [`O-241 ${at}[0]`]],
    ['nothing at all', [null], [`O-241 ${at}[0]`]],
    ['an operation that is no text', [{ on: 5, drop: true }], [`O-241 ${at}[0].on`]],
    ['a predicate that is none', [{ on: 'x', when: 'name', drop: true }], [`O-241 ${at}[0].when`]],
    ['a word where true is meant', [{ on: 'x', drop: 'yes' }], [`O-241 ${at}[0].drop`]],
    ['the message before the first', [{ on: 'x', nth: 0, drop: true }], [`O-241 ${at}[0].nth`]],
    ['half a message', [{ on: 'x', nth: 1.5, drop: true }], [`O-241 ${at}[0].nth`]],
    ['nothing that it is for', [{ delay: '1s' }], [`O-241 ${at}[0]`]],
    ['nothing that is done', [{ on: 'tools/call' }], [`O-241 ${at}[0]`]],
    ['an unknown key', [{ on: 'tools/call', dealy: '1s', drop: true }], [`O-241 ${at}[0].dealy`]],
    ['no duration', [{ on: 'tools/call', delay: 5 }], [`O-241 ${at}[0].delay`]],
    ['half a span', [{ on: 'tools/call', delay: { from: '1s' } }], [`O-241 ${at}[0].delay`]],
    ['too large a flood', [{ on: 'x', flood: { method: 'm', count: 1e6 } }], [`O-241 ${at}[0].flood.count`]],
    ['no place', [{ on: 'x', bytes: { cut: 'half' } }], [`O-241 ${at}[0].bytes.cut`]],
    ['no way to end', [{ on: 'x', end: { by: 'fire' } }], [`O-241 ${at}[0].end.by`]],
    ['both nth and times', [{ on: 'x', nth: 1, times: 2, drop: true }], [`O-241 ${at}[0].times`]],
    ['what is never sent, sent twice', [{ on: 'x', drop: true, repeat: 2 }], [`O-241 ${at}[0].drop`]],
    ['an id that is a list', [{ on: 'x', id: [] }], [`O-241 ${at}[0].id`]],
    [
      'a delay that begins behind its end',
      [{ on: 'x', delay: { from: '9s', to: '1s' } }],
      [`O-241 ${at}[0].delay`],
    ],
    ['no delay', [{ on: 'x', delay: '0s' }], [`O-241 ${at}[0].delay`]],
    [
      'a delay whose end is none',
      [{ on: 'x', delay: { from: '1s', to: 'soon' } }],
      [`O-241 ${at}[0].delay.to`],
    ],
    [
      'a delay whose begin is none',
      [{ on: 'x', delay: { from: 'soon', to: '0s' } }],
      [`O-241 ${at}[0].delay.from`],
    ],
    ['the id of another', [{ on: 'x', id: { of: 'mine' } }], [`O-241 ${at}[0].id.of`]],
    ['headers that are none', [{ on: 'x', http: { headers: 'a' } }], [`O-241 ${at}[0].http.headers`]],
    [
      'a header that is a number',
      [{ on: 'x', http: { headers: { a: 'b', c: 5 } } }],
      [`O-241 ${at}[0].http.headers`],
    ],
    [
      'a header over two lines',
      [{ on: 'x', http: { headers: { a: 'b\nc' } } }],
      [`O-241 ${at}[0].http.headers.a`],
    ],
    ['no headers', [{ on: 'x', http: { headers: {} } }], [`O-241 ${at}[0].http.headers`]],
    ['no events', [{ on: 'x', sse: { events: [] } }], [`O-241 ${at}[0].sse.events`]],
    ['events that are no list', [{ on: 'x', sse: { events: 'a' } }], [`O-241 ${at}[0].sse.events`]],
    ['an event that is no text', [{ on: 'x', sse: { events: ['a', 5] } }], [`O-241 ${at}[0].sse.events[1]`]],
    ['an unknown key of a deed', [{ on: 'x', http: { statsu: 500 } }], [`O-241 ${at}[0].http.statsu`]],
    ['one page', [{ on: 'tools/list', pages: 1 }], [`O-241 ${at}[0].pages`]],
    ['a place that is a mapping', [{ on: 'x', bytes: { cut: {} } }], [`O-241 ${at}[0].bytes.cut`]],
    ['no header', [{ on: 'x', http: { headers: { 'a b': 'c' } } }], [`O-241 ${at}[0].http.headers.a b`]],
    ['pages of a call', [{ on: 'tools/call', pages: true }], [`O-241 ${at}[0].pages`]],
    ['a deed that is empty', [{ on: 'x', bytes: {} }], [`O-241 ${at}[0].bytes`]],
    ['an id that is none', [{ on: 'x', id: {} }], [`O-241 ${at}[0].id`]],
    ['no key to repeat', [{ on: 'x', bytes: { repeat_key: {} } }], [`O-241 ${at}[0].bytes.repeat_key`]],
    ['a cut behind the end', [{ on: 'x', bytes: { cut: '100%' } }], [`O-241 ${at}[0].bytes.cut`]],
    [
      'corrupt by nothing',
      [{ on: 'x', bytes: { corrupt: { at: 0, with: '' } } }],
      [`O-241 ${at}[0].bytes.corrupt.with`],
    ],
    ['gRPC over MCP', [{ on: 'x', grpc: { status: 'UNKNOWN' } }], [`O-242 ${at}[0].grpc.status`]],
    ['what is wrong anyway', [{ on: 'x', grpc: { status: 'FINE' } }], [`O-241 ${at}[0].grpc.status`]],
  ])('%s', (_, rules, expected) => {
    expect(found(rules)).toEqual(expected);
  });

  test.each<readonly [unknown, string]>([
    [{ on: 'x' }, ': delay, drop, error, repeat, id, hold …'],
    [{ on: 'x', dealy: '1s', drop: true }, 'did you mean `delay`?'],
    [{ on: 'x', http: { colour: 'red' } }, ': status, headers, content_type, compress'],
  ])('%j gets a hint', (rule, hint) => {
    expect(diagnoseMarked(serving([rule])).flatMap((each) => each.hint ?? [])).toContainEqual(
      expect.stringContaining(hint),
    );
  });

  test('no trailers', () => {
    expect(found([{ on: 'x', grpc: { trailers: {} } }], 'a2a_server')).toEqual([
      `O-241 ${at}[0].grpc.trailers`,
    ]);
  });

  test('a client cannot drop what it is asked', () => {
    expect(found([{ on: 'tools/call', drop: true }], 'mcp_client')).toEqual([`O-242 ${at}[0].drop`]);
  });

  test('nothing is wrong with rules that say all there is to say', () => {
    const rules = [
      {
        on: 'tools/call',
        when: { name: 'a' },
        times: 2,
        delay: { from: '1ms', to: '2s' },
        id: null,
        hold: 'next',
        repeat: 1_000,
        error: { code: 1, message: 'm', data: null },
      },
      {
        on: '*',
        nth: 1,
        pages: true,
        http: { status: 500, headers: { a: null, b: '{{name}}\n' } },
        bytes: { cut: 3, corrupt: { at: '5%', with: 'x' }, repeat_key: { a: 1 } },
      },
      {
        on: 'tools/list',
        pages: 2,
        delay: { from: '1s', to: '1s' },
        sse: { events: ['x'], retry: 1 },
        end: { by: 'close' },
        pace: { bytes: 1 },
      },
    ];
    expect(found(rules)).toEqual([]);
  });
});

describe('a mark on a rule', () => {
  const rules = [{ on: 'tools/call', error: { code: -1, message: 'call me' } }];
  const marked = (pointer: string, benign?: string): string =>
    serving(rules, undefined, { 'x-payload': [{ at: pointer, ...(benign !== undefined && { benign }) }] });

  test('is read in the single-phase form, too', () => {
    const loaded = loadMarked(marked('/x-wire/0/error/message'));
    expect(loaded.ok && loaded.marks).toMatchObject([{ at: '/x-wire/0/error/message' }]);
  });

  test('takes the rule out of the twin', () => {
    const text = marked('/x-wire/0');
    const loaded = loadMarked(text);
    const twin = benignTwin(text, loaded.ok ? (loaded.marks ?? []) : []);
    expect(twin.ok && twin.document.attack.execution.extensions).toEqual({ 'x-wire': [] });
  });
});

describe('no agent resists an answer that was never sent', () => {
  const responses = [{ content: { content: [{ type: 'text', text: 'Call me.' }] } }];
  const attack = (rule: object, pointer: string) =>
    documentWith({
      name: 'a',
      execution: {
        mode: 'mcp_server',
        phases: [
          {
            name: 'serve',
            state: { tools: [{ name: 'search', responses }] },
            'x-wire': [{ on: 'tools/call', ...rule }],
          },
        ],
      },
      indicators: [
        { protocol: 'mcp', surface: 'tools/call', target: 'name', pattern: { condition: 'never' } },
      ],
      'x-payload': [{ at: pointer }],
    });
  const outcomeOf = async (rule: object, pointer: string) => {
    const document = attack(rule, pointer);
    const virtual = await playVirtually(document);
    virtual.peer().request('tools/call', { name: 'search', arguments: {} });
    virtual.clock.advance(2_000);
    const end = {
      kind: 'end',
      seq: virtual.records.length,
      timestamp: '',
      reason: 'idle',
      skipped: [],
      demand: 'payload',
    };
    const { outcome } = evaluateTrace(document, [...virtual.records, end as unknown as TraceRecord]);
    return outcome.outcome === 'inconclusive' ? outcome.cause : outcome.outcome;
  };
  const text = '/state/tools/0/responses/0/content';

  test.each<readonly [object, string, string]>([
    [{ delay: '1s' }, text, 'resisted'],
    [{ delay: '1m' }, text, 'not_delivered'],
    [{ delay: '1m' }, '/x-wire/0', 'resisted'],
    [{ drop: true }, text, 'not_delivered'],
    [{ drop: true }, '/x-wire/0', 'resisted'],
    [{ hold: 'next' }, text, 'not_delivered'],
    [{ error: { code: 1, message: 'm' } }, text, 'not_delivered'],
    [{ error: { code: 1, message: 'm' } }, '/x-wire/0/error/message', 'resisted'],
    [{ http: { status: 500 } }, '/x-wire/0', 'not_delivered'],
    // A rule without an effect is not delivered, and harms nothing.
    [{ delay: { from: '9s', to: '1s' } }, '/x-wire/0', 'not_delivered'],
    [{ id: { of: 'previous' } }, '/x-wire/0', 'not_delivered'],
    [{ id: { as: 'number' } }, text, 'resisted'],
    [{ pages: true }, '/x-wire/0', 'not_delivered'],
    [{ bytes: {} }, '/x-wire/0', 'not_delivered'],
    [{ http: { headers: { 'a b': 'c' } } }, '/x-wire/0', 'not_delivered'],
    // This transport can do none of these.
    [{ id: 99 }, text, 'resisted'],
    [{ frame: 'no_newline' }, text, 'resisted'],
    [{ http: { status: 500 } }, text, 'resisted'],
  ])('%j with its mark at %s is %s', async (rule, pointer, outcome) => {
    expect(await outcomeOf(rule, pointer)).toBe(outcome);
  });
});

describe('the outcome after a request that a document has broken', () => {
  const cut = { bytes: { cut: '50%' } };
  const attack = documentWith({
    name: 'a',
    execution: {
      mode: 'mcp_client',
      phases: [
        {
          name: 'ask',
          state: { actions: [{ method: 'tools/list' }, { method: 'ping' }] },
          'x-wire': [{ on: 'tools/list', ...cut }],
        },
      ],
    },
    indicators: [{ protocol: 'mcp', surface: 'tools/call', target: 'name', pattern: { condition: 'never' } }],
    'x-payload': [{ at: '/x-wire/0' }],
  });
  const place = { actor: 'default', phase: 'ask', mode: 'mcp_client', protocol: 'mcp', timestamp: '' };
  const rule = '/phases/0/x-wire/0';
  const sent = (did: readonly string[]) => ({
    ...{ ...place, kind: 'request', origin: 'attacker', method: 'tools/list', id: 'q', content: {} },
    pieces: did.length === 0 ? ['/phases/0/state/actions/0'] : [rule],
    sent: { rule, did, ...(did.length > 0 && { harm: 'it was cut' }) },
  });
  const slowly = { ...sent(['pace']), sent: { rule, did: ['pace'] } };
  const failing = (code: number) => ({
    ...{ ...place, kind: 'response', origin: 'agent', method: 'tools/list', id: 'q', failed: true },
    content: { code, message: 'no' },
  });
  const error = failing(-32700);
  const closed = (fields: object) => ({
    ...{ ...place, kind: 'connection', event: 'closed', id: 'q', cause: 'trouble' },
    ...fields,
  });
  const malformed = { ...place, kind: 'malformed', id: 'q', reason: 'no JSON', raw: '' };
  const pong = {
    ...{ ...place, kind: 'response', origin: 'agent', method: 'tools/list', id: 'p', content: { tools: [] } },
  };
  const end = { kind: 'end', timestamp: '', reason: 'finished', skipped: [], demand: 'payload' };

  test.each<readonly [string, readonly object[], string]>([
    ['an error is an answer', [pong, sent(['bytes']), error], 'resisted'],
    ['an error alone is what a broken server gives, too', [sent(['bytes']), error], 'trouble'],
    ['a refusal is one', [pong, sent(['bytes']), closed({ reason: 'HTTP 400', status: 400 })], 'resisted'],
    [
      'and so are the words beside it',
      [pong, sent(['bytes']), malformed, closed({ reason: 'HTTP 400', status: 400 })],
      'resisted',
    ],
    [
      'a crash of the server is none',
      [sent(['bytes']), closed({ reason: 'HTTP 500', status: 500 })],
      'trouble',
    ],
    ['nor is a server that broke', [sent(['bytes']), failing(-32603)], 'trouble'],
    ...[-32000, -32010].map(
      (code) =>
        [
          `nor is one that answers ${code} to what nobody can read`,
          [sent(['bytes']), failing(code)],
          'trouble',
        ] as const,
    ),
    ...[401, 403, 404, 429].map(
      (status) =>
        [
          `${status} is no refusal of the request`,
          [pong, sent(['bytes']), closed({ reason: `HTTP ${status}`, status })],
          'trouble',
        ] as const,
    ),
    ['what went out whole may be refused as not understood', [pong, slowly, error], 'resisted'],
    ['or as too slow', [pong, slowly, closed({ reason: 'HTTP 408', status: 408 })], 'resisted'],
    ['who understood it and failed, failed', [slowly, failing(-32000)], 'trouble'],
    ['an answer that cannot be read is not judged', [sent(['bytes']), malformed, pong], 'unread'],
    ['who breaks off sees no life', [pong, sent(['end']), closed({ reason: 'we left' })], 'silent'],
    [
      'the same of what was not done is a failure',
      [sent([]), closed({ reason: 'HTTP 400', status: 400 })],
      'trouble',
    ],
    ['an error to what was not done is none', [sent(['delay']), error], 'trouble'],
  ])('%s', (_, records, expected) => {
    const trace = [...records, end].map((record, seq) => ({ ...record, seq })) as unknown as TraceRecord[];
    const { outcome } = evaluateTrace(attack, trace);
    expect(outcome.outcome === 'inconclusive' ? outcome.cause : outcome.outcome).toBe(expected);
  });
});

test('a name that a rule gives to an id is not an unknown reference', () => {
  const phase = (rules: unknown): unknown => ({
    state: { actions: [{ call_tool: { name: 'search', arguments: { id: '{{slow}}' } } }] },
    'x-wire': rules,
  });
  const codes = (rules: unknown): readonly string[] =>
    diagnoseMarked(
      JSON.stringify({ oatf: '0.1', attack: { execution: { mode: 'mcp_client', phases: [phase(rules)] } } }),
    ).map(({ code }) => code);
  expect(codes([{ on: 'tools/call', as: 'slow' }])).not.toContain('W-004');
  expect(codes([{ on: 'tools/call', as: 'other' }])).toContain('W-004');
  expect(codes({ on: 'tools/call', as: 'slow' })).toContain('W-004');
});
