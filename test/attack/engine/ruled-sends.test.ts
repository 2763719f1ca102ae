import { describe, expect, test } from 'vitest';
import { a2aServer } from '../../../src/attack/bindings/a2a/a2a-server-binding.ts';
import { mcpClient } from '../../../src/attack/bindings/mcp/mcp-client-binding.ts';
import { mcpServer } from '../../../src/attack/bindings/mcp/mcp-server-binding.ts';
import { findAnswerTrouble, listTroubledCalls, toTransportTrouble } from '../../../src/attack/engine/answer-trouble.ts';
import type { Binding } from '../../../src/attack/engine/binding.ts';
import { hasCome } from '../../../src/attack/engine/phase-awaits.ts';
import { createRuledSends } from '../../../src/attack/engine/ruled-sends.ts';
import { readAwaits } from '../../../src/format/extensions/read-await.ts';
import type { AppliedWireRule, WirePerformed } from '../../../src/format/model/applied-wire-rule.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import { VirtualClock } from '../../support/virtual-run.ts';

// What is recorded of messages that a rule has an order for, and what is told of deeds that came to nothing.

interface RuledSendReport {
  readonly records: ValueMap[];
  readonly warnings: string[];
  readonly sent: string[];
}

const rule = '/phases/0/x-wire/0';
const makeRule = (fields: Partial<AppliedWireRule> & { readonly actions: readonly string[] }): AppliedWireRule => ({
  rule,
  ...fields,
});
const record = {
  ...{ kind: 'response', origin: 'attacker', actor: 'a', phase: 'p', protocol: 'mcp', mode: 'mcp_server' },
  ...{ method: 'tools/call', id: 7, session: 's', content: {}, pieces: ['/piece'], request: {} },
};

/** `performed`: what the transport says of an order; `cut`: why a message was cut off. */
function sends(binding: Binding, performed?: WirePerformed, cut?: string) {
  const reported: RuledSendReport = { records: [], warnings: [], sent: [] };
  const clock = new VirtualClock();
  const ordered = createRuledSends(
    { name: 'a' } as never,
    binding,
    {
      answer: (exchange: string, _: unknown, sent: (...given: unknown[]) => void, given?: AppliedWireRule) => {
        reported.sent.push(`answer ${exchange} ${given?.actions.join('+')}`);
        sent(undefined, cut, performed);
      },
      notify: (target: unknown, method: string, _: unknown, sent: (...given: unknown[]) => void) => {
        reported.sent.push(`notify ${typeof target === 'string' ? target : 'exchange'} ${method}`);
        sent('s2', 'era');
      },
    } as never,
    {
      clock,
      record: (each: unknown) => void reported.records.push(each as ValueMap),
      warn: ({ code, message }: { code: string; message: string }) =>
        void reported.warnings.push(`${code} ${/\/x-wire\/0\/(\w+)/.exec(message)?.[1]}`),
    } as never,
  );
  const answer = (given: AppliedWireRule) =>
    ordered.answer({ kind: 'answer', exchange: 'x1', answer: { kind: 'result', result: {} }, record } as never, given);
  const send = (given: AppliedWireRule, kind = 'request') =>
    ordered.send({ ...record, kind } as never, given, (sent, how) => {
      reported.sent.push(`${kind} ${how.order?.actions.join('+') ?? 'plain'}`);
      sent('s1', undefined, undefined, cut, performed);
    });
  return { told: reported, clock, ordered, answer, send };
}
const sentOf = ({ records }: RuledSendReport) =>
  records.filter(({ kind }) => kind === 'response' || kind === 'request').map(({ sent, pieces }) => [sent, pieces]);

