import { describe, expect, test } from 'vitest';
import { a2aServer } from '../../src/bindings/a2a/server.ts';
import { mcpClient } from '../../src/bindings/mcp/client.ts';
import { mcpServer } from '../../src/bindings/mcp/server.ts';
import { ofTransport, troubledCalls, troubleOf } from '../../src/engine/answer-trouble.ts';
import { compileAwaits, hasCome } from '../../src/engine/awaits.ts';
import type { Binding } from '../../src/engine/binding.ts';
import { createOrderedSends } from '../../src/engine/ordered-sends.ts';
import type { Value, ValueMap } from '../../src/index.ts';
import type { WireOrder, WirePerformed } from '../../src/model/wire.ts';
import { VirtualClock } from '../support/virtual-run.ts';

// What is recorded of messages that a rule has an order for, and what is told of deeds that came to nothing.

interface Told {
  readonly records: ValueMap[];
  readonly warnings: string[];
  readonly sent: string[];
}

const rule = '/phases/0/x-wire/0';
const order = (fields: Partial<WireOrder> & { readonly deeds: readonly string[] }): WireOrder => ({
  rule,
  ...fields,
});
const record = {
  ...{ kind: 'response', origin: 'attacker', actor: 'a', phase: 'p', protocol: 'mcp', mode: 'mcp_server' },
  ...{ method: 'tools/call', id: 7, session: 's', content: {}, pieces: ['/piece'], request: {} },
};

/** `performed`: what the transport says of an order; `cut`: why a message was cut off. */
function sends(binding: Binding, performed?: WirePerformed, cut?: string) {
  const told: Told = { records: [], warnings: [], sent: [] };
  const clock = new VirtualClock();
  const ordered = createOrderedSends(
    { name: 'a' } as never,
    binding,
    {
      answer: (exchange: string, _: unknown, sent: (...given: unknown[]) => void, given?: WireOrder) => {
        told.sent.push(`answer ${exchange} ${given?.deeds.join('+')}`);
        sent(undefined, cut, performed);
      },
      notify: (target: unknown, method: string, _: unknown, sent: (...given: unknown[]) => void) => {
        told.sent.push(`notify ${typeof target === 'string' ? target : 'exchange'} ${method}`);
        sent('s2', 'era');
      },
    } as never,
    {
      clock,
      record: (each: unknown) => void told.records.push(each as ValueMap),
      warn: ({ code, message }: { code: string; message: string }) =>
        void told.warnings.push(`${code} ${/\/x-wire\/0\/(\w+)/.exec(message)?.[1]}`),
    } as never,
  );
  const answer = (given: WireOrder) =>
    ordered.answer(
      { kind: 'answer', exchange: 'x1', answer: { kind: 'result', result: {} }, record } as never,
      given,
    );
  const send = (given: WireOrder, kind = 'request') =>
    ordered.send({ ...record, kind } as never, given, (sent, how) => {
      told.sent.push(`${kind} ${how.order?.deeds.join('+') ?? 'plain'}`);
      sent('s1', undefined, undefined, cut, performed);
    });
  return { told, clock, ordered, answer, send };
}
const sentOf = ({ records }: Told) =>
  records
    .filter(({ kind }) => kind === 'response' || kind === 'request')
    .map(({ sent, pieces }) => [sent, pieces]);

