import { describe, expect, test } from 'vitest';
import { createEvaluationError } from '../../../src/format/model/errors.ts';
import type { NormalizedIndicator } from '../../../src/format/model/normalized.ts';
import type { Value } from '../../../src/format/model/value.ts';
import { messageValue } from '../../../src/format/primitives/message-value.ts';
import { createCelEvaluator } from '../../../src/judgement/evaluate/cel-evaluator.ts';
import { evaluateExpression, evaluateExpressionOutcome } from '../../../src/judgement/evaluate/expression.ts';
import {
  compileIndicator,
  evaluateIndicator,
  evaluateIndicatorAsync,
} from '../../../src/judgement/evaluate/indicator.ts';
import type { IndicatorOutcome } from '../../../src/judgement/evaluate/indicator-outcome.ts';
import { createMessageView } from '../../../src/judgement/evaluate/message-view.ts';
import { compilePattern, evaluatePattern } from '../../../src/judgement/evaluate/pattern.ts';

// What one indicator makes of one message.

const at = (path: string, from: number, to: number, own?: true) => ({ path, from, to, ...(own && { own }) });
/** So long that steps are counted, and none is left. */
const slow = 'ab'.repeat(200_000);
const timed = { regex: '(a|b)*(a|b)*(a|b)*[cx]|never|[dy]' };