describe('createRuledSends, for an answer with a rule', () => {
  test.each<
    [
      string,
      AppliedWireRule,
      WirePerformed | undefined,
      string | undefined,
      object,
      readonly string[] | undefined,
      readonly string[],
    ]
  >([
    ['whose rule was applied', makeRule({ actions: ['http'] }), {}, undefined, { did: ['http'] }, ['/piece', rule], []],
    [
      'about which the transport reports nothing',
      makeRule({ actions: ['http', 'repeat'] }),
      undefined,
      undefined,
      { did: [] },
      ['/piece'],
      ['http', 'repeat'],
    ],
    [
      'whose rule was applied in part',
      makeRule({ actions: ['http', 'id'], id: { value: 9 } }),
      { unapplied: ['id'] },
      undefined,
      { did: ['http'] },
      ['/piece', rule],
      ['id'],
    ],
    [
      'sent under another id',
      makeRule({ actions: ['id'], id: { value: 9 } }),
      {},
      undefined,
      { did: ['id'], harm: 'it went out under another id' },
      [rule],
      [],
    ],
    [
      'that was cut',
      makeRule({ actions: ['bytes'], bytes: { cut: 1 } }),
      {},
      'it was cut',
      { did: ['bytes'], harm: 'it was cut' },
      [rule],
      [],
    ],
    [
      'that the transport has changed',
      makeRule({ actions: ['http'] }),
      { harm: 'status 500' } as WirePerformed,
      undefined,
      { did: ['http'], harm: 'status 500' },
      [rule],
      [],
    ],
    [
      'that was an error and was cut',
      makeRule({ actions: ['error', 'bytes'], bytes: { cut: 1 } }),
      {},
      'it was cut',
      { did: ['error', 'bytes'], harm: 'it was cut' },
      undefined,
      [],
    ],
    [
      'whose rule only the engine applies',
      makeRule({ actions: ['error'] }),
      undefined,
      undefined,
      { did: ['error'] },
      ['/piece', rule],
      [],
    ],
    [
      'with actions that only requests can have',
      makeRule({ actions: ['as', 'together', 'read'] }),
      {},
      undefined,
      { did: [] },
      ['/piece'],
      ['as', 'together', 'read'],
    ],
    [
      'with an end that only clients can cause',
      makeRule({ actions: ['end'], end: { by: 'close', when: 'answering' } }),
      {},
      undefined,
      { did: [] },
      ['/piece'],
      ['end'],
    ],
    [
      'with a closed connection after it',
      makeRule({ actions: ['end'], end: { by: 'close', when: 'after' } }),
      {},
      undefined,
      { did: ['end'] },
      ['/piece', rule],
      [],
    ],
    [
      'without the flood of its rule',
      makeRule({ actions: ['flood'] }),
      {},
      undefined,
      { did: [] },
      ['/piece'],
      ['flood'],
    ],
  ])('records what was done with an answer %s', (_, given, performed, cut, sent, pieces, unapplied) => {
    const { told: reported, answer } = sends(mcpServer, performed, cut);
    answer(given);
    expect(sentOf(reported)).toEqual([[{ rule, ...sent }, pieces]]);
    expect(reported.warnings).toEqual(unapplied.map((action) => `O-116 ${action}`));
  });

  test('records the status that the transport has written', () => {
    const { told: reported, answer } = sends(mcpServer, { status: 503 } as WirePerformed);
    answer(makeRule({ actions: ['http'] }));
    expect(sentOf(reported)).toEqual([[{ rule, did: ['http'], status: 503 }, ['/piece', rule]]]);
  });

  test.each<[string, AppliedWireRule, object | undefined]>([
    ['a delayed answer', makeRule({ actions: ['delay'], delayMs: 1 }), { did: ['wait'], delay_ms: 1 }],
    ['an answer held until it is cancelled', makeRule({ actions: ['hold'], hold: 'cancelled' }), { did: ['wait'] }],
    ['an answer held until the next', makeRule({ actions: ['hold'], hold: 'next' }), undefined],
    ['a delay of no length', makeRule({ actions: ['delay'] }), undefined],
    ...['error', 'flood', 'bytes', 'http', 'sse', 'grpc'].map((action): [string, AppliedWireRule, undefined] => [
      `a delayed answer that is changed by ${action}`,
      makeRule({ actions: ['delay', action], delayMs: 5 }),
      undefined,
    ]),
  ])('records the waiting at once for %s: $2', (_, given, waiting) => {
    const { told: reported, answer } = sends(mcpServer);
    answer(given);
    const { request: _request, content: _content, origin: _origin, ...place } = record;
    expect(reported.records.filter(({ kind }) => kind === 'wire')).toEqual(
      waiting === undefined ? [] : [{ ...place, kind: 'wire', rule, pieces: [rule], ...waiting }],
    );
  });

  test('holds an answer until another has gone out', () => {
    const { told: reported, answer, ordered } = sends(mcpServer, {});
    answer(makeRule({ actions: ['hold'], hold: 'next' }));
    expect(reported.sent).toEqual([]);
    ordered.answered();
    expect(reported.sent).toEqual(['answer x1 hold']);
    expect(sentOf(reported)).toEqual([[{ rule, did: ['hold'] }, ['/piece', rule]]]);
  });

  test('frees held answers after another answer with a rule', () => {
    const { told: reported, answer } = sends(mcpServer, {});
    answer(makeRule({ actions: ['hold'], hold: 'next' }));
    answer(makeRule({ actions: ['hold'], hold: 'next' }));
    expect(reported.sent).toEqual([]);
    answer(makeRule({ actions: ['http'] }));
    expect(reported.sent).toEqual(['answer x1 http', 'answer x1 hold', 'answer x1 hold']);
  });

  test('holds an answer until the peer cancels it, if the protocol has that', () => {
    const held = makeRule({ actions: ['hold'], hold: 'cancelled' });
    const { told: reported, answer, ordered } = sends(mcpServer, {});
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
    expect(reported.sent).toEqual([]);
    cancel('notifications/cancelled', 7);
    expect(reported.sent).toEqual(['answer x1 hold']);
    const other = sends(a2aServer(), {});
    other.answer(held);
    expect([other.told.sent, other.told.warnings]).toEqual([['answer x1 hold'], ['O-116 hold']]);
    expect(other.told.records.filter(({ kind }) => kind === 'wire')).toEqual([]);
  });

  test('sends the flood of an answer before it', () => {
    const { told: reported, answer } = sends(mcpServer, {});
    answer(makeRule({ actions: ['flood'], flood: { method: 'm', params: { a: 1 }, count: 2, everyMs: 0 } }));
    expect(reported.sent).toEqual(['notify exchange m', 'notify exchange m', 'answer x1 flood']);
    const { id: _id, request: _request, ...place } = record;
    expect(reported.records[0]).toEqual({
      ...place,
      kind: 'notification',
      method: 'm',
      content: { a: 1 },
      pieces: [rule],
      session: 's2',
      era: 'era',
    });
    expect(sentOf(reported)).toEqual([[{ rule, did: ['flood'] }, ['/piece', rule]]]);
  });

  test('does not send a delayed answer when the run is over', () => {
    const { told: reported, answer, ordered, clock } = sends(mcpServer, {});
    answer(makeRule({ actions: ['delay'], delayMs: 5 }));
    ordered.stop();
    clock.advance(10);
    expect(reported.sent).toEqual([]);
  });
});

