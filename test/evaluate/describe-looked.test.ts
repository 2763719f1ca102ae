import { describe, expect, test } from 'vitest';
import {
  createSeenMethods,
  createTally,
  describeLooked,
  note,
  type Tally,
} from '../../src/evaluate/looked.ts';
import { viewMessage } from '../../src/evaluate/message-view.ts';
import { createSamples, nearMiss } from '../../src/evaluate/near-miss.ts';
import type { IndicatorOutcome } from '../../src/evaluate/outcome.ts';
import type { NormalizedIndicator } from '../../src/model/normalized.ts';
import type { MessageRecord } from '../../src/model/trace.ts';
import { message } from '../support/records.ts';

// What an indicator without a match looked at, from its tally alone.

const base = { id: 'I', protocol: 'mcp', target: 'x' };
const pattern: NormalizedIndicator = { ...base, pattern: { target: 'x', condition: { contains: 'evil' } } };
const whole: NormalizedIndicator = { ...base, pattern: { target: '', condition: { contains: 'evil' } } };
const semantic: NormalizedIndicator = { ...base, semantic: { target: 'x', intent: 'leaks' } };
const expression: NormalizedIndicator = { ...base, expression: { cel: 'false' } };
const miss: IndicatorOutcome = { result: 'not_matched' };
const there: IndicatorOutcome = { result: 'not_matched', isThere: true };
const lacking = (text: string): IndicatorOutcome => ({
  result: 'error',
  error: { kind: 'cel_error', message: text, missingField: true },
});

function seenMethods(...methods: readonly string[]) {
  const seen = createSeenMethods();
  for (const method of methods) seen.add(message({ method }));
  return seen;
}

function looked(
  indicator: NormalizedIndicator,
  tally: Partial<Tally>,
  outcome: IndicatorOutcome = miss,
  seen = seenMethods(),
) {
  return describeLooked(indicator, { ...createTally(), ...tally }, outcome, seen, createSamples());
}

