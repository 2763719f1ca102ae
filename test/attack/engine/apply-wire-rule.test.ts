import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../src/attack/engine/actor-messages.ts';
import {
  applyWireRule,
  findHarm,
  hasAddedWords,
  listTransportActions,
} from '../../../src/attack/engine/apply-wire-rule.ts';
import { createWireTiming } from '../../../src/attack/engine/ruled-sends.ts';
import { applyRuleToAnswer } from '../../../src/attack/engine/wire-answer.ts';
import type { AppliedWireRule } from '../../../src/format/model/applied-wire-rule.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import { VirtualClock } from '../../support/virtual-run.ts';

// The order that a rule gives for one message, what comes of it, and when.

const ruled = (actions: ValueMap) => ({
  pointer: '/r',
  on: '*',
  when: undefined,
  nth: undefined,
  times: undefined,
  actions,
});
const fill = (value: Value): Value => JSON.parse(JSON.stringify(value).replaceAll('{{x}}', 'X'));

function order(actions: ValueMap, { id, lastId }: { id?: Value; lastId?: Value } = {}): AppliedWireRule {
  return applyWireRule(ruled(actions), { fill, id, lastId, random: () => 0.5 });
}

describe('applyWireRule', () => {
  test.each<[ValueMap, object]>([
    [{ delay: '5s' }, { delayMs: 5_000 }],
    [{ delay: '1d' }, { delayMs: 600_000 }],
    [{ delay: { from: '1s', to: '3s' } }, { delayMs: 2_000 }],
    [{ delay: { from: '2s', to: '2s' } }, { delayMs: 2_000 }],
    [{ delay: { from: '1d', to: '2d' } }, { delayMs: 600_000 }],
    [{ hold: 'next' }, { hold: 'next' }],
    [{ hold: 'cancelled' }, { hold: 'cancelled' }],
    [{ flood: { method: 'm' } }, { flood: { method: 'm', params: undefined, count: 1, everyMs: 0 } }],
    [
      { flood: { method: 'm', params: { a: '{{x}}' }, count: 1e6, every: '1d' } },
      { flood: { method: 'm', params: { a: 'X' }, count: 10_000, everyMs: 600_000 } },
    ],
    [{ repeat: 2 }, { repeat: 2 }],
    [{ repeat: 1e6 }, { repeat: 1_000 }],
    [{ batch: true }, { batch: true }],
    [
      {
        http: {
          status: 200,
          headers: { a: '{{x}}', b: null, 'c d': 'e', f: 5 },
          content_type: 'text/plain',
          compress: 'gzip',
        },
      },
      {
        http: {
          status: 200,
          headers: { a: 'X', b: null, f: '5' },
          contentType: 'text/plain',
          compress: 'gzip',
        },
      },
    ],
    [{ http: { status: 599, compress: 'deflate' } }, { http: { status: 599, compress: 'deflate' } }],
    [{ http: { compress: 'br' } }, { http: { compress: 'br' } }],
    [{ bytes: { cut: 0 } }, { bytes: { cut: 0 } }],
    [{ bytes: { cut: '100%' } }, { bytes: { cut: '100%' } }],
    [{ bytes: { corrupt: { at: '5%', with: 'zeros' } } }, { bytes: { corrupt: { at: '5%', with: 'zeros' } } }],
    [{ bytes: { corrupt: { at: 1, with: 'invalid_utf8' } } }, { bytes: { corrupt: { at: 1, with: 'invalid_utf8' } } }],
    [{ bytes: { corrupt: { at: 1, with: 7 } } }, { bytes: { corrupt: { at: 1, with: 'text', text: '7' } } }],
    [{ bytes: { repeat_key: { a: '{{x}}' } } }, { bytes: { repeatKey: { a: 'X' } } }],
    [{ frame: 'no_newline' }, { frame: 'no_newline' }],
    [{ frame: 'newline_inside' }, { frame: 'newline_inside' }],
    [{ pace: { bytes: 5, every: '1s' } }, { pace: { bytes: 5, everyMs: 1_000 } }],
    [{ pace: { bytes: 0 } }, { pace: { bytes: 1, everyMs: 0 } }],
    [{ pace: { every: '1d' } }, { pace: { bytes: 1, everyMs: 600_000 } }],
    [{ end: { by: 'reset' } }, { end: { by: 'reset', when: 'during' } }],
    ...['before', 'during', 'after', 'answering'].map((when): [ValueMap, object] => [
      { end: { by: 'close', when } },
      { end: { by: 'close', when } },
    ]),
    [{ end: { by: 'close', when: 'never' } }, { end: { by: 'close', when: 'during' } }],
    [{ read: 'none' }, { read: 'none' }],
    [{ read: { bytes: 3 } }, { read: { bytes: 3, everyMs: 0 } }],
    ...['endless', 'silent', 'comments'].map((stream): [ValueMap, object] => [{ stream }, { stream }]),
    [
      { sse: { id: 'i', retry: 5, event: 'e', comments: 3, events: ['{{x}}', 7] } },
      { sse: { id: 'i', retry: '5', event: 'e', comments: 3, events: ['X', '7'] } },
    ],
    [{ sse: { comments: 1 } }, { sse: { comments: 1 } }],
    [{ sse: { comments: 1e6 } }, { sse: { comments: 10_000 } }],
    [
      { grpc: { status: 'UNKNOWN', message: '{{x}}', trailers: { a: '{{x}}', b: null } } },
      { grpc: { status: 'UNKNOWN', message: 'X', trailers: { a: 'X' } } },
    ],
    [{ grpc: { status: 'UNKNOWN' } }, { grpc: { status: 'UNKNOWN' } }],
    [{ grpc: { message: 'alone', trailers: { a: 'b' } } }, { grpc: { trailers: { a: 'b' } } }],
    [{ error: {} }, {}],
    [{ pages: true }, {}],
    [{ as: 'name' }, {}],
    [{ together: true }, {}],
  ])('reads %j as %j', (actions, expected) => {
    expect(order(actions)).toEqual({ rule: '/r', actions: Object.keys(actions), ...expected });
  });

  test.each<ValueMap>([
    ...['delay', 'hold', 'flood', 'repeat', 'batch', 'http', 'bytes', 'frame', 'pace', 'end', 'read', 'stream'].map(
      (action) => ({ [action]: null }),
    ),
    { sse: null },
    { grpc: null },
    { as: null },
    { together: null },
    { delay: '0s' },
    { delay: 5 },
    { delay: { from: '2s', to: '1s' } },
    { delay: { from: '2s' } },
    { delay: { to: '2s' } },
    { delay: { from: '0s', to: '0s' } },
    { hold: 'back' },
    { flood: 'm' },
    { flood: { count: 3 } },
    { flood: { method: 'm', count: 0 } },
    { repeat: 1 },
    { repeat: 2.5 },
    { repeat: '2' },
    { batch: 'yes' },
    { http: 'odd' },
    { http: { status: 199, headers: {}, content_type: 5, compress: 'zip' } },
    { http: { status: 600, headers: { 'a b': 'c' }, content_type: 'a\n' } },
    { http: { status: 200.5, headers: 'a' } },
    { bytes: 'odd' },
    { bytes: { cut: -1, corrupt: { at: 'half', with: 'x' }, repeat_key: {} } },
    { bytes: { cut: '101%', corrupt: 'x', repeat_key: 'a' } },
    { bytes: { cut: 'a5%', corrupt: { at: 1, with: '' } } },
    { bytes: { cut: '5%a', corrupt: { at: 1 } } },
    { bytes: { cut: 1.5 } },
    { frame: 'odd' },
    { pace: 5 },
    { end: 'reset' },
    { end: { by: 'fire' } },
    { read: 'some' },
    { stream: 'odd' },
    { sse: 'odd' },
    { sse: { id: 5, event: 5, comments: 0, events: [] } },
    { sse: { events: 'x' } },
    { grpc: 'odd' },
    { grpc: { status: 'FINE', message: 'alone', trailers: {} } },
    { grpc: { trailers: 'odd' } },
    { as: 5 },
    { together: 'yes' },
    { unheard: true },
    { toString: true },
  ])('finds no valid action in %j', (actions) => {
    expect(order(actions)).toEqual({ rule: '/r', actions: [] });
  });

  test.each<[Value, Value | undefined, Value | undefined, Value | undefined]>([
    [99, 1, undefined, 99],
    [1, 1, undefined, undefined],
    [null, 1, undefined, null],
    [{ of: 'previous' }, 2, 1, 1],
    [{ of: 'previous' }, 2, undefined, undefined],
    [{ of: 'first' }, 2, 1, undefined],
    [{ as: 'text' }, 2, 1, '2'],
    [{ as: 'number' }, '2', 1, 2],
    [{ as: 'number' }, 'two', 1, 0],
    [{ as: 'odd' }, 2, 1, undefined],
    [{ as: 'odd' }, '2', 1, undefined],
  ])(
    'with the action `id: %j`, gives a message with the id %j after one with %j the id %j',
    (id, own, last, expected) => {
      const made = order(
        { id },
        { ...(own !== undefined && { id: own }), ...(last !== undefined && { lastId: last }) },
      );
      expect(made.id).toEqual(expected === undefined ? undefined : { value: expected });
      expect(made.actions).toEqual(expected === undefined ? [] : ['id']);
    },
  );

  test('reads several actions in their order and drops unknown ones', () => {
    expect(order({ delay: '1s', unheard: 1, repeat: 2 })).toEqual({
      rule: '/r',
      actions: ['delay', 'repeat'],
      delayMs: 1_000,
      repeat: 2,
    });
  });

  test('leaves to transports, in listTransportActions, what the engine does not do', () => {
    const actions = ['delay', 'drop', 'error', 'hold', 'flood', 'pages', 'as', 'together', 'repeat', 'id', 'http'];
    expect(listTransportActions({ rule: '/r', actions })).toEqual(['repeat', 'id', 'http']);
  });
});