describe('createRuledSends, for other messages with a rule', () => {
  test.each<[string, Binding, string, AppliedWireRule, readonly string[], readonly string[]]>([
    ['a request of a client', mcpClient, 'request', makeRule({ actions: ['bytes'] }), ['request bytes'], []],
    ['a request with only a delay', mcpClient, 'request', makeRule({ actions: ['delay'] }), ['request plain'], []],
    [
      'a request of a client with repeats',
      mcpClient,
      'request',
      makeRule({ actions: ['repeat'], repeat: 3 }),
      ['request plain'],
      [],
    ],
    [
      'a held request with actions that only answers can have',
      mcpClient,
      'request',
      makeRule({ actions: ['error', 'pages', 'hold', 'id', 'stream', 'sse', 'grpc'], hold: 'next' }),
      [],
      [],
    ],
    [
      'a request with actions that only answers can have',
      mcpClient,
      'request',
      makeRule({ actions: ['error', 'pages', 'hold', 'id', 'stream', 'sse', 'grpc'] }),
      ['request error+pages+hold+id+stream+sse+grpc'],
      ['error', 'pages', 'hold', 'id', 'stream', 'sse', 'grpc'],
    ],
    [
      'a request whose connection ends while it is answered',
      mcpClient,
      'request',
      makeRule({ actions: ['end'], end: { by: 'close', when: 'answering' } }),
      ['request end'],
      [],
    ],
    [
      'a notification of a client',
      mcpClient,
      'notification',
      makeRule({ actions: ['together'] }),
      ['notification plain'],
      ['together'],
    ],
    [
      'a repeated message of a server',
      mcpServer,
      'request',
      makeRule({ actions: ['repeat', 'bytes'], repeat: 2 }),
      ['request repeat+bytes', 'request repeat+bytes'],
      [],
    ],
    [
      'a message of a server with actions that only others can have',
      mcpServer,
      'notification',
      makeRule({ actions: ['error', 'flood', 'pages', 'hold', 'as', 'together', 'read'] }),
      ['notification error+flood+pages+hold+as+together+read'],
      ['error', 'flood', 'pages', 'hold', 'as', 'together', 'read'],
    ],
  ])('applies only the actions that its kind of message can have: %s', (_, binding, kind, given, sent, unapplied) => {
    const { told: reported, send } = sends(binding, {});
    send(given, kind);
    expect(reported.sent).toEqual(sent);
    expect([...new Set(reported.warnings)]).toEqual(unapplied.map((action) => `O-116 ${action}`));
  });

  test('repeats a message of a server although the transport reports nothing', () => {
    const { told: reported, send } = sends(mcpServer);
    send(makeRule({ actions: ['repeat', 'bytes'], repeat: 2 }), 'notification');
    expect([...new Set(reported.warnings)]).toEqual(['O-116 bytes']);
  });

  test('sends the flood of a request before it, in every session', () => {
    const { told: reported, send } = sends(mcpClient, {});
    send(makeRule({ actions: ['flood'], flood: { method: 'm', params: undefined, count: 1, everyMs: 0 } }));
    expect(reported.sent).toEqual(['notify every session m', 'request plain']);
    expect([reported.warnings, sentOf(reported).at(-1)]).toEqual([[], [{ rule, did: ['flood'] }, ['/piece', rule]]]);
  });

  test('ignores a cancellation that a client receives', () => {
    const { told: reported, ordered } = sends(mcpClient);
    ordered.received({ kind: 'notification', session: 's', method: 'notifications/cancelled', params: {} });
    expect(reported.sent).toEqual([]);
  });
});

