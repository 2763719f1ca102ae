import { afterEach, describe, expect, test, vi } from 'vitest';
import { readWork } from '../../../src/format/expression/counted-work.ts';
import { compileJsonPath } from '../../../src/format/expression/json-path.ts';
import { compileRegex, type Regex } from '../../../src/format/expression/regex.ts';
import type { Value } from '../../../src/format/model/value.ts';
import { compileCondition } from '../../../src/format/primitives/evaluate-condition.ts';
import { createCelEvaluator } from '../../../src/judgement/evaluate/cel-evaluator.ts';

// What an expression may cost is counted, so that a busy machine gives the same verdicts as an idle one.

const items = Array.from({ length: 130 }, (_, index) => ({ x: index, y: -1 - index }));
const nested = 'message.items.exists(a, message.items.exists(b, a.x == b.y))';
const text = 'abcab'.repeat(100_000);

function compile(source: string): Regex {
  const regex = compileRegex(source);
  if ('failure' in regex) throw new Error(regex.failure);
  return regex;
}

function findByPath(selector: string, message: Value): unknown {
  const path = compileJsonPath(selector);
  if ('failure' in path) throw new Error(path.failure);
  return path(message);
}

/** Each is a new evaluation, as in a new process. */
const evaluations: readonly (readonly [title: string, evaluate: () => unknown])[] = [
  ['a nested `exists` of 16 900 steps', () => createCelEvaluator().evaluate(nested, { message: { items } })],
  [
    'a nested `exists` with far too many steps',
    () => createCelEvaluator().evaluate(nested, { message: { items: Array(1_000).fill({ x: 1, y: 2 }) } }),
  ],
  [
    'a loop that searches a long text again and again',
    () =>
      createCelEvaluator().evaluate("message.items.exists(i, message.text.contains('z') || i.x < 0)", {
        message: { items: [...items, ...items, ...items, ...items], text: text + text },
      }),
  ],
  ['an expression that builds values', () => createCelEvaluator().evaluate(`size('x'${" + 'y'".repeat(400)}) > 3`, {})],
  ['a regular expression over a long text', () => compile('(?:[a-c]{1,200}[d-f]?)+([x-z])').test(text)],
  ['a regular expression with too many steps', () => compile('(?:[a-c]{1,200}[d-f]?)+([x-z])').test(text, 1_000)],
  ['a search for a match', () => compile('(?:[a-c]{1,20}[d-f]?)+([x-z])').find(`${text}x`, 1_000_000)],
  ['a condition', () => compileCondition({ regex: '(a|b)*[cd]{900}' }).test(text, () => text)],
  ['a path with a filter', () => findByPath('$..[?@.x == @.y]', { items })],
  [
    'a path that searches texts',
    () => findByPath("$.items[?search(@.t, '[a-c]{1,500}[0-9]')]", { items: [{ t: text }] }),
  ],
];

describe('evaluation', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each(evaluations)(
    'of %s gives the same result and takes the same steps on a clock that races',
    (_, evaluate) => {
      const measure = () => {
        const before = readWork();
        return { result: evaluate(), steps: Math.round(readWork() - before) };
      };
      const calm = measure();
      let time = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => {
        time += 60_000;
        return time;
      });
      expect(measure()).toEqual(calm);
    },
  );
});

describe('the limit of an expression', () => {
  const exceeded = { kind: 'cel_error', message: expect.stringContaining('takes more than') };

  test.each<[title: string, cel: string, message: Value, expected: unknown]>([
    ['allows a nested `exists` of 16 900 steps', nested, { items }, false],
    ['ends a nested `exists` of a million steps', nested, { items: Array(1_000).fill({ x: 1, y: 2 }) }, exceeded],
    ['is not hidden by an alternative', `${nested} || true`, { items: Array(1_000).fill({ x: 1, y: 2 }) }, exceeded],
    [
      'counts what a loop compares',
      'message.items.all(i, message.text == message.same)',
      { items: Array(2_000).fill(1), text: `${text}1`, same: `${text}2` },
      false,
    ],
    [
      'counts what a loop searches',
      "message.items.exists(i, message.text.contains('z'))",
      { items: Array(2_000).fill(1), text },
      exceeded,
    ],
    [
      'counts the regular expressions of a loop',
      "message.items.exists(i, message.text.matches('[a-c]{1,200}[0-9]'))",
      { items: Array(2_000).fill(1), text },
      exceeded,
    ],
  ])('%s', (_, cel, message, expected) => {
    expect(createCelEvaluator().evaluate(cel, { message })).toEqual(expected);
  });
});

describe('the count of a regular expression', () => {
  test('does not depend on what was searched before', () => {
    const regex = compile('(?:[a-c]{1,200}[d-f]?)+([x-z])');
    const count = () => {
      const before = readWork();
      regex.test(text);
      return Math.round(readWork() - before);
    };
    const first = count();
    regex.test('fedcba'.repeat(50_000));
    expect(count()).toBe(first);
  });

  test('is above the length of the text where an engine has to follow many ways', () => {
    const before = readWork();
    compile('(?:[a-c]{1,20}[d-f]?)+([x-z])').find(`${text}x`, 100_000_000);
    expect(readWork() - before).toBeGreaterThan(3 * text.length);
  });
});