describe('findHarm and hasAddedWords', () => {
  test.each<[ValueMap, readonly string[], string | undefined]>([
    [{ id: 9 }, ['id'], 'it went out under another id'],
    [{ id: 9 }, [], undefined],
    [{ frame: 'no_newline' }, ['frame'], 'its frame was broken'],
    [{ batch: true }, ['batch'], 'it went out as a batch'],
    [{ grpc: { status: 'UNKNOWN' } }, ['grpc'], 'it went out with the gRPC status UNKNOWN'],
    [{ grpc: { trailers: { a: 'b' } } }, ['grpc'], undefined],
    [{ end: { by: 'reset' } }, ['end'], 'the connection was reset behind it'],
    [{ end: { by: 'reset', when: 'answering' } }, ['end'], undefined],
    [{ end: { by: 'close' } }, ['end'], undefined],
    [{ stream: 'endless' }, ['stream'], undefined],
    [{ stream: 'silent' }, ['stream'], 'it never went out'],
    [{ read: 'none' }, ['read'], 'nothing of its answer was read'],
    [{ read: { bytes: 1 } }, ['read'], undefined],
    [{ delay: '1s', batch: true }, ['delay', 'batch'], 'it went out as a batch'],
    [{ delay: '1s' }, ['delay'], undefined],
  ])('reports, for %j of which %j was done, the harm: %s', (actions, did, harm) => {
    expect(findHarm(order(actions, { id: 1 }), did)).toBe(harm);
  });

  test.each<[ValueMap, boolean]>([
    [{ error: {} }, true],
    [{ bytes: { repeat_key: { a: 1 } } }, true],
    [{ bytes: { cut: 5 } }, false],
    [{ sse: { events: ['a'] } }, true],
    [{ sse: { id: 'a' } }, false],
    [{ delay: '1s' }, false],
  ])('tells whether %j changes the content of the message: %s', (actions, does) => {
    expect(hasAddedWords(order(actions))).toBe(does);
  });
});

