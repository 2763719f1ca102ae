import { describe, expect, test } from 'vitest';
import { makeBenignTwin } from '../../../src/format/extensions/document-variant.ts';
import { diagnoseMarked, loadMarked } from '../../../src/format/load-marked.ts';
import { evaluateTrace, type TraceRecord } from '../../../src/index.ts';
import { documentWith } from '../../support/records.ts';
import { playVirtually } from '../../support/virtual-run.ts';

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
    .filter(({ code }) => ['O-241', 'O-242', 'O-017'].includes(code))
    .map(({ code, path }) => `${code} ${path}`);

const at = 'attack.execution.x-wire';

describe('diagnoseMarked on x-wire rules', () => {
  test.each<readonly [string, unknown, readonly string[]]>([
    ['rules that are no list', {}, [`O-241 ${at}`]],
    ['a rule that is a text', ['slow'], [`O-241 ${at}[0]`]],
    ['a rule that is null', [null], [`O-241 ${at}[0]`]],
    ['an operation that is no text', [{ on: 5, drop: true }], [`O-241 ${at}[0].on`]],
    ['a predicate that is no mapping', [{ on: 'x', when: 'name', drop: true }], [`O-241 ${at}[0].when`]],
    [
      'misspelt operators in a predicate',
      [{ on: 'x', when: { name: { equals: 'a' }, contains: 'b' }, drop: true }],
      [`O-017 ${at}[0].when.name.equals`, `O-017 ${at}[0].when.contains`],
    ],
    ['a word where true is meant', [{ on: 'x', drop: 'yes' }], [`O-241 ${at}[0].drop`]],
    ['an nth of 0', [{ on: 'x', nth: 0, drop: true }], [`O-241 ${at}[0].nth`]],
    ['an nth that is no integer', [{ on: 'x', nth: 1.5, drop: true }], [`O-241 ${at}[0].nth`]],
    ['a rule without `on`', [{ delay: '1s' }], [`O-241 ${at}[0]`]],
    ['a rule without an effect', [{ on: 'tools/call' }], [`O-241 ${at}[0]`]],
    ['an unknown key of a rule', [{ on: 'tools/call', dealy: '1s', drop: true }], [`O-241 ${at}[0].dealy`]],
    ['a delay that is a number', [{ on: 'tools/call', delay: 5 }], [`O-241 ${at}[0].delay`]],
    ['a delay range without an end', [{ on: 'tools/call', delay: { from: '1s' } }], [`O-241 ${at}[0].delay`]],
    ['a flood of too many messages', [{ on: 'x', flood: { method: 'm', count: 1e6 } }], [`O-241 ${at}[0].flood.count`]],
    ['a cut at an unknown position', [{ on: 'x', bytes: { cut: 'half' } }], [`O-241 ${at}[0].bytes.cut`]],
    ['an unknown way to end', [{ on: 'x', end: { by: 'fire' } }], [`O-241 ${at}[0].end.by`]],
    ['both nth and times', [{ on: 'x', nth: 1, times: 2, drop: true }], [`O-241 ${at}[0].times`]],
    ['a message that is both dropped and repeated', [{ on: 'x', drop: true, repeat: 2 }], [`O-241 ${at}[0].drop`]],
    ['an id that is a list', [{ on: 'x', id: [] }], [`O-241 ${at}[0].id`]],
    [
      'a delay range that begins after its end',
      [{ on: 'x', delay: { from: '9s', to: '1s' } }],
      [`O-241 ${at}[0].delay`],
    ],
    ['a delay of zero', [{ on: 'x', delay: '0s' }], [`O-241 ${at}[0].delay`]],
    [
      'a delay range whose end is no duration',
      [{ on: 'x', delay: { from: '1s', to: 'soon' } }],
      [`O-241 ${at}[0].delay.to`],
    ],
    [
      'a delay range whose begin is no duration',
      [{ on: 'x', delay: { from: 'soon', to: '0s' } }],
      [`O-241 ${at}[0].delay.from`],
    ],
    ['an id taken from an unknown message', [{ on: 'x', id: { of: 'mine' } }], [`O-241 ${at}[0].id.of`]],
    ['headers that are a text', [{ on: 'x', http: { headers: 'a' } }], [`O-241 ${at}[0].http.headers`]],
    [
      'a header value that is a number',
      [{ on: 'x', http: { headers: { a: 'b', c: 5 } } }],
      [`O-241 ${at}[0].http.headers`],
    ],
    [
      'a header value with a line break',
      [{ on: 'x', http: { headers: { a: 'b\nc' } } }],
      [`O-241 ${at}[0].http.headers.a`],
    ],
    ['an empty mapping of headers', [{ on: 'x', http: { headers: {} } }], [`O-241 ${at}[0].http.headers`]],
    ['an empty list of events', [{ on: 'x', sse: { events: [] } }], [`O-241 ${at}[0].sse.events`]],
    ['events that are no list', [{ on: 'x', sse: { events: 'a' } }], [`O-241 ${at}[0].sse.events`]],
    ['an event that is no text', [{ on: 'x', sse: { events: ['a', 5] } }], [`O-241 ${at}[0].sse.events[1]`]],
    ['an unknown key of an effect', [{ on: 'x', http: { statsu: 500 } }], [`O-241 ${at}[0].http.statsu`]],
    ['a list split into only one page', [{ on: 'tools/list', pages: 1 }], [`O-241 ${at}[0].pages`]],
    ['a cut position that is a mapping', [{ on: 'x', bytes: { cut: {} } }], [`O-241 ${at}[0].bytes.cut`]],
    [
      'a header name with a space',
      [{ on: 'x', http: { headers: { 'a b': 'c' } } }],
      [`O-241 ${at}[0].http.headers.a b`],
    ],
    ['pages for an operation that is no list', [{ on: 'tools/call', pages: true }], [`O-241 ${at}[0].pages`]],
    ['an effect that is empty', [{ on: 'x', bytes: {} }], [`O-241 ${at}[0].bytes`]],
    ['an id that is an empty mapping', [{ on: 'x', id: {} }], [`O-241 ${at}[0].id`]],
    ['a repeat_key that names no key', [{ on: 'x', bytes: { repeat_key: {} } }], [`O-241 ${at}[0].bytes.repeat_key`]],
    ['a cut at the end of the message', [{ on: 'x', bytes: { cut: '100%' } }], [`O-241 ${at}[0].bytes.cut`]],
    [
      'a corruption with an empty text',
      [{ on: 'x', bytes: { corrupt: { at: 0, with: '' } } }],
      [`O-241 ${at}[0].bytes.corrupt.with`],
    ],
    ['a gRPC status in a rule for MCP', [{ on: 'x', grpc: { status: 'UNKNOWN' } }], [`O-242 ${at}[0].grpc.status`]],
    [
      'an unknown gRPC status as wrong, although MCP has none anyway',
      [{ on: 'x', grpc: { status: 'FINE' } }],
      [`O-241 ${at}[0].grpc.status`],
    ],
  ])('reports %s', (_, rules, expected) => {
    expect(found(rules)).toEqual(expected);
  });

  test.each<readonly [unknown, string]>([
    [{ on: 'x' }, ': delay, drop, error, repeat, id, hold …'],
    [{ on: 'x', dealy: '1s', drop: true }, 'did you mean `delay`?'],
    [{ on: 'x', http: { colour: 'red' } }, ': status, headers, content_type, compress'],
  ])('gives a hint for the rule %j', (rule, hint) => {
    expect(diagnoseMarked(serving([rule])).flatMap((each) => each.hint ?? [])).toContainEqual(
      expect.stringContaining(hint),
    );
  });

  test('reports trailers that are empty', () => {
    expect(found([{ on: 'x', grpc: { trailers: {} } }], 'a2a_server')).toEqual([`O-241 ${at}[0].grpc.trailers`]);
  });

  test('reports a client that would drop a request', () => {
    expect(found([{ on: 'tools/call', drop: true }], 'mcp_client')).toEqual([`O-242 ${at}[0].drop`]);
  });

  test('finds nothing wrong with rules that use every key', () => {
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

describe('a mark on an x-wire rule', () => {
  const rules = [{ on: 'tools/call', error: { code: -1, message: 'call me' } }];
  const marked = (pointer: string, benign?: string): string =>
    serving(rules, undefined, { 'x-payload': [{ at: pointer, ...(benign !== undefined && { benign }) }] });

  test('is read in the single-phase form, too', () => {
    const loaded = loadMarked(marked('/x-wire/0/error/message'));
    expect(loaded.ok && loaded.marks).toMatchObject([{ at: '/x-wire/0/error/message' }]);
  });

  test('takes the rule out of the benign twin', () => {
    const text = marked('/x-wire/0');
    const loaded = loadMarked(text);
    const twin = makeBenignTwin(text, loaded.ok ? (loaded.marks ?? []) : []);
    expect(twin.ok && twin.document.attack.execution.extensions).toEqual({ 'x-wire': [] });
  });
});

describe('the outcome if an x-wire rule changes the answer', () => {
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
      indicators: [{ protocol: 'mcp', surface: 'tools/call', target: 'name', pattern: { condition: 'never' } }],
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
    const { outcome, cause } = evaluateTrace(document, [...virtual.records, end as unknown as TraceRecord]);
    return cause ?? outcome;
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
  ])('for %j with its mark at %s is %s', async (rule, pointer, outcome) => {
    expect(await outcomeOf(rule, pointer)).toBe(outcome);
  });
});

describe('the outcome after an x-wire rule has broken a request', () => {
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
    [
      'is resisted if the server answers with an error and still answers a ping',
      [pong, sent(['bytes']), error],
      'resisted',
    ],
    [
      'is inconclusive if the server only answered with an error, as a broken server does',
      [sent(['bytes']), error],
      'trouble',
    ],
    [
      'is resisted if the server refuses the request with HTTP 400 and still answers a ping',
      [pong, sent(['bytes']), closed({ reason: 'HTTP 400', status: 400 })],
      'resisted',
    ],
    [
      'is resisted if the HTTP 400 has a body that cannot be read',
      [pong, sent(['bytes']), malformed, closed({ reason: 'HTTP 400', status: 400 })],
      'resisted',
    ],
    [
      'is inconclusive if the server crashes with HTTP 500',
      [sent(['bytes']), closed({ reason: 'HTTP 500', status: 500 })],
      'trouble',
    ],
    ['is inconclusive if the server answers with an internal error', [sent(['bytes']), failing(-32603)], 'trouble'],
    ...[-32000, -32010].map(
      (code) =>
        [
          `is inconclusive if the server answers ${code} to a message that nobody can read`,
          [sent(['bytes']), failing(code)],
          'trouble',
        ] as const,
    ),
    ...[401, 403, 404, 429].map(
      (status) =>
        [
          `is inconclusive if the server answers HTTP ${status}, which does not refuse the message as broken`,
          [pong, sent(['bytes']), closed({ reason: `HTTP ${status}`, status })],
          'trouble',
        ] as const,
    ),
    [
      'is resisted if the server refuses a message as not understood that went out whole but slowly',
      [pong, slowly, error],
      'resisted',
    ],
    [
      'is resisted if the server refuses a slow message with HTTP 408',
      [pong, slowly, closed({ reason: 'HTTP 408', status: 408 })],
      'resisted',
    ],
    ['is inconclusive if the server understood the message and failed', [slowly, failing(-32000)], 'trouble'],
    ['is inconclusive (unread) if the answer cannot be read', [sent(['bytes']), malformed, pong], 'unread'],
    [
      'is inconclusive (silent) if we closed the connection ourselves',
      [pong, sent(['end']), closed({ reason: 'we left' })],
      'silent',
    ],
    [
      'is inconclusive after HTTP 400 if the rule had no effect',
      [sent([]), closed({ reason: 'HTTP 400', status: 400 })],
      'trouble',
    ],
    ['is inconclusive after an error if the message was only delayed', [sent(['delay']), error], 'trouble'],
  ])('%s', (_, records, expected) => {
    const trace = [...records, end].map((record, seq) => ({ ...record, seq })) as unknown as TraceRecord[];
    const { outcome, cause } = evaluateTrace(attack, trace);
    expect(cause ?? outcome).toBe(expected);
  });
});

test('a name that a rule gives to an id with `as` is not an unknown reference (W-004)', () => {
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