describe('an answer', () => {
  test.each<
    [
      string,
      WireOrder,
      WirePerformed | undefined,
      string | undefined,
      object,
      readonly string[] | undefined,
      readonly string[],
    ]
  >([
    ['that was done', order({ deeds: ['http'] }), {}, undefined, { did: ['http'] }, ['/piece', rule], []],
    [
      'of which the transport says nothing',
      order({ deeds: ['http', 'repeat'] }),
      undefined,
      undefined,
      { did: [] },
      ['/piece'],
      ['http', 'repeat'],
    ],
    [
      'that was done in part',
      order({ deeds: ['http', 'id'], id: { value: 9 } }),
      { undone: ['id'] },
      undefined,
      { did: ['http'] },
      ['/piece', rule],
      ['id'],
    ],
    [
      'under another id',
      order({ deeds: ['id'], id: { value: 9 } }),
      {},
      undefined,
      { did: ['id'], harm: 'it went out under another id' },
      [rule],
      [],
    ],
    [
      'that was cut',
      order({ deeds: ['bytes'], bytes: { cut: 1 } }),
      {},
      'it was cut',
      { did: ['bytes'], harm: 'it was cut' },
      [rule],
      [],
    ],
    [
      'that the transport has harmed',
      order({ deeds: ['http'] }),
      { harm: 'status 500' } as WirePerformed,
      undefined,
      { did: ['http'], harm: 'status 500' },
      [rule],
      [],
    ],
    [
      'that was cut, and spoke within',
      order({ deeds: ['error', 'bytes'], bytes: { cut: 1 } }),
      {},
      'it was cut',
      { did: ['error', 'bytes'], harm: 'it was cut' },
      undefined,
      [],
    ],
    [
      'of the engine alone',
      order({ deeds: ['error'] }),
      undefined,
      undefined,
      { did: ['error'] },
      ['/piece', rule],
      [],
    ],
    [
      'with what only requests can have',
      order({ deeds: ['as', 'together', 'read'] }),
      {},
      undefined,
      { did: [] },
      ['/piece'],
      ['as', 'together', 'read'],
    ],
    [
      'with an end that only clients can make',
      order({ deeds: ['end'], end: { by: 'close', when: 'answering' } }),
      {},
      undefined,
      { did: [] },
      ['/piece'],
      ['end'],
    ],
    [
      'with an end',
      order({ deeds: ['end'], end: { by: 'close', when: 'after' } }),
      {},
      undefined,
      { did: ['end'] },
      ['/piece', rule],
      [],
    ],
    [
      'without the flood that it should have',
      order({ deeds: ['flood'] }),
      {},
      undefined,
      { did: [] },
      ['/piece'],
      ['flood'],
    ],
  ])('%s', (_, given, performed, cut, sent, pieces, undone) => {
    const { told, answer } = sends(mcpServer, performed, cut);
    answer(given);
    expect(sentOf(told)).toEqual([[{ rule, ...sent }, pieces]]);
    expect(told.warnings).toEqual(undone.map((deed) => `O-116 ${deed}`));
  });

  test('says beside it what the transport has written', () => {
    const { told, answer } = sends(mcpServer, { status: 503 } as WirePerformed);
    answer(order({ deeds: ['http'] }));
    expect(sentOf(told)).toEqual([[{ rule, did: ['http'], status: 503 }, ['/piece', rule]]]);
  });

  test.each<[string, WireOrder, object | undefined]>([
    ['waits', order({ deeds: ['delay'], delayMs: 1 }), { did: ['wait'], delay_ms: 1 }],
    ['waits for the end', order({ deeds: ['hold'], hold: 'cancelled' }), { did: ['wait'] }],
    ['waits for the next', order({ deeds: ['hold'], hold: 'next' }), undefined],
    ['waits for nothing', order({ deeds: ['delay'] }), undefined],
    ...['error', 'flood', 'bytes', 'http', 'sse', 'grpc'].map((deed): [string, WireOrder, undefined] => [
      `waits, and then says something (${deed})`,
      order({ deeds: ['delay', deed], delayMs: 5 }),
      undefined,
    ]),
  ])('%s', (_, given, waiting) => {
    const { told, answer } = sends(mcpServer);
    answer(given);
    const { request: _request, content: _content, origin: _origin, ...place } = record;
    expect(told.records.filter(({ kind }) => kind === 'wire')).toEqual(
      waiting === undefined ? [] : [{ ...place, kind: 'wire', rule, pieces: [rule], ...waiting }],
    );
  });

  test('is held until another has gone out', () => {
    const { told, answer, ordered } = sends(mcpServer, {});
    answer(order({ deeds: ['hold'], hold: 'next' }));
    expect(told.sent).toEqual([]);
    ordered.answered();
    expect(told.sent).toEqual(['answer x1 hold']);
    expect(sentOf(told)).toEqual([[{ rule, did: ['hold'] }, ['/piece', rule]]]);
  });

  test('with an order frees one that is held, too', () => {
    const { told, answer } = sends(mcpServer, {});
    answer(order({ deeds: ['hold'], hold: 'next' }));
    answer(order({ deeds: ['hold'], hold: 'next' }));
    expect(told.sent).toEqual([]);
    answer(order({ deeds: ['http'] }));
    expect(told.sent).toEqual(['answer x1 http', 'answer x1 hold', 'answer x1 hold']);
  });

  test('is held until the peer gives it up, if it can', () => {
    const held = order({ deeds: ['hold'], hold: 'cancelled' });
    const { told, answer, ordered } = sends(mcpServer, {});
    answer(held);
    const cancel = (method: string, requestId: Value) =>
      ordered.received({ kind: 'notification', session: 's', method, params: { requestId } });
    cancel('notifications/cancelled', 8);
    cancel('notifications/other', 7);
    ordered.received({
      kind: 'request',
      method: 'notifications/cancelled',
      params: { requestId: 7 },
    } as never);
    expect(told.sent).toEqual([]);
    cancel('notifications/cancelled', 7);
    expect(told.sent).toEqual(['answer x1 hold']);
    const other = sends(a2aServer(), {});
    other.answer(held);
    expect([other.told.sent, other.told.warnings]).toEqual([['answer x1 hold'], ['O-116 hold']]);
    expect(other.told.records.filter(({ kind }) => kind === 'wire')).toEqual([]);
  });

  test('has its flood before it', () => {
    const { told, answer } = sends(mcpServer, {});
    answer(order({ deeds: ['flood'], flood: { method: 'm', params: { a: 1 }, count: 2, everyMs: 0 } }));
    expect(told.sent).toEqual(['notify exchange m', 'notify exchange m', 'answer x1 flood']);
    const { id: _id, request: _request, ...place } = record;
    expect(told.records[0]).toEqual({
      ...place,
      kind: 'notification',
      method: 'm',
      content: { a: 1 },
      pieces: [rule],
      session: 's2',
      era: 'era',
    });
    expect(sentOf(told)).toEqual([[{ rule, did: ['flood'] }, ['/piece', rule]]]);
  });

  test('does not go out when the run is over', () => {
    const { told, answer, ordered, clock } = sends(mcpServer, {});
    answer(order({ deeds: ['delay'], delayMs: 5 }));
    ordered.stop();
    clock.advance(10);
    expect(told.sent).toEqual([]);
  });
});

