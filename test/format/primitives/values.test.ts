import { describe, expect, test } from 'vitest';
import { createSeededRandom } from '../../../src/attack/engine/match-wire-rules.ts';
import { addWork } from '../../../src/format/expression/counted-work.ts';
import { messageSteps } from '../../../src/format/expression/evaluation-limits.ts';
import { findWireStart, parseWireMs } from '../../../src/format/extensions/read-wire.ts';
import { isBlank } from '../../../src/format/model/escape-invisible.ts';
import { parseJson } from '../../../src/format/model/json-text-values.ts';
import type { Value, ValueMap } from '../../../src/format/model/value.ts';
import { cacheByPart } from '../../../src/format/primitives/cache-by-part.ts';
import { formatAsText, formatCompactJson, listKeys } from '../../../src/format/primitives/compact-json.ts';
import { isDeepEqual } from '../../../src/format/primitives/deep-equals.ts';
import {
  compileCondition,
  findMalformedOperator,
  isMatchCondition,
} from '../../../src/format/primitives/evaluate-condition.ts';
import { compileExtractors, evaluateExtractor } from '../../../src/format/primitives/evaluate-extractor.ts';
import { compilePredicate, selectEntry } from '../../../src/format/primitives/evaluate-predicate.ts';
import { compileTrigger } from '../../../src/format/primitives/evaluate-trigger.ts';
import {
  hasTemplate,
  interpolateTemplate,
  splitTemplate,
} from '../../../src/format/primitives/interpolate-template.ts';
import {
  directionOf,
  messageValue,
  readAttachedRequest,
  replaceResponse,
} from '../../../src/format/primitives/message-value.ts';
import { parseDuration } from '../../../src/format/primitives/parse-duration.ts';
import { isHttpHeader } from '../../../src/format/registry/wire-rule-keys.ts';
import { documentWith, message } from '../../support/records.ts';

// What conformance fixtures do not ask of the primitives.

describe('formatCompactJson, textOf and listKeys', () => {
  test.each<[value: Value, own: string, sorted?: string]>([
    [
      { b: [1, { d: null, c: 'x' }], a: {} },
      '{"b":[1,{"d":null,"c":"x"}],"a":{}}',
      '{"a":{},"b":[1,{"c":"x","d":null}]}',
    ],
    [[], '[]'],
    [[[], {}], '[[],{}]'],
    ['a"b', '"a\\"b"'],
    [null, 'null'],
    [{ '\u{1f600}': 1, '\uffff': 2 }, '{"😀":1,"\uffff":2}', '{"\uffff":2,"😀":1}'],
    [{ '😀b': 1, '😀': 2, '😀a': 3 }, '{"😀b":1,"😀":2,"😀a":3}', '{"😀":2,"😀a":3,"😀b":1}'],
    [parseJson('[1.0,12345678901234567890]') as Value, '[1.0,12345678901234567890]'],
  ])('formatCompactJson writes %j with its own and with sorted keys', (value, own, sorted = own) => {
    expect([formatCompactJson(value, 'own'), formatCompactJson(value, 'sorted')]).toEqual([own, sorted]);
  });

  test('textOf returns a string as it is and anything else as JSON', () => {
    expect([formatAsText('a', 'own'), formatAsText(['a'], 'own'), formatAsText({ b: 1, a: 1 }, 'own')]).toEqual([
      'a',
      '["a"]',
      '{"b":1,"a":1}',
    ]);
  });

  test('listKeys sorts keys by code point', () => {
    expect(listKeys({ b: 1, a: 1, '😀': 1, '\uffff': 1, '\uffffa': 1 }, 'sorted')).toEqual([
      'a',
      'b',
      '\uffff',
      '\uffffa',
      '😀',
    ]);
    expect(listKeys({ '😀': 1, '😀a': 1 }, 'sorted')).toEqual(listKeys({ '😀a': 1, '😀': 1 }, 'sorted'));
    expect(listKeys({ b: 1, a: 1 }, 'own')).toEqual(['b', 'a']);
  });
});

test.each<[left: Value, right: Value, equal: boolean]>([
  [1, 1, true],
  [1, '1', false],
  [null, null, true],
  [null, {}, false],
  [{}, null, false],
  [[], {}, false],
  [{}, [], false],
  [[], [], true],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [[1, 2], [1], false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: 1 }, { a: 1, b: 1 }, false],
  [{ a: 1, b: 1 }, { a: 1 }, false],
  [{ toString: 1 }, { a: 1 }, false],
  [{ a: [{ b: [1] }] }, { a: [{ b: [1] }] }, true],
  [{ a: [{ b: [1] }] }, { a: [{ b: [2] }] }, false],
  [[1, 2, 3], [1, 9, 3], false],
  [parseJson('[1.0]') as Value, [1], true],
  [parseJson('1.0') as Value, 1, true],
  [parseJson('1.5') as Value, 1, false],
  [NaN, NaN, false],
])('isDeepEqual(%j, %j) is %s', (left, right, equal) => {
  expect(isDeepEqual(left, right)).toBe(equal);
});