describe('applyRuleToAnswer', () => {
  const list: Answer = { kind: 'result', result: { tools: [] } };
  const paged = (page: number) => ({
    answer: { kind: 'result', result: { tools: [], next: `page-${page}` } },
    isOther: false,
  });
  const unpaged = { answer: list, isOther: false, unapplied: ['pages'] };
  const keys = { asked: 'cursor', next: 'next' };
  const made = (actions: ValueMap, answer: Answer = list, params?: Value, method = 'tools/list', known = true) =>
    applyRuleToAnswer(answer, {
      rule: ruled(actions),
      fill,
      keys: known ? keys : undefined,
      exchange: { method, params },
    });

  test.each<[title: string, given: ReturnType<typeof made>, expected: object]>([
    ['a rule without actions', made({}), { answer: list, isOther: false }],
    [
      'an error and pages',
      made({ error: { code: 1, message: '{{x}}' }, pages: true }),
      { answer: { kind: 'error', error: { code: 1, message: 'X' } }, isOther: true, unapplied: ['pages'] },
    ],
    ['the first page of a list', made({ pages: true }), paged(2)],
    ['the page after page 7', made({ pages: true }, list, { cursor: 'page-7' }), paged(8)],
    ['a cursor with other text before it', made({ pages: true }, list, { cursor: 'xpage-7' }), paged(2)],
    ['a cursor with other text behind it', made({ pages: true }, list, { cursor: 'page-7x' }), paged(2)],
    ['params that are not a map', made({ pages: true }, list, 'odd'), paged(2)],
    ['the last page but one of three', made({ pages: 3 }, list, { cursor: 'page-2' }), paged(3)],
    ['the last page of three', made({ pages: 3 }, list, { cursor: 'page-3' }), unpaged],
    ['a number of pages that is not one', made({ pages: 'all' }), unpaged],
    ['pages for a method without a list', made({ pages: true }, list, {}, 'tools/call'), unpaged],
    ['pages without known keys', made({ pages: true }, list, {}, 'tools/list', false), unpaged],
    [
      'pages for a result that is not a map',
      made({ pages: true }, { kind: 'result', result: 'odd' }),
      { ...unpaged, answer: { kind: 'result', result: 'odd' } },
    ],
    [
      'pages for an error',
      made({ pages: true }, { kind: 'error', error: {} }),
      { ...unpaged, answer: { kind: 'error', error: {} } },
    ],
  ])('gives the answer that a rule demands for %s', (_, given, expected) => {
    expect(given).toEqual(expected);
  });
});