describe('what is no answer', () => {
  test.each<[string, Binding, string, WireOrder, readonly string[], readonly string[]]>([
    ['a request of a client', mcpClient, 'request', order({ deeds: ['bytes'] }), ['request bytes'], []],
    ['a request that is only late', mcpClient, 'request', order({ deeds: ['delay'] }), ['request plain'], []],
    [
      'a request that is repeated elsewhere',
      mcpClient,
      'request',
      order({ deeds: ['repeat'], repeat: 3 }),
      ['request plain'],
      [],
    ],
    [
      'a request with what only answers can have',
      mcpClient,
      'request',
      order({ deeds: ['error', 'pages', 'hold', 'id', 'stream', 'sse', 'grpc'], hold: 'next' }),
      [],
      [],
    ],
    [
      'a request with what only answers can have, for which it does not wait',
      mcpClient,
      'request',
      order({ deeds: ['error', 'pages', 'hold', 'id', 'stream', 'sse', 'grpc'] }),
      ['request error+pages+hold+id+stream+sse+grpc'],
      ['error', 'pages', 'hold', 'id', 'stream', 'sse', 'grpc'],
    ],
    [
      'a request that ends while it is answered',
      mcpClient,
      'request',
      order({ deeds: ['end'], end: { by: 'close', when: 'answering' } }),
      ['request end'],
      [],
    ],
    [
      'a notification of a client',
      mcpClient,
      'notification',
      order({ deeds: ['together'] }),
      ['notification plain'],
      ['together'],
    ],
    [
      'a message of a server, repeated',
      mcpServer,
      'request',
      order({ deeds: ['repeat', 'bytes'], repeat: 2 }),
      ['request repeat+bytes', 'request repeat+bytes'],
      [],
    ],
    [
      'a message of a server with what only others can have',
      mcpServer,
      'notification',
      order({ deeds: ['error', 'flood', 'pages', 'hold', 'as', 'together', 'read'] }),
      ['notification error+flood+pages+hold+as+together+read'],
      ['error', 'flood', 'pages', 'hold', 'as', 'together', 'read'],
    ],
  ])('%s', (_, binding, kind, given, sent, undone) => {
    const { told, send } = sends(binding, {});
    send(given, kind);
    expect(told.sent).toEqual(sent);
    expect([...new Set(told.warnings)]).toEqual(undone.map((deed) => `O-116 ${deed}`));
  });

  test('is repeated by the engine, also where the transport says nothing', () => {
    const { told, send } = sends(mcpServer);
    send(order({ deeds: ['repeat', 'bytes'], repeat: 2 }), 'notification');
    expect([...new Set(told.warnings)]).toEqual(['O-116 bytes']);
  });

  test('has its flood before it, in every session', () => {
    const { told, send } = sends(mcpClient, {});
    send(order({ deeds: ['flood'], flood: { method: 'm', params: undefined, count: 1, everyMs: 0 } }));
    expect(told.sent).toEqual(['notify every session m', 'request plain']);
    expect([told.warnings, sentOf(told).at(-1)]).toEqual([[], [{ rule, did: ['flood'] }, ['/piece', rule]]]);
  });

  test('a client has nothing that a peer could give up', () => {
    const { told, ordered } = sends(mcpClient);
    ordered.received({ kind: 'notification', session: 's', method: 'notifications/cancelled', params: {} });
    expect(told.sent).toEqual([]);
  });
});