describe('a match condition', () => {
  const text = (value: Value) => () => formatAsText(value, 'sorted');
  test.each<[condition: object, value: Value, holds: boolean, span?: readonly [number, number]]>([
    [{ contains: 'b' }, 'abb', true, [1, 2]],
    [{ contains: '' }, 'a', true, [0, 0]],
    [{ starts_with: 'a' }, 'ab', true, [0, 1]],
    [{ starts_with: 'b' }, 'ab', false],
    [{ ends_with: 'b' }, 'ab', true, [1, 2]],
    [{ ends_with: 'a' }, 'ab', false],
    [{ regex: 'b+' }, 'abb', true, [1, 3]],
    [{ regex: '(' }, 'a', false],
    [{ any_of: [1, 'a'] }, 'a', true],
    [{ any_of: [] }, 'a', false],
    [{ any_of: 'a' }, 'a', false],
    [{ gt: 1 }, 1, false],
    [{ gt: 1 }, 2, true],
    [{ lt: 1 }, 1, false],
    [{ lt: 1 }, 0, true],
    [{ gte: 1 }, 1, true],
    [{ gte: 1 }, 0, false],
    [{ lte: 1 }, 1, true],
    [{ lte: 1 }, 2, false],
    [{ lte: 1 }, '1', false],
    [{ lte: '1' }, 1, false],
    [{ exists: true }, 'a', true],
    [{ exists: false }, 'a', false],
    [{ exists: 'yes' }, 'a', false],
    [{ contains: 7 }, '7', false],
    [{ contains: null, starts_with: 'a' }, 'ab', true, [0, 1]],
    [{ contains: 'a', ends_with: 'c' }, 'ab', false],
    [{ gt: 0, contains: '1' }, 12, true, [0, 1]],
  ])('%j on %j holds: %s, with its span if it does', (condition, value, holds, span) => {
    const compiled = compileCondition(condition as never);
    expect(compiled.test(value, text(value))).toBe(holds);
    const found = holds ? compiled.span(formatAsText(value, 'sorted')) : undefined;
    expect(found).toEqual(span && { from: span[0], to: span[1] });
  });

  test('returns no span without a match', () => {
    expect([{ contains: 'x' }, { regex: 'x' }, 'x'].map((each) => compileCondition(each as never).span('a'))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each<[condition: Value, isMatch: boolean, malformed?: string]>([
    [{ contains: 'a' }, true],
    [{ contains: 7 }, true, 'contains'],
    [{ contains: 'a', odd: 1 }, true, 'odd'],
    [{ exists: 'a', gt: '1' }, true, 'exists'],
    [{ any_of: {} }, true, 'any_of'],
    [{ lt: '1' }, true, 'lt'],
    [{ odd: 1 }, false, 'odd'],
    ['contains', false],
    [['contains'], false],
  ])('isMatchCondition(%j) is %s', (condition, isMatch, malformed) => {
    expect(isMatchCondition(condition as never)).toBe(isMatch);
    if (typeof condition === 'object' && !Array.isArray(condition))
      expect(findMalformedOperator(condition as never)).toBe(malformed);
  });
});

/** So long that steps are counted, and free of everything that could be ruled out without counting. */
const long = 'ab'.repeat(200_000);
const costly = '(a|b)*(a|b)*(a|b)*[cx]|never|[dy]';
/** A message whose `x` takes more work to read than everything on one message may take. */
const exhausting = (x: Value, others?: ValueMap): ValueMap => ({
  ...others,
  get x() {
    addWork(2 * messageSteps);
    return x;
  },
});

describe('a regex for which no steps are left', () => {
  const first = { name: 'p', source: 'request', type: 'json_path', selector: '$.x' } as const;
  const regex = { name: 'r', source: 'request', type: 'regex', selector: costly } as const;

  test('makes an extractor report a failure', () => {
    expect(compileExtractors([first, regex])(exhausting(long), 'request')).toEqual([
      { name: 'p', value: long },
      { name: 'r', failure: expect.stringContaining('steps') },
    ]);
    expect(compileExtractors([regex])('a d', 'request')).toEqual([{ name: 'r', value: undefined }]);
  });

  test('is not one that searches a long text', () => {
    expect(compilePredicate({ x: { regex: costly } })({ x: long })).toBe(false);
    expect(compileExtractors([regex])(long, 'request')).toEqual([{ name: 'r', value: undefined }]);
  });

  test('makes a predicate fail with regex_timeout, unless another condition is false anyway', () => {
    const match = { x: { regex: costly } };
    const content = exhausting(long);
    expect(compilePredicate(match)(content)).toMatchObject({ kind: 'regex_timeout' });
    expect(compilePredicate({ ...match, y: 1 })(exhausting(long, { y: 2 }))).toBe(false);
    expect(compilePredicate({ y: 1, ...match })(exhausting(long, { y: 1 }))).toMatchObject({ kind: 'regex_timeout' });
    expect(selectEntry([{ when: match }, {}], content)).toMatchObject({
      entry: {},
      failures: [{ kind: 'regex_timeout' }],
    });
    const trigger = compileTrigger({ event: 'e', match });
    expect(trigger({ eventType: 'e', content } as never, 0, { eventCount: 0 })).toMatchObject({
      kind: 'not_advanced',
      failure: { kind: 'regex_timeout' },
    });
  });
});

describe('an extractor', () => {
  const path = { name: 'p', source: 'request', type: 'json_path', selector: '$.x' } as const;
  const regex = { name: 'r', source: 'response', type: 'regex', selector: 'a(b?)' } as const;
  test.each<
    [title: string, extractor: object, message: Value, direction: 'request' | 'response', expected: string | undefined]
  >([
    ['by path finds a text', path, { x: 'a' }, 'request', 'a'],
    ['by path writes a map as JSON', path, { x: { b: 1, a: 2 } }, 'request', '{"b":1,"a":2}'],
    ['by path finds nothing for a missing key', path, { y: 1 }, 'request', undefined],
    ['by path ignores the other direction', path, { x: 'a' }, 'response', undefined],
    ['with an invalid path finds nothing', { ...path, selector: '$[' }, { x: 'a' }, 'request', undefined],
    ['by regex finds its group', regex, 'ab', 'response', 'b'],
    ['by regex finds an empty group', regex, 'ac', 'response', ''],
    ['by regex finds nothing without a match', regex, 'c', 'response', undefined],
    [
      'by regex reads a map as JSON with sorted keys',
      { ...regex, selector: '"b":(1)' },
      { b: 1, a: 2 },
      'response',
      '1',
    ],
    ['with an invalid regex finds nothing', { ...regex, selector: '(' }, 'a', 'response', undefined],
  ])('%s', (_, extractor, content, direction, expected) => {
    expect(evaluateExtractor(extractor as never, content, direction)).toBe(expected);
  });

  test('each reads only the messages of its direction', () => {
    expect(compileExtractors([path, regex, { ...path, name: 'q' }])({ x: 'ab' }, 'request')).toEqual([
      { name: 'p', value: 'ab' },
      { name: 'q', value: 'ab' },
    ]);
  });
});

test.each<[entries: readonly unknown[], expected: string | undefined]>([
  [
    [
      { n: 'a', when: { x: 1 } },
      { n: 'b', when: { x: 2 } },
    ],
    'b',
  ],
  [
    [
      { n: 'a', when: { x: 2 } },
      { n: 'b', when: { x: 2 } },
    ],
    'a',
  ],
  [[{ n: 'a' }, { n: 'b', when: { x: 2 } }], 'b'],
  [[{ n: 'a' }, { n: 'b' }], 'a'],
  [
    [
      { n: 'a', when: { x: 1 } },
      { n: 'b', when: null },
    ],
    'b',
  ],
  [[{ n: 'a', when: 'odd' }], undefined],
  [['odd', null, { n: 'b' }], 'b'],
  [[], undefined],
])('dispatch returns the first entry of %j that matches, else the first fallback', (entries, expected) => {
  const { entry, failures } = selectEntry(entries as never, { x: 2 });
  expect([(entry as { n?: string } | undefined)?.n, failures]).toEqual([expected, []]);
});

describe('readAttachedRequest', () => {
  const record = { content: { a: 1 }, request: { n: 1 }, kind: 'response', mode: 'mcp_client' } as const;
  test.each<[title: string, more: object, beside: Value | undefined]>([
    ['returns the request of a response to our client', {}, { n: 1 }],
    ['returns the request of an event', { kind: 'event' }, { n: 1 }],
    ['returns nothing for a request', { kind: 'request' }, undefined],
    ['returns nothing for a notification', { kind: 'notification' }, undefined],
    ['returns nothing for a response of our server', { mode: 'mcp_server' }, undefined],
    ['returns nothing if the record has no request', { request: undefined }, undefined],
    ['returns nothing if the content is not a map', { content: ['a'] }, undefined],
    ['ignores a content field that is called _request', { content: { _request: 1 } }, undefined],
  ])('%s', (_, more, beside) => {
    const value = messageValue({ ...record, ...more } as never);
    expect(readAttachedRequest(value)).toEqual(beside);
    expect(value).toEqual((more as { content?: Value }).content ?? record.content);
  });
  test('still returns the request when another response takes the place', () => {
    expect(readAttachedRequest(replaceResponse(messageValue(record), { b: 1 }))).toEqual({ n: 1 });
    const plain = { b: 1 };
    expect(replaceResponse({ a: 1 }, plain)).toBe(plain);
    expect([readAttachedRequest('text'), readAttachedRequest(null)]).toEqual([undefined, undefined]);
  });
});

test.each<[mode: string, origin: 'agent' | 'attacker', direction: string]>([
  ['mcp_server', 'agent', 'request'],
  ['mcp_server', 'attacker', 'response'],
  ['mcp_client', 'agent', 'response'],
  ['mcp_client', 'attacker', 'request'],
])('directionOf a message in mode %s from the %s is %s', (mode, origin, direction) => {
  expect(directionOf(message({ mode, origin }))).toBe(direction);
});

test('createSeededRandom gives the same numbers for the same seed and name in every release', () => {
  const three = (seed: number, name: string) => {
    const next = createSeededRandom(seed, name);
    return [next(), next(), next()].map((value) => Math.floor(value * 2 ** 32));
  };
  expect([three(1, 'ab'), three(1, 'ba'), three(-1, ''), three(2, 'ab')]).toEqual([
    [250649711, 1474652450, 4200299961],
    [2246936853, 1793272195, 3873032680],
    [3950124170, 4293442868, 1302505678],
    [1769267214, 1639488682, 1835235998],
  ]);
});

test.each<[text: string, blank: boolean]>([
  ['', true],
  [' \n\t', true],
  ['\u200b\u2800\u00ad', true],
  ['\u001b[31m\u001b[0m', true],
  ['\u001b[31mx\u001b[0m', false],
  ['[31m', false],
  ['x', false],
  ['.', false],
])('isBlank(%j) is %s', (text, blank) => {
  expect(isBlank(text)).toBe(blank);
});

test.each<[name: string, value: string, allowed: boolean]>([
  ['x-a', 'b c\t\u00ff', true],
  ['x-a', '', true],
  ['', 'b', false],
  ['x a', 'b', false],
  ['x-a', 'b\n', false],
  ['x-a', '\u0100', false],
])('isHttpHeader(%j, %j) is %s', (name, value, allowed) => {
  expect(isHttpHeader(name, value)).toBe(allowed);
});

test.each<[text: Value | undefined, ms: number | undefined]>([
  ['250ms', 250],
  ['2s', 2_000],
  ['PT1M', 60_000],
  ['ms', undefined],
  ['1234567890ms', undefined],
  ['x250ms', undefined],
  [250, undefined],
  [undefined, undefined],
])('parseWireMs(%j) is %j', (text, ms) => {
  expect(parseWireMs(text)).toBe(ms);
});

test('x-wire rules are inherited by the next phases until a phase writes its own', () => {
  const phase = (name: string, more: object = {}) => ({
    name,
    state: {},
    trigger: { event: 'tools/call' },
    ...more,
  });
  const phases = [phase('a'), phase('b', { 'x-wire': [] }), phase('c'), phase('d', { 'x-wire': [{ on: 'x' }] })];
  const last = { ...phase('e'), trigger: undefined };
  const { execution } = documentWith({ execution: { mode: 'mcp_server', phases: [...phases, last] } }).attack;
  const [actor] = execution.actors;
  expect(actor && [0, 1, 2, 3, 4].map((index) => findWireStart(execution, actor, index))).toEqual([-1, 1, 1, 3, 3]);
});

test('hasTemplate finds a template in any text of a value, and interpolation warns with W-004 and O-108', () => {
  const found = [{ a: ['x {{y}}'] }, { a: ['x'], b: 1 }, 'x {{y}}', 'x', 7];
  expect(found.map((value) => hasTemplate(value))).toEqual([true, false, true, false, false]);
  expect(interpolateTemplate('{{y}}', {}).diagnostics).toMatchObject([{ severity: 'warning', code: 'W-004' }]);
  const long = interpolateTemplate('{{y}}', { y: 'x'.repeat(4 * 1024 * 1024 + 1) });
  expect(long.diagnostics).toMatchObject([{ severity: 'warning', code: 'O-108' }]);
  expect([...splitTemplate('{{y}}')]).toEqual([{ kind: 'reference', name: 'y' }]);
  expect(parseDuration('soon')).toMatchObject({ kind: 'syntax' });
});

test('remembering computes a value once for each part of a document', () => {
  let count = 0;
  const computed = cacheByPart((part: { readonly n: number }) => {
    count += 1;
    return part.n;
  });
  const [a, b] = [{ n: 1 }, { n: 2 }];
  expect([computed(a), computed(a), computed(b), count]).toEqual([1, 1, 2, 2]);
});
