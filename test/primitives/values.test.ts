import { afterEach, describe, expect, test } from 'vitest';
import { parseJson } from '../../src/model/json.ts';
import type { Value } from '../../src/model/value.ts';
import { compactJson, keysOf, textOf } from '../../src/primitives/compact-json.ts';
import { deepEquals } from '../../src/primitives/deep-equals.ts';
import { directionOf } from '../../src/primitives/direction-of.ts';
import {
  compileCondition,
  isMatchCondition,
  malformedOperator,
} from '../../src/primitives/evaluate-condition.ts';
import { compileExtractors, evaluateExtractor } from '../../src/primitives/evaluate-extractor.ts';
import { compilePredicate } from '../../src/primitives/evaluate-predicate.ts';
import { compileTrigger } from '../../src/primitives/evaluate-trigger.ts';
import { isHttpHeader } from '../../src/primitives/http-header.ts';
import { interpolateTemplate, templateParts } from '../../src/primitives/interpolate-template.ts';
import { hasTemplate } from '../../src/primitives/interpolate-value.ts';
import { isBlank } from '../../src/primitives/is-blank.ts';
import { inPlaceOf, messageValue, requestBeside } from '../../src/primitives/message-value.ts';
import { parseDuration } from '../../src/primitives/parse-duration.ts';
import { remembering } from '../../src/primitives/remembering.ts';
import { seededRandom } from '../../src/primitives/seeded-random.ts';
import { dispatch } from '../../src/primitives/select-response.ts';
import { wireFrom, wireMs } from '../../src/primitives/written-wire.ts';
import { documentWith, message } from '../support/records.ts';

// What conformance fixtures do not ask of the primitives.

describe('a text of JSON', () => {
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
  ])('%j', (value, own, sorted = own) => {
    expect([compactJson(value, 'own'), compactJson(value, 'sorted')]).toEqual([own, sorted]);
  });

  test('a string is its own text', () => {
    expect([textOf('a', 'own'), textOf(['a'], 'own'), textOf({ b: 1, a: 1 }, 'own')]).toEqual([
      'a',
      '["a"]',
      '{"b":1,"a":1}',
    ]);
  });

  test('keys are sorted by code point', () => {
    expect(keysOf({ b: 1, a: 1, '😀': 1, '\uffff': 1, '\uffffa': 1 }, 'sorted')).toEqual([
      'a',
      'b',
      '\uffff',
      '\uffffa',
      '😀',
    ]);
    expect(keysOf({ '😀': 1, '😀a': 1 }, 'sorted')).toEqual(keysOf({ '😀a': 1, '😀': 1 }, 'sorted'));
    expect(keysOf({ b: 1, a: 1 }, 'own')).toEqual(['b', 'a']);
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
])('%j equals %j: %s', (left, right, equal) => {
  expect(deepEquals(left, right)).toBe(equal);
});

describe('a condition', () => {
  const text = (value: Value) => () => textOf(value, 'sorted');
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
  ])('%j of %j', (condition, value, holds, span) => {
    const compiled = compileCondition(condition as never);
    expect(compiled.test(value, text(value))).toBe(holds);
    const found = holds ? compiled.span(textOf(value, 'sorted')) : undefined;
    expect(found).toEqual(span && { from: span[0], to: span[1] });
  });

  test('without a match has no span', () => {
    expect(
      [{ contains: 'x' }, { regex: 'x' }, 'x'].map((each) => compileCondition(each as never).span('a')),
    ).toEqual([undefined, undefined, undefined]);
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
  ])('%j is one of operators: %s', (condition, isMatch, malformed) => {
    expect(isMatchCondition(condition as never)).toBe(isMatch);
    if (typeof condition === 'object' && !Array.isArray(condition))
      expect(malformedOperator(condition as never)).toBe(malformed);
  });
});

/** Takes longer than there is time, once the clock has moved. */
const slow = 'ab'.repeat(200_000);
const timed = '(a|b)*(a|b)*(a|b)*c|never|d';