describe('trouble with an answer', () => {
  const call = (fields: object = {}) => ({ reader: { end: () => 'early' }, ...fields }) as never;
  test('a peer that breaks off has begun or has failed', () => {
    expect(ofTransport(undefined)).toBeUndefined();
    expect(ofTransport('no')).toEqual({ reason: 'no', cause: 'trouble' });
    expect(ofTransport('no', call())).toEqual({ reason: 'no', cause: 'trouble' });
    expect(ofTransport('no', call({ hasBegun: true }))).toEqual({ reason: 'no', cause: 'cut_off' });
  });

  const trouble = { reason: 'own', cause: 'unread' };
  const ended = { reason: 'ended', cause: 'trouble' } as const;
  test.each<[object, typeof ended | undefined, unknown]>([
    [{}, undefined, { reason: 'early', cause: 'cut_off' }],
    [{ reader: { end: () => undefined } }, undefined, undefined],
    [{ trouble }, undefined, trouble],
    [{ trouble }, ended, ended],
    [{ trouble, overAt: 5 }, ended, trouble],
    [{ overAt: 5 }, ended, undefined],
  ])('%j that ended by %j', (fields, how, expected) => {
    expect(troubleOf(call(fields), how)).toEqual(expected);
  });

  test.each([
    [true, { reason: 'a task that never ended', cause: 'trouble' }],
    [false, { reason: 'over', cause: 'cut_off' }],
  ])('at the end of a run, out of time: %s', (isOutOfTime, endless) => {
    const state = {
      calls: new Map([
        ['c1', call()],
        ['c2', call({ overAt: 5 })],
        ['c3', call({ polls: 'x' })],
      ]),
      asked: new Map([['a1', { method: 'm' }]]),
      unfinished: new Map([['t', { begunBy: 'b1' }]]),
    };
    expect(troubledCalls(state as never, 'over', isOutOfTime)).toEqual([
      { session: 'c1', reason: 'over', cause: 'cut_off' },
      { session: 'a1', reason: 'm was not answered in time', cause: 'trouble' },
      { session: 'b1', ...endless },
    ]);
  });
});

describe('waits', () => {
  test.each<[Value | undefined, readonly object[]]>([
    [undefined, []],
    ['odd', []],
    [[{ extractors: ['x', 'y'] }], [{ names: ['me.x', 'me.y'], withinMs: 30_000 }]],
    [[{ actor: 'you', extractors: ['x'], within: '5s' }], [{ names: ['you.x'], withinMs: 5_000 }]],
    [
      [
        'odd',
        null,
        {},
        { extractors: 'x' },
        { extractors: ['x'], within: 5 },
        { extractors: ['x'], within: 'soon' },
      ],
      [],
    ],
  ])('%j', (written, expected) => {
    const phase = { ...(written !== undefined && { extensions: { 'x-await': written } }) };
    expect(compileAwaits('me', phase as never)).toEqual(expected);
  });

  test.each<[readonly object[], ValueMap, boolean]>([
    [[], {}, false],
    [[{ names: ['a.x'], until: 5 }], {}, false],
    [[{ names: ['a.x'], until: 5 }], { 'a.x': null }, true],
    [[{ names: ['a.x', 'a.y'], until: 5 }], { 'a.x': 1 }, false],
  ])('%j has come with %j: %s', (awaiting, values, has) => {
    expect(hasCome({ awaiting } as never, () => values)).toBe(has);
  });
});