describe('compilePattern', () => {
  const matched = (evidence: string, match?: object) => ({
    result: 'matched',
    evidence,
    ...(match && { match }),
  });
  const missed = { result: 'not_matched', isThere: true };
  test.each<[title: string, condition: unknown, content: Value, expected: object]>([
    ['that matches', { contains: 'b' }, { x: ['abc'] }, matched('abc', at('x[0]', 1, 2))],
    ['that matches the second value', { contains: 'b' }, { x: ['a', 'b', 'b'] }, matched('b', at('x[1]', 0, 1))],
    ['that matches all of a value', 7, { x: [7] }, matched('7', at('x[0]', 0, 1))],
    ['that does not match', { contains: 'b' }, { x: ['a'] }, missed],
    ['that finds nothing', { contains: 'b' }, { y: 1 }, { result: 'not_matched' }],
    ['of existence, for a value that exists', { exists: true }, { x: ['abc', 'd'] }, matched('abc', at('x[0]', 0, 3))],
    ['of existence, for a value that does not exist', { exists: true }, {}, { result: 'not_matched' }],
    ['of absence, for a value that does not exist', { exists: false }, {}, matched('nothing at "x[*]"')],
    ['of absence, for a value that exists', { exists: false }, { x: ['a'] }, missed],
    [
      'of existence with a word that occurs',
      { exists: true, contains: 'b' },
      { x: ['ab'] },
      matched('ab', at('x[0]', 1, 2)),
    ],
    ['of existence with a word that does not occur', { exists: true, contains: 'b' }, { x: ['a'] }, missed],
    ['of absence with a word', { exists: false, contains: 'b' }, {}, { result: 'not_matched' }],
    [
      'of a map that resembles an operator',
      { exist: true },
      { x: [{ exist: true }] },
      matched('{"exist":true}', at('x[0]', 0, 14)),
    ],
  ])('evaluates a pattern %s', (_, condition, content, expected) => {
    const outcome = compilePattern({ target: 'x[*]', condition: condition as never })(createMessageView(content));
    expect(outcome).toStrictEqual(expected);
  });

  test('marks a match in our own text as ours', () => {
    const run = compilePattern({ target: 'x', condition: { contains: 'b' } });
    expect(run(createMessageView({ x: 'b' }, { isOurs: true }))).toMatchObject({ match: { own: true } });
    expect(run(createMessageView({ x: 'b' }, { echoes: [{ path: ['x'] }] }))).toMatchObject({ match: { own: true } });
    expect(run(createMessageView({ x: 'b' }))).toStrictEqual({
      result: 'matched',
      evidence: 'b',
      match: at('x', 0, 1),
    });
  });

  test('fails when it takes too long, unless another value matches', () => {
    const run = compilePattern({ target: 'x[*]', condition: timed }, 0);
    const results = [[slow], [slow, 'e'], ['e', slow], [slow, 'd']].map((x) => run(createMessageView({ x })).result);
    expect(results).toEqual(['error', 'error', 'error', 'matched']);
  });

  test('reports the first of several values that takes too many steps', () => {
    const run = compilePattern({ target: 'x[*]', condition: timed }, 0);
    const [one, two] = [[slow], [slow, `${slow}ab`]].map((x) => run(createMessageView({ x })));
    expect(two).toEqual(one);
  });

  test('returns regex_timeout from evaluatePattern when it takes too many steps', () => {
    const costly = { regex: 'x[^y]{900}[zw]' };
    // Without a period, so that nothing which was found out about one part holds for another.
    const text = Array.from({ length: 50_000 }, (_, index) => (Math.imul(index * index, 0x9e3779b1) < 0 ? 'x' : 'a'));
    const found = evaluatePattern({ target: 'x', condition: costly }, { x: text.join('') });
    expect(found).toMatchObject({ kind: 'regex_timeout' });
  });

  test('returns from evaluatePattern whether it matches', () => {
    const pattern = { target: 'x', condition: { contains: 'b' } };
    expect([{ x: 'b' }, { x: 'a' }, {}].map((content) => evaluatePattern(pattern, content))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('evaluateExpression', () => {
  const holds = (value: unknown) => ({ evaluate: () => value as Value });
  test.each<[title: string, value: unknown, expected: unknown]>([
    ['true', true, true],
    ['false', false, false],
    ['null', null, 'type_error: expression gives null, not true or false'],
    ['a list', [true], 'type_error: expression gives a list, not true or false'],
    ['a map', { a: 1 }, 'type_error: expression gives a map, not true or false'],
    ['a number', 1, 'type_error: expression gives a number, not true or false'],
    ['an error', createEvaluationError('cel_error', 'no'), 'cel_error: no'],
  ])('evaluates an expression that gives %s', (_, value, expected) => {
    const result = evaluateExpression({ cel: 'x' }, {}, holds(value));
    expect(typeof result === 'object' ? `${result.kind}: ${result.message}` : result).toBe(expected);
  });

  test.each([
    [new Error('broke'), 'broke'],
    ['words', 'words'],
  ])('returns cel_error for an evaluator that throws %s', (thrown, expected) => {
    const evaluate = () => {
      throw thrown;
    };
    expect(evaluateExpression({ cel: 'x' }, {}, { evaluate })).toMatchObject({
      kind: 'cel_error',
      message: expected,
    });
  });

  test('returns unsupported_method without an evaluator', () => {
    expect(evaluateExpression({ cel: 'x' }, {})).toMatchObject({ kind: 'unsupported_method' });
  });

  test('gives the evaluator the message and the variables', () => {
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
    const outcome: IndicatorOutcome = evaluateExpressionOutcome(
      expression,
      target,
      createMessageView(message, provenance),
      createCelEvaluator(),
    );
    if (outcome.result !== 'matched') return outcome.result;
    return `${outcome.evidence} at ${outcome.match?.path} ${outcome.match?.from}-${outcome.match?.to}${outcome.match?.own ? ' own' : ''}`;
  };
  const answer = (content: Value): Value =>
    messageValue({ content, request: { name: 'a' }, kind: 'response', mode: 'mcp_client' });
  const echo = { echoes: [{ path: ['history', 0] }] };
  const two = { echoes: [{ path: ['history', 0] }, { path: ['note'] }] };
  const task = { x: 1, history: [{ t: 'ours' }, { t: 'theirs' }], note: 'ours' };
  test.each<[title: string, found: string, expected: string]>([
    ['is true', found('message.x == 1', { x: 1 }), '1 at x 0-1'],
    ['is false', found('message.x == 2', { x: 1 }), 'not_matched'],
    ['fails', found('message.y == 2', { x: 1 }), 'error'],
    ['is true, with nothing at its target', found('message.x == 1', { x: 1 }, {}, 'y'), '{"x":1} at  0-7'],
    ['is true of our own message', found('message.x == 1', { x: 1 }, { isOurs: true }), '1 at x 0-1 own'],
    ['names an echo', found("message.history.exists(h, h.t == 'ours')", task, echo), '1 at x 0-1 own'],
    [
      'names an echo and is true of the agent’s text',
      found("message.history.exists(h, h.t == 'theirs')", task, echo),
      '1 at x 0-1',
    ],
    ['names one of two echoes', found("message.history.exists(h, h.t == 'ours')", task, two), '1 at x 0-1 own'],
    [
      'names an echo by a variable',
      found("h.exists(each, each.t == 'ours')", task, echo, 'x', { h: 'history' }),
      '1 at x 0-1 own',
    ],
    ['does not name an echo', found('size(message) == 2', task, two), '1 at x 0-1'],
    ['names our request', found("message._request.name == 'a'", answer({ x: 1 })), '1 at x 0-1 own'],
    [
      'names our request and an error of ours',
      found("message._request.name == 'a' && (!has(message.code) || message.code == -32603)", answer({ x: 1 })),
      '1 at x 0-1 own',
    ],
    [
      'is true, with a long text at its target',
      found('true', { x: 'ab'.repeat(300) }),
      `${'ab'.repeat(250)}… at x 0-600`,
    ],
    [
      'names our request and whether it failed',
      found("message._request.name == 'a' && (!has(message.isError) || message.isError)", answer({ x: 1 })),
      '1 at x 0-1 own',
    ],
    [
      'is true of a message that is an echo as a whole',
      found('message.x == 1', { x: 1 }, { echoes: [{ path: [] }] }),
      '1 at x 0-1 own',
    ],
    [
      'names our request and the answer',
      found("message._request.name == 'a' && message.x == 1", answer({ x: 1 })),
      '1 at x 0-1',
    ],
    [
      'names our request and is true of every answer but an error',
      found("message._request.name == 'a' && !has(message.isError)", answer({ x: 1 })),
      '1 at x 0-1',
    ],
    ['does not name our request', found('message.x == 1', answer({ x: 1 })), '1 at x 0-1'],
    ['names a request of the agent’s own', found("message._request == 'a'", { _request: 'a', x: 1 }), '1 at x 0-1'],
    ['is true of anything', found('true', answer({ x: 1 })), '1 at x 0-1'],
  ])('returns, for an expression that %s: $2', (_, outcome, expected) => {
    expect(outcome).toBe(expected);
  });

  test('compiles each of more than a thousand expressions correctly', () => {
    const evaluator = createCelEvaluator();
    const results = Array.from({ length: 1_002 }, (_, n) => evaluator.evaluate(`n == ${n}`, { n: 1_001 }));
    expect([results.at(-1), results.at(-2)]).toEqual([true, false]);
    expect(evaluator.evaluate('1 +', {})).toMatchObject({ kind: 'cel_error' });
  });
});

describe('evaluateIndicator', () => {
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
    ['with an intent and a judge', semantic, { semantic: judge }, 'matched'],
    ['with an intent and no judge', semantic, { cel }, 'skipped'],
    ['with neither pattern, expression nor intent', base, { cel, semantic: judge }, 'error'],
    ['with a pattern and a judge', pattern, { semantic: { evaluate: () => 0 } }, 'matched'],
  ])('returns $3 for an indicator %s', async (_, indicator, evaluators, expected) => {
    const found = [
      evaluateIndicator(indicator, { x: 'b' }, evaluators),
      await evaluateIndicatorAsync(indicator, { x: 'b' }, evaluators),
    ];
    expect(found.map(({ indicatorId, result }) => [indicatorId, result])).toEqual(Array(2).fill(['I', expected]));
  });

  test('returns unsupported_method with the id of an indicator without anything to evaluate', () => {
    expect(evaluateIndicator(base, {}).error).toMatchObject({ kind: 'unsupported_method', indicatorId: 'I' });
  });

  test('fails an indicator that takes longer than it may', () => {
    const long = { ...base, pattern: { target: 'x', condition: timed } };
    const view = createMessageView({ x: slow });
    expect(compileIndicator(long, undefined, 0)(view).result).toBe('error');
  });
});