describe('time', () => {
  const { now } = performance;
  afterEach(() => {
    performance.now = now;
  });
  /** A clock that moves on by so much whenever somebody looks at it. */
  const moving = (by: number): void => {
    let time = 0;
    performance.now = () => {
      time += by;
      return time;
    };
  };

  test('an extractor that takes too long says so', () => {
    const regex = { name: 'r', source: 'request', type: 'regex', selector: timed } as const;
    moving(3_000);
    expect(compileExtractors([regex])(slow, 'request')).toEqual([
      { name: 'r', failure: expect.stringContaining('ms') },
    ]);
    expect(evaluateExtractor(regex, slow, 'request')).toBeUndefined();
    performance.now = now;
    expect(compileExtractors([regex])('a d', 'request')).toEqual([{ name: 'r', value: undefined }]);
  });

  test('a long text has two seconds', () => {
    moving(0.001);
    expect(compilePredicate({ x: { regex: timed } })({ x: slow })).toBe(false);
    const regex = { name: 'r', source: 'request', type: 'regex', selector: timed } as const;
    expect(compileExtractors([regex])(slow, 'request')).toEqual([{ name: 'r', value: undefined }]);
  });

  test('a predicate that takes too long fails, unless it does not hold anyway', () => {
    const late = { x: { regex: timed } };
    moving(3_000);
    expect(compilePredicate(late)({ x: slow })).toMatchObject({ kind: 'regex_timeout' });
    expect(compilePredicate({ ...late, y: 1 })({ x: slow, y: 2 })).toBe(false);
    expect(compilePredicate({ y: 1, ...late })({ x: slow, y: 1 })).toMatchObject({ kind: 'regex_timeout' });
    expect(dispatch([{ when: late }, {}], { x: slow })).toMatchObject({
      entry: {},
      failures: [{ kind: 'regex_timeout' }],
    });
    const trigger = compileTrigger({ event: 'e', match: late });
    expect(trigger({ eventType: 'e', content: { x: slow } } as never, 0, { eventCount: 0 })).toMatchObject({
      kind: 'not_advanced',
      failure: { kind: 'regex_timeout' },
    });
  });
});