describe('ofTransport, findAnswerTrouble and listTroubledCalls', () => {
  const call = (fields: object = {}) => ({ reader: { end: () => 'early' }, ...fields }) as never;
  test('report cut_off, in ofTransport, if the answer had begun, else trouble', () => {
    expect(toTransportTrouble(undefined)).toBeUndefined();
    expect(toTransportTrouble('no')).toEqual({ reason: 'no', cause: 'trouble' });
    expect(toTransportTrouble('no', call())).toEqual({ reason: 'no', cause: 'trouble' });
    expect(toTransportTrouble('no', call({ hasBegun: true }))).toEqual({ reason: 'no', cause: 'cut_off' });
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
  ])('report, in findAnswerTrouble, for the call %j that ended by %j: %j', (fields, how, expected) => {
    expect(findAnswerTrouble(call(fields), how)).toEqual(expected);
  });

  test.each([
    [true, { reason: 'a task that never ended', cause: 'trouble' }],
    [false, { reason: 'over', cause: 'cut_off' }],
  ])(
    'report, in listTroubledCalls, unfinished calls and work when the run is out of time: %s',
    (isOutOfTime, endless) => {
      const state = {
        calls: new Map([
          ['c1', call()],
          ['c2', call({ overAt: 5 })],
          ['c3', call({ polls: 'x' })],
        ]),
        asked: new Map([['a1', { method: 'm' }]]),
        unfinished: new Map([['t', { begunBy: 'b1' }]]),
      };
      expect(listTroubledCalls(state as never, 'over', isOutOfTime)).toEqual([
        { session: 'c1', reason: 'over', cause: 'cut_off' },
        { session: 'a1', reason: 'm was not answered in time', cause: 'trouble' },
        { session: 'b1', ...endless },
      ]);
    },
  );
});

describe('readAwaits and hasCome', () => {
  test.each<[Value | undefined, readonly object[]]>([
    [undefined, []],
    ['odd', []],
    [[{ extractors: ['x', 'y'] }], [{ names: ['me.x', 'me.y'], withinMs: 30_000 }]],
    [[{ actor: 'you', extractors: ['x'], within: '5s' }], [{ names: ['you.x'], withinMs: 5_000 }]],
    [
      ['odd', null, {}, { extractors: 'x' }, { extractors: ['x'], within: 5 }, { extractors: ['x'], within: 'soon' }],
      [],
    ],
  ])('read from the x-await %j the values %j', (written, expected) => {
    const phase = { ...(written !== undefined && { extensions: { 'x-await': written } }) };
    expect(readAwaits('me', phase as never)).toEqual(expected);
  });

  test.each<[readonly object[], ValueMap, boolean]>([
    [[], {}, false],
    [[{ names: ['a.x'], until: 5 }], {}, false],
    [[{ names: ['a.x'], until: 5 }], { 'a.x': null }, true],
    [[{ names: ['a.x', 'a.y'], until: 5 }], { 'a.x': 1 }, false],
  ])('tell whether %j has come with the values %j: %s', (awaiting, values, has) => {
    expect(hasCome({ awaiting } as never, () => values)).toBe(has);
  });
});