describe('in words', () => {
  const record = message({ seq: 4, content: { x: 'Evil' } });
  const many = seenMethods('a', 'b', 'c', 'd', 'e');
  const lastOnly: MessageRecord[] = [];
  lastOnly[3] = record;
  const scored: IndicatorOutcome = { result: 'not_matched', isThere: true, score: 0.2 };
  test.each<[title: string, found: ReturnType<typeof looked>, expected: object]>([
    ['nothing', looked(pattern, {}), { messages: 0, sentence: 'no message of mcp was seen' }],
    [
      'nothing of a surface',
      looked({ ...pattern, surface: 'tools/cal' }, {}, miss, seenMethods('tools/call')),
      {
        messages: 0,
        suggestion: 'tools/call',
        sentence: 'no message of tools/cal was seen; the agent sent tools/call; did you mean tools/call?',
      },
    ],
    [
      'nothing of a protocol, to an actor',
      looked({ ...pattern, protocol: 'a2a', actor: 'a' }, {}, miss, seenMethods('tools/call')),
      { messages: 0, sentence: 'no message of a2a with "a" was seen' },
    ],
    [
      'nothing of ours',
      looked({ ...pattern, direction: 'response' }, {}, miss, seenMethods('tools/call')),
      { messages: 0, sentence: 'no message of mcp was seen' },
    ],
    [
      'as many others as are named',
      looked(pattern, {}, miss, many),
      { messages: 0, sentence: 'no message of mcp was seen; the agent sent a, b, c, d, e' },
    ],
    [
      'a path that is not there',
      looked(pattern, { messages: 1 }),
      { messages: 1, withTarget: 0, sentence: '1 message of mcp; the path x is not in it' },
    ],
    [
      'a path that is in none',
      looked(pattern, { messages: 2, first: [message({ content: { other: { x: 1 } } })] }),
      {
        messages: 2,
        withTarget: 0,
        suggestion: 'other.x',
        sentence: '2 messages of mcp; the path x is in none of them; did you mean other.x?',
      },
    ],
    [
      'a path in one of two',
      looked(pattern, { messages: 2, withTarget: 1 }),
      { messages: 2, withTarget: 1, sentence: '2 messages of mcp; 1 of them has x' },
    ],
    [
      'a path in two of three',
      looked(pattern, { messages: 3, withTarget: 2 }),
      { messages: 3, withTarget: 2, sentence: '3 messages of mcp; 2 of them have x' },
    ],
    [
      'a path in it',
      looked(pattern, { messages: 1, withTarget: 1 }),
      { messages: 1, withTarget: 1, sentence: '1 message of mcp; it has x' },
    ],
    [
      'a path in each',
      looked(pattern, { messages: 2, withTarget: 2 }),
      { messages: 2, withTarget: 2, sentence: '2 messages of mcp; each has x' },
    ],
    [
      'the whole message',
      looked(whole, { messages: 1, withTarget: 1 }),
      { messages: 1, withTarget: 1, sentence: '1 message of mcp' },
    ],
    [
      'a near miss',
      looked(pattern, { messages: 1, withTarget: 1, first: [record] }),
      {
        messages: 1,
        withTarget: 1,
        nearest: { record: 4, path: 'x', value: '"Evil"', reason: 'differs only in case' },
        sentence: '1 message of mcp; it has x; record 4 differs only in case: "Evil"',
      },
    ],
    [
      'a near miss among the last, of which some are missing',
      looked(pattern, { messages: 9, withTarget: 9, last: lastOnly }),
      {
        messages: 9,
        withTarget: 9,
        nearest: { record: 4, path: 'x', value: '"Evil"', reason: 'differs only in case' },
        sentence: '9 messages of mcp; each has x; record 4 differs only in case: "Evil"',
      },
    ],
    [
      'a view',
      looked(pattern, { messages: 1, viewPath: 'body', views: 1 }),
      { messages: 1, withTarget: 0, sentence: '1 message of mcp; seen as body once, without a match' },
    ],
    [
      'views alone',
      looked(pattern, { viewPath: 'body', views: 2 }),
      { messages: 0, withTarget: 0, sentence: '0 messages of mcp; seen as body 2 times, without a match' },
    ],
    [
      'a view beside a message that has the path',
      looked(pattern, { messages: 1, withTarget: 1, viewPath: 'body', views: 2 }),
      { messages: 1, withTarget: 1, sentence: '1 message of mcp; it has x' },
    ],
    [
      'a stream that was too long',
      looked(pattern, { messages: 1, withTarget: 1, isCut: true }),
      {
        messages: 1,
        withTarget: 1,
        sentence: '1 message of mcp; it has x; a longer stream was looked at in parts',
      },
    ],
    [
      'a score',
      looked(semantic, { messages: 1, withTarget: 1 }, scored),
      {
        messages: 1,
        withTarget: 1,
        sentence: '1 message of mcp; it has x; the highest score is 0.2, 0.7 would match',
      },
    ],
    [
      'a score and a threshold',
      looked(
        { ...base, semantic: { target: 'x', intent: 'i', threshold: 0.9 } },
        { messages: 1, withTarget: 1 },
        scored,
      ),
      {
        messages: 1,
        withTarget: 1,
        sentence: '1 message of mcp; it has x; the highest score is 0.2, 0.9 would match',
      },
    ],
    [
      'no score',
      looked(semantic, { messages: 1, withTarget: 1 }, there),
      { messages: 1, withTarget: 1, sentence: '1 message of mcp; it has x' },
    ],
    [
      'an expression',
      looked(expression, { messages: 1 }),
      { messages: 1, sentence: '1 message of mcp; the expression is false for it' },
    ],
    [
      'an expression for two',
      looked(expression, { messages: 2 }),
      { messages: 2, sentence: '2 messages of mcp; the expression is false for each' },
    ],
    [
      'an expression that lacks a field',
      looked(expression, { messages: 3, lacking: 2, lackingMessage: 'no such key' }),
      { messages: 3, sentence: '3 messages of mcp; for 2 of 3 the expression lacks a field: no such key' },
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toStrictEqual(expected);
  });
});

test('methods are counted, and so many names are kept', () => {
  const names = Array.from({ length: 201 }, (_, at) => `m${at}`);
  const methods = seenMethods(...names, 'm0', 'm200').of('mcp');
  expect([methods.size, methods.get('m0'), methods.get('m199'), methods.has('m200')]).toEqual([
    200,
    2,
    1,
    false,
  ]);
  expect(seenMethods('a').of('a2a').size).toBe(0);
});

describe('a tally', () => {
  const noted = (outcomes: readonly IndicatorOutcome[], echoes: readonly string[][] = []): Tally => {
    const tally = createTally();
    outcomes.forEach((outcome, seq) => {
      note(tally, outcome, viewMessage({ x: 'a' }, { echoes }), message({ seq }));
    });
    return tally;
  };
  const seqs = (records: readonly { readonly seq: number }[]) => records.map(({ seq }) => seq);
  test('counts messages, and those with the target', () => {
    expect(noted([miss, there, there])).toMatchObject({ messages: 3, withTarget: 2, lacking: 0 });
  });
  test('keeps the first and the last', () => {
    const { first, last } = noted(Array(20).fill(miss));
    expect([seqs(first), seqs(last).sort((a, b) => a - b)]).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7],
      [12, 13, 14, 15, 16, 17, 18, 19],
    ]);
  });
  test('keeps nothing with our own text in it', () => {
    expect(noted([there], [['x']])).toMatchObject({ messages: 1, withTarget: 1, first: [] });
  });
  test('counts what lacks a field, and keeps the first reason', () => {
    const other: IndicatorOutcome = { result: 'error', error: { kind: 'cel_error', message: 'c' } };
    expect(noted([lacking('a'), lacking('b'), other])).toMatchObject({
      messages: 3,
      lacking: 2,
      lackingMessage: 'a',
      first: [],
    });
  });
});