describe('an extractor', () => {
  const path = { name: 'p', source: 'request', type: 'json_path', selector: '$.x' } as const;
  const regex = { name: 'r', source: 'response', type: 'regex', selector: 'a(b?)' } as const;
  test.each<
    [
      title: string,
      extractor: object,
      message: Value,
      direction: 'request' | 'response',
      expected: string | undefined,
    ]
  >([
    ['by path', path, { x: 'a' }, 'request', 'a'],
    ['by path, of a map', path, { x: { b: 1, a: 2 } }, 'request', '{"b":1,"a":2}'],
    ['by path, of nothing', path, { y: 1 }, 'request', undefined],
    ['by path, in the other direction', path, { x: 'a' }, 'response', undefined],
    ['by a path that is wrong', { ...path, selector: '$[' }, { x: 'a' }, 'request', undefined],
    ['by regex', regex, 'ab', 'response', 'b'],
    ['by regex, of an empty group', regex, 'ac', 'response', ''],
    ['by regex, of nothing', regex, 'c', 'response', undefined],
    ['by regex, of a map', { ...regex, selector: '"b":(1)' }, { b: 1, a: 2 }, 'response', '1'],
    ['by a regex that is wrong', { ...regex, selector: '(' }, 'a', 'response', undefined],
  ])('%s', (_, extractor, content, direction, expected) => {
    expect(evaluateExtractor(extractor as never, content, direction)).toBe(expected);
  });

  test('several, each in its direction', () => {
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
])('of %j one answers', (entries, expected) => {
  const { entry, failures } = dispatch(entries as never, { x: 2 });
  expect([(entry as { n?: string } | undefined)?.n, failures]).toEqual([expected, []]);
});

describe('what a response answers', () => {
  const record = { content: { a: 1 }, request: { n: 1 }, kind: 'response', mode: 'mcp_client' } as const;
  test.each<[title: string, more: object, beside: Value | undefined]>([
    ['a response to a client', {}, { n: 1 }],
    ['an event', { kind: 'event' }, { n: 1 }],
    ['a request', { kind: 'request' }, undefined],
    ['a notification', { kind: 'notification' }, undefined],
    ['a response of a server', { mode: 'mcp_server' }, undefined],
    ['without a request', { request: undefined }, undefined],
    ['no map', { content: ['a'] }, undefined],
    ['a field of that name', { content: { _request: 1 } }, undefined],
  ])('%s', (_, more, beside) => {
    const value = messageValue({ ...record, ...more } as never);
    expect(requestBeside(value)).toEqual(beside);
    expect(value).toEqual((more as { content?: Value }).content ?? record.content);
  });
  test('stays beside another response', () => {
    expect(requestBeside(inPlaceOf(messageValue(record), { b: 1 }))).toEqual({ n: 1 });
    const plain = { b: 1 };
    expect(inPlaceOf({ a: 1 }, plain)).toBe(plain);
    expect([requestBeside('text'), requestBeside(null)]).toEqual([undefined, undefined]);
  });
});

test.each<[mode: string, origin: 'agent' | 'attacker', direction: string]>([
  ['mcp_server', 'agent', 'request'],
  ['mcp_server', 'attacker', 'response'],
  ['mcp_client', 'agent', 'response'],
  ['mcp_client', 'attacker', 'request'],
])('%s, %s: %s', (mode, origin, direction) => {
  expect(directionOf(message({ mode, origin }))).toBe(direction);
});

test('numbers of a seed stay what they are', () => {
  const three = (seed: number, name: string) => {
    const next = seededRandom(seed, name);
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
])('%j shows nothing: %s', (text, blank) => {
  expect(isBlank(text)).toBe(blank);
});

test.each<[name: string, value: string, allowed: boolean]>([
  ['x-a', 'b c\t\u00ff', true],
  ['x-a', '', true],
  ['', 'b', false],
  ['x a', 'b', false],
  ['x-a', 'b\n', false],
  ['x-a', '\u0100', false],
])('a header %j: %j', (name, value, allowed) => {
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
])('%j takes %j ms', (text, ms) => {
  expect(wireMs(text)).toBe(ms);
});

test('rules of sending are inherited until others are written', () => {
  const phase = (name: string, more: object = {}) => ({
    name,
    state: {},
    trigger: { event: 'tools/call' },
    ...more,
  });
  const phases = [
    phase('a'),
    phase('b', { 'x-wire': [] }),
    phase('c'),
    phase('d', { 'x-wire': [{ on: 'x' }] }),
  ];
  const last = { ...phase('e'), trigger: undefined };
  const { execution } = documentWith({ execution: { mode: 'mcp_server', phases: [...phases, last] } }).attack;
  const [actor] = execution.actors;
  expect(actor && [0, 1, 2, 3, 4].map((index) => wireFrom(execution, actor, index))).toEqual([
    -1, 1, 1, 3, 3,
  ]);
});

test('a template is found wherever it stands', () => {
  const found = [{ a: ['x {{y}}'] }, { a: ['x'], b: 1 }, 'x {{y}}', 'x', 7];
  expect(found.map((value) => hasTemplate(value))).toEqual([true, false, true, false, false]);
  expect(interpolateTemplate('{{y}}', {}).diagnostics).toMatchObject([
    { severity: 'warning', code: 'W-004' },
  ]);
  const long = interpolateTemplate('{{y}}', { y: 'x'.repeat(4 * 1024 * 1024 + 1) });
  expect(long.diagnostics).toMatchObject([{ severity: 'warning', code: 'O-108' }]);
  expect([...templateParts('{{y}}')]).toEqual([{ kind: 'reference', name: 'y' }]);
  expect(parseDuration('soon')).toMatchObject({ kind: 'syntax' });
});

test('a part of a document is computed once', () => {
  let count = 0;
  const computed = remembering((part: { readonly n: number }) => {
    count += 1;
    return part.n;
  });
  const [a, b] = [{ n: 1 }, { n: 2 }];
  expect([computed(a), computed(a), computed(b), count]).toEqual([1, 1, 2, 2]);
});