describe('createWireTiming', () => {
  const timing = () => {
    const clock = new VirtualClock();
    const reported: string[] = [];
    const { send, ...rest } = createWireTiming(clock);
    const go = (actions: ValueMap, id: string) =>
      send(
        order(actions),
        id,
        () => reported.push(id),
        () => reported.push(`${id}+`),
      );
    return { clock, told: reported, go, send, ...rest };
  };

  test('sends a message at once or after its delay', () => {
    const { clock, told: reported, go } = timing();
    go({ delay: '2s' }, 'late');
    go({}, 'now');
    clock.advance(1_999);
    expect(reported).toEqual(['now']);
    clock.advance(1);
    expect(reported).toEqual(['now', 'late']);
  });

  test('sends a message after a delay of one millisecond', () => {
    const { clock, told: reported, send } = timing();
    send(
      { rule: '/r', actions: ['delay'], delayMs: 1 },
      1,
      () => reported.push('late'),
      () => {},
    );
    expect(reported).toEqual([]);
    clock.advance(1);
    expect(reported).toEqual(['late']);
  });

  test('sends a held message after another one or after its cancellation', () => {
    const { told: reported, go, answered, cancelled } = timing();
    go({ hold: 'next' }, 'a');
    go({ hold: 'cancelled' }, 'b');
    go({ hold: 'cancelled' }, 'c');
    expect(reported).toEqual([]);
    answered();
    expect(reported).toEqual(['a']);
    cancelled('a');
    cancelled('c');
    cancelled('c');
    expect(reported).toEqual(['a', 'c']);
  });

  test('sends a message after its flood, which goes in bursts without pauses', () => {
    const { clock, told: reported, go } = timing();
    go({ flood: { method: 'm', count: 101 } }, 'a');
    expect(reported).toHaveLength(100);
    clock.advance(0);
    expect(reported.slice(100)).toEqual(['a+', 'a']);
    go({ flood: { method: 'm', count: 100 } }, 'b');
    expect(reported.slice(-1)).toEqual(['b']);
    go({ flood: { method: 'm', count: 2, every: '1s' } }, 'c');
    expect(reported.slice(-2)).toEqual(['b', 'c+']);
    clock.advance(1_000);
    expect(reported.slice(-2)).toEqual(['c+', 'c']);
  });

  test('sends no waiting message after the run', () => {
    const { clock, told: reported, go, answered, stop } = timing();
    go({ delay: '1s' }, 'a');
    go({ hold: 'next' }, 'b');
    stop();
    clock.advance(5_000);
    answered();
    expect(reported).toEqual([]);
  });
});
