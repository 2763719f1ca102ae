import { describe, expect, test } from 'vitest';
import { createCelEvaluator } from '../../src/evaluate/cel-evaluator.ts';
import { evaluateExpression, expressionOutcome } from '../../src/evaluate/expression.ts';
import { compileIndicator, evaluateIndicator, evaluateIndicatorAsync } from '../../src/evaluate/indicator.ts';
import { viewMessage } from '../../src/evaluate/message-view.ts';
import type { IndicatorOutcome } from '../../src/evaluate/outcome.ts';
import { compilePattern, evaluatePattern } from '../../src/evaluate/pattern.ts';
import { evaluationError } from '../../src/model/errors.ts';
import type { NormalizedIndicator } from '../../src/model/normalized.ts';
import type { Value } from '../../src/model/value.ts';
import { messageValue } from '../../src/primitives/message-value.ts';

// What one indicator makes of one message.

const at = (path: string, from: number, to: number, own?: true) => ({ path, from, to, ...(own && { own }) });
/** So long that the clock is looked at, and no time is left. */
const slow = 'ab'.repeat(200_000);
const timed = { regex: '(a|b)*(a|b)*(a|b)*c|never|d' };

describe('a pattern', () => {
  const matched = (evidence: string, match?: object) => ({
    result: 'matched',
    evidence,
    ...(match && { match }),
  });
  const missed = { result: 'not_matched', isThere: true };
  test.each<[title: string, condition: unknown, content: Value, expected: object]>([
    ['that matches', { contains: 'b' }, { x: ['abc'] }, matched('abc', at('x[0]', 1, 2))],
    [
      'that matches the second value',
      { contains: 'b' },
      { x: ['a', 'b', 'b'] },
      matched('b', at('x[1]', 0, 1)),
    ],
    ['that matches all of a value', 7, { x: [7] }, matched('7', at('x[0]', 0, 1))],
    ['that does not match', { contains: 'b' }, { x: ['a'] }, missed],
    ['that finds nothing', { contains: 'b' }, { y: 1 }, { result: 'not_matched' }],
    ['of existence', { exists: true }, { x: ['abc', 'd'] }, matched('abc', at('x[0]', 0, 3))],
    ['of existence, of nothing', { exists: true }, {}, { result: 'not_matched' }],
    ['of absence', { exists: false }, {}, matched('nothing at "x[*]"')],
    ['of absence, of something', { exists: false }, { x: ['a'] }, missed],
    [
      'of existence and more',
      { exists: true, contains: 'b' },
      { x: ['ab'] },
      matched('ab', at('x[0]', 1, 2)),
    ],
    ['of existence and more, without it', { exists: true, contains: 'b' }, { x: ['a'] }, missed],
    ['of absence and more', { exists: false, contains: 'b' }, {}, { result: 'not_matched' }],
    [
      'of a map that looks like none',
      { exist: true },
      { x: [{ exist: true }] },
      matched('{"exist":true}', at('x[0]', 0, 14)),
    ],
  ])('%s', (_, condition, content, expected) => {
    const outcome = compilePattern({ target: 'x[*]', condition: condition as never })(viewMessage(content));
    expect(outcome).toStrictEqual(expected);
  });

  test('in ours is ours', () => {
    const run = compilePattern({ target: 'x', condition: { contains: 'b' } });
    expect(run(viewMessage({ x: 'b' }, { isOurs: true }))).toMatchObject({ match: { own: true } });
    expect(run(viewMessage({ x: 'b' }, { echoes: [['x']] }))).toMatchObject({ match: { own: true } });
    expect(run(viewMessage({ x: 'b' }))).toStrictEqual({
      result: 'matched',
      evidence: 'b',
      match: at('x', 0, 1),
    });
  });

  test('that takes too long fails, unless another value matches', () => {
    const run = compilePattern({ target: 'x[*]', condition: timed }, 0);
    const results = [[slow], [slow, 'e'], ['e', slow], [slow, 'd']].map(
      (x) => run(viewMessage({ x })).result,
    );
    expect(results).toEqual(['error', 'error', 'error', 'matched']);
  });

  test('that takes too long for several values tells of the first', () => {
    const run = compilePattern({ target: 'x[*]', condition: timed }, 0);
    const [one, two] = [[slow], [slow, `${slow}ab`]].map((x) => run(viewMessage({ x })));
    expect(two).toEqual(one);
  });

  test('that takes too long, as the SDK asks', () => {
    const { now } = performance;
    let time = 0;
    performance.now = () => {
      time += 1_000;
      return time;
    };
    const found = evaluatePattern({ target: 'x', condition: timed }, { x: slow });
    performance.now = now;
    expect(found).toMatchObject({ kind: 'regex_timeout' });
  });

  test('as the SDK asks', () => {
    const pattern = { target: 'x', condition: { contains: 'b' } };
    expect([{ x: 'b' }, { x: 'a' }, {}].map((content) => evaluatePattern(pattern, content))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('an expression', () => {
  const holds = (value: unknown) => ({ evaluate: () => value as Value });
  test.each<[title: string, value: unknown, expected: unknown]>([
    ['true', true, true],
    ['false', false, false],
    ['null', null, 'type_error: expression gives null, not true or false'],
    ['a list', [true], 'type_error: expression gives a list, not true or false'],
    ['a map', { a: 1 }, 'type_error: expression gives a map, not true or false'],
    ['a number', 1, 'type_error: expression gives a number, not true or false'],
    ['an error', evaluationError('cel_error', 'no'), 'cel_error: no'],
  ])('that gives %s', (_, value, expected) => {
    const result = evaluateExpression({ cel: 'x' }, {}, holds(value));
    expect(typeof result === 'object' ? `${result.kind}: ${result.message}` : result).toBe(expected);
  });

  test.each([
    [new Error('broke'), 'broke'],
    ['words', 'words'],
  ])('that throws', (thrown, expected) => {
    const evaluate = () => {
      throw thrown;
    };
    expect(evaluateExpression({ cel: 'x' }, {}, { evaluate })).toMatchObject({
      kind: 'cel_error',
      message: expected,
    });
  });

  test('without an evaluator', () => {
    expect(evaluateExpression({ cel: 'x' }, {})).toMatchObject({ kind: 'unsupported_method' });
  });

  test('sees the message and its variables', () => {
    const seen: unknown[] = [];
    const evaluate = (cel: string, context: unknown) => {
      seen.push(cel, context);
      return true;
    };
    const message = { a: { b: 1 } };
    evaluateExpression({ cel: 'x', variables: { v: 'a.b', none: 'c', message: 'a' } }, message, { evaluate });
    expect(seen).toEqual(['x', { v: 1, none: null, message }]);
  });

  /** What it says, and where; `own` if it is ours. */
  const found = (
    cel: string,
    message: Value,
    provenance = {},
    target = 'x',
    variables?: { [name: string]: string },
  ) => {
    const expression = { cel, ...(variables !== undefined && { variables }) };
    const outcome: IndicatorOutcome = expressionOutcome(
      expression,
      target,
      viewMessage(message, provenance),
      createCelEvaluator(),
    );
    if (outcome.result !== 'matched') return outcome.result;
    return `${outcome.evidence} at ${outcome.match?.path} ${outcome.match?.from}-${outcome.match?.to}${outcome.match?.own ? ' own' : ''}`;
  };
  const answer = (content: Value): Value =>
    messageValue({ content, request: { name: 'a' }, kind: 'response', mode: 'mcp_client' });
  const echo = { echoes: [['history', 0]] };
  const two = { echoes: [['history', 0], ['note']] };
  const task = { x: 1, history: [{ t: 'ours' }, { t: 'theirs' }], note: 'ours' };
  test.each<[title: string, found: string, expected: string]>([
    ['holds', found('message.x == 1', { x: 1 }), '1 at x 0-1'],
    ['does not hold', found('message.x == 2', { x: 1 }), 'not_matched'],
    ['fails', found('message.y == 2', { x: 1 }), 'error'],
    ['holds, with nothing at its target', found('message.x == 1', { x: 1 }, {}, 'y'), '{"x":1} at  0-7'],
    ['holds for ours', found('message.x == 1', { x: 1 }, { isOurs: true }), '1 at x 0-1 own'],
    ['that names an echo', found("message.history.exists(h, h.t == 'ours')", task, echo), '1 at x 0-1 own'],
    [
      'that names an echo, true of theirs',
      found("message.history.exists(h, h.t == 'theirs')", task, echo),
      '1 at x 0-1',
    ],
    [
      'that names one of two echoes',
      found("message.history.exists(h, h.t == 'ours')", task, two),
      '1 at x 0-1 own',
    ],
    [
      'that names an echo by a variable',
      found("h.exists(each, each.t == 'ours')", task, echo, 'x', { h: 'history' }),
      '1 at x 0-1 own',
    ],
    ['that does not name an echo', found('size(message) == 2', task, two), '1 at x 0-1'],
    ['that names our request', found("message._request.name == 'a'", answer({ x: 1 })), '1 at x 0-1 own'],
    [
      'that names our request and an error of ours',
      found(
        "message._request.name == 'a' && (!has(message.code) || message.code == -32603)",
        answer({ x: 1 }),
      ),
      '1 at x 0-1 own',
    ],
    [
      'holds, with a long text at its target',
      found('true', { x: 'ab'.repeat(300) }),
      `${'ab'.repeat(250)}… at x 0-600`,
    ],
    [
      'that names our request and whether we failed',
      found("message._request.name == 'a' && (!has(message.isError) || message.isError)", answer({ x: 1 })),
      '1 at x 0-1 own',
    ],
    [
      'of a message that is an echo as a whole',
      found('message.x == 1', { x: 1 }, { echoes: [[]] }),
      '1 at x 0-1 own',
    ],
    [
      'that names our request and the answer',
      found("message._request.name == 'a' && message.x == 1", answer({ x: 1 })),
      '1 at x 0-1',
    ],
    [
      'that names our request, and holds for any answer but an error',
      found("message._request.name == 'a' && !has(message.isError)", answer({ x: 1 })),
      '1 at x 0-1',
    ],
    ['that does not name our request', found('message.x == 1', answer({ x: 1 })), '1 at x 0-1'],
    [
      'that names a request of the agent’s own',
      found("message._request == 'a'", { _request: 'a', x: 1 }),
      '1 at x 0-1',
    ],
    ['that holds for anything', found('true', answer({ x: 1 })), '1 at x 0-1'],
  ])('that %s', (_, outcome, expected) => {
    expect(outcome).toBe(expected);
  });

  test('is compiled once, and at most so many are kept', () => {
    const evaluator = createCelEvaluator();
    const results = Array.from({ length: 1_002 }, (_, n) => evaluator.evaluate(`n == ${n}`, { n: 1_001 }));
    expect([results.at(-1), results.at(-2)]).toEqual([true, false]);
    expect(evaluator.evaluate('1 +', {})).toMatchObject({ kind: 'cel_error' });
  });
});

describe('an indicator', () => {
  const base = { id: 'I', protocol: 'mcp', target: 'x' };
  const pattern = { ...base, pattern: { target: 'x', condition: { contains: 'b' } } };
  const expression = { ...base, expression: { cel: "message.x == 'b'" } };
  const semantic = { ...base, semantic: { target: 'x', intent: 'leaks' } };
  const cel = createCelEvaluator();
  const judge = { evaluate: (text: string) => (text === 'b' ? 1 : 0) };
  test.each<[title: string, indicator: NormalizedIndicator, evaluators: object, expected: string]>([
    ['with a pattern', pattern, {}, 'matched'],
    ['with an expression', expression, { cel }, 'matched'],
    ['with an expression and no evaluator', expression, {}, 'skipped'],
    ['with an intent', semantic, { semantic: judge }, 'matched'],
    ['with an intent and no judge', semantic, { cel }, 'skipped'],
    ['with nothing', base, { cel, semantic: judge }, 'error'],
    ['with a pattern and a judge', pattern, { semantic: { evaluate: () => 0 } }, 'matched'],
  ])('%s', async (_, indicator, evaluators, expected) => {
    const found = [
      evaluateIndicator(indicator, { x: 'b' }, evaluators),
      await evaluateIndicatorAsync(indicator, { x: 'b' }, evaluators),
    ];
    expect(found.map(({ indicatorId, result }) => [indicatorId, result])).toEqual(
      Array(2).fill(['I', expected]),
    );
  });

  test('says what it is without', () => {
    expect(evaluateIndicator(base, {}).error).toMatchObject({ kind: 'unsupported_method', indicatorId: 'I' });
  });

  test('has the time that it is given', () => {
    const long = { ...base, pattern: { target: 'x', condition: timed } };
    const view = viewMessage({ x: slow });
    expect(compileIndicator(long, undefined, 0)(view).result).toBe('error');
  });
});