describe('a near miss', () => {
  const near = (condition: unknown, ...values: readonly unknown[]) =>
    nearMiss(
      { target: 'x[*]', condition: condition as never },
      values.map((x, seq) => message({ seq, content: { x: [x].flat() } as never })),
      createSamples(),
    );
  const hundred = (last: string) => [...Array(99).fill('a'), last];
  const long = (length: number) => `${'a'.repeat(length - 4)}EVIL`;
  test.each<[title: string, found: ReturnType<typeof near>, expected: string | undefined]>([
    ['by case', near({ contains: 'evil' }, 'EVIL'), '0 x[0] differs only in case'],
    ['in the second message', near({ contains: 'evil' }, 'a', 'EVIL'), '1 x[0] differs only in case'],
    ['in the second value', near({ contains: 'evil' }, ['a', 'EVIL']), '0 x[1] differs only in case'],
    [
      'the nearer of two',
      near({ contains: 'evil', starts_with: 'x' }, 'a x', 'EVIL'),
      '1 x[0] differs only in case',
    ],
    ['of no operator that can be missed', near({ exists: false }, 'EVIL'), undefined],
    ['at the start', near({ starts_with: 'x' }, 'ax'), '0 x[0] has it, but not at the start'],
    ['at the end', near({ ends_with: 'x' }, 'xa'), '0 x[0] has it, but not at the end'],
    ['of a regex', near({ regex: 'ev[i]l' }, 'EVIL'), '0 x[0] differs only in case'],
    [
      'of a regex that ignores case in part',
      near({ regex: 'evil(?i)' }, 'EVIL'),
      '0 x[0] differs only in case',
    ],
    ['of a regex that ignores case', near({ regex: '(?i)evil' }, 'good'), undefined],
    ['of a regex with a choice', near({ regex: 'evil|good' }, 'EVIL'), '0 x[0] differs only in case'],
    ['of no regex', near({ contains: 'evil' }, 'undefined'), undefined],
    ['of a regex that is wrong', near({ regex: '(' }, 'EVIL'), undefined],
    ['of a regex without a literal in it', near({ regex: 'evil' }, 'good'), undefined],
    ['of some values', near({ any_of: ['A', 'b'] }, 'a'), '0 x[0] differs only in case or type'],
    ['of some other values', near({ any_of: ['A', 'b'] }, 'c'), '0 x[0] has another value'],
    ['of a value', near('A', 'c', 'a'), '1 x[0] differs only in case or type'],
    ['of another value', near('A', 'c', 'd'), '0 x[0] has another value'],
    ['of a map', near({ a: 'B' }, { a: 'b' }), '0 x[0] differs only in case or type'],
    ['above', near({ gt: 5 }, 3), '0 x[0] has another number'],
    ['below', near({ lt: 5 }, 7), '0 x[0] has another number'],
    ['at least', near({ gte: 5 }, 3), '0 x[0] has another number'],
    ['at most', near({ lte: 5 }, '9'), '0 x[0] has no number'],
    ['of no bound', near({ gt: 'x' }, 3), undefined],
    [
      'among as many values as are looked at',
      near({ contains: 'evil' }, hundred('EVIL')),
      '0 x[99] differs only in case',
    ],
    ['among more values', near({ contains: 'evil' }, ['a', ...hundred('EVIL')]), undefined],
    [
      'in a text as long as is looked at',
      near({ contains: 'evil' }, long(65_536)),
      '0 x[0] differs only in case',
    ],
    ['in a longer text', near({ contains: 'evil' }, long(65_537)), undefined],
  ])('%s', (_, found, expected) => {
    expect(found && `${found.record} ${found.path} ${found.reason}`).toBe(expected);
  });

  test.each([
    ['a', '"a"'],
    ['n'.repeat(80), `"${'n'.repeat(80)}"`],
    ['n'.repeat(81), `"${'n'.repeat(80)}…"`],
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [7, '7'],
  ])('%j is shown', (value, shown) => {
    expect(near('other', value)?.value).toBe(shown);
  });

  test('values are resolved once for many indicators', () => {
    const samples = createSamples();
    const [one, two] = [message({ content: { x: 'a', y: 'b' } }), message({ content: { x: 'c' } })];
    expect(samples.at('x', one)).toBe(samples.at('x', one));
    expect([samples.at('y', one), samples.at('x', two)].map(([sample]) => sample?.text)).toEqual(['b', 'c']);
  });
});
