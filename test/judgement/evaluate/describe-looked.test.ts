import { describe, expect, test } from 'vitest';
import type { Echo } from '../../../src/format/model/binding-views.ts';
import type { NormalizedIndicator } from '../../../src/format/model/normalized.ts';
import type { MessageRecord } from '../../../src/format/model/trace-record.ts';
import type { IndicatorOutcome } from '../../../src/judgement/evaluate/indicator-outcome.ts';
import { createMessageView } from '../../../src/judgement/evaluate/message-view.ts';
import { createSamples, findNearMiss } from '../../../src/judgement/evaluate/near-miss.ts';
import {
  createSeenMethods,
  createTally,
  describeLooked,
  type SearchTally,
  tallyOutcome,
} from '../../../src/judgement/evaluate/search-tally.ts';
import { message } from '../../support/records.ts';

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
  tally: Partial<SearchTally>,
  outcome: IndicatorOutcome = miss,
  seen = seenMethods(),
) {
  return describeLooked(indicator, { ...createTally(), ...tally }, outcome, seen, createSamples());
}

describe('describeLooked', () => {
  const record = message({ seq: 4, content: { x: 'Evil' } });
  const many = seenMethods('a', 'b', 'c', 'd', 'e');
  const lastOnly: MessageRecord[] = [];
  lastOnly[3] = record;
  const scored: IndicatorOutcome = { result: 'not_matched', isThere: true, score: 0.2 };
  test.each<[title: string, found: ReturnType<typeof looked>, expected: object]>([
    [
      'no messages',
      looked(pattern, {}),
      { messages: 0, sentence: 'expected x to contain "evil", but no message of mcp came' },
    ],
    [
      'no messages of a surface',
      looked({ ...pattern, surface: 'tools/cal' }, {}, miss, seenMethods('tools/call')),
      {
        messages: 0,
        suggestion: 'tools/call',
        sentence:
          'expected x to contain "evil", but no message of tools/cal came; the agent sent tools/call; did you mean tools/call?',
      },
    ],
    [
      'no messages of a protocol to an actor',
      looked({ ...pattern, protocol: 'a2a', actor: 'a' }, {}, miss, seenMethods('tools/call')),
      { messages: 0, sentence: 'expected x to contain "evil", but no message of a2a with "a" came' },
    ],
    [
      'no messages in our own direction',
      looked({ ...pattern, direction: 'response' }, {}, miss, seenMethods('tools/call')),
      { messages: 0, sentence: 'expected x to contain "evil", but no message of mcp came' },
    ],
    [
      'as many other methods as it names',
      looked(pattern, {}, miss, many),
      {
        messages: 0,
        sentence: 'expected x to contain "evil", but no message of mcp came; the agent sent a, b, c, d, e',
      },
    ],
    [
      'a path that the only message lacks',
      looked(pattern, { messages: 1 }),
      { messages: 1, withTarget: 0, sentence: 'expected x to contain "evil", but the only message of mcp lacks it' },
    ],
    [
      'a path that every message lacks',
      looked(pattern, { messages: 2, first: [message({ content: { other: { x: 1 } } })] }),
      {
        messages: 2,
        withTarget: 0,
        suggestion: 'other.x',
        sentence: 'expected x to contain "evil", but none of 2 messages of mcp has it; did you mean other.x?',
      },
    ],
    [
      'a path that one of two messages has',
      looked(pattern, { messages: 2, withTarget: 1 }),
      { messages: 2, withTarget: 1, sentence: 'expected x to contain "evil", got no match in 1 of 2 messages of mcp' },
    ],
    [
      'a path that two of three messages have',
      looked(pattern, { messages: 3, withTarget: 2 }),
      { messages: 3, withTarget: 2, sentence: 'expected x to contain "evil", got no match in 2 of 3 messages of mcp' },
    ],
    [
      'a path that the only message has',
      looked(pattern, { messages: 1, withTarget: 1 }),
      { messages: 1, withTarget: 1, sentence: 'expected x to contain "evil", got no match in the only message of mcp' },
    ],
    [
      'a path that every message has',
      looked(pattern, { messages: 2, withTarget: 2 }),
      { messages: 2, withTarget: 2, sentence: 'expected x to contain "evil", got no match in 2 messages of mcp' },
    ],
    [
      'a pattern for the whole message',
      looked(whole, { messages: 1, withTarget: 1 }),
      {
        messages: 1,
        withTarget: 1,
        sentence: 'expected the message to contain "evil", got no match in the only message of mcp',
      },
    ],
    [
      'a near miss in another case',
      looked(pattern, { messages: 1, withTarget: 1, first: [record] }),
      {
        messages: 1,
        withTarget: 1,
        nearest: { record: 4, path: 'x', value: '"Evil"', reason: 'differs only in case' },
        sentence: 'expected x to contain "evil", got "Evil", which differs only in case, in the only message of mcp',
      },
    ],
    [
      'a near miss among the last messages, of which some are missing',
      looked(pattern, { messages: 9, withTarget: 9, last: lastOnly }),
      {
        messages: 9,
        withTarget: 9,
        nearest: { record: 4, path: 'x', value: '"Evil"', reason: 'differs only in case' },
        sentence:
          'expected x to contain "evil", got "Evil", which differs only in case, in record 4 (of 9 messages of mcp)',
      },
    ],
    [
      'a view without a match',
      looked(pattern, { messages: 1, viewPath: 'body', views: 1 }),
      { messages: 1, withTarget: 0, sentence: 'expected x to contain "evil", got no match in body, seen once' },
    ],
    [
      'views without a message',
      looked(pattern, { viewPath: 'body', views: 2 }),
      { messages: 0, withTarget: 0, sentence: 'expected x to contain "evil", got no match in body, seen 2 times' },
    ],
    [
      'a view beside a message that has the path',
      looked(pattern, { messages: 1, withTarget: 1, viewPath: 'body', views: 2 }),
      { messages: 1, withTarget: 1, sentence: 'expected x to contain "evil", got no match in the only message of mcp' },
    ],
    [
      'a stream that was judged in parts',
      looked(pattern, { messages: 1, withTarget: 1, isCut: true }),
      {
        messages: 1,
        withTarget: 1,
        sentence:
          'expected x to contain "evil", got no match in the only message of mcp; a longer stream was looked at in parts',
      },
    ],
    [
      'a score below the default threshold',
      looked(semantic, { messages: 1, withTarget: 1 }, scored),
      {
        messages: 1,
        withTarget: 1,
        sentence: 'expected x to mean "leaks" with a score of at least 0.7, got 0.2 in the only message of mcp',
      },
    ],
    [
      'a score below the document’s threshold',
      looked(
        { ...base, semantic: { target: 'x', intent: 'i', threshold: 0.9 } },
        { messages: 1, withTarget: 1 },
        scored,
      ),
      {
        messages: 1,
        withTarget: 1,
        sentence: 'expected x to mean "i" with a score of at least 0.9, got 0.2 in the only message of mcp',
      },
    ],
    [
      'a judged text without a score',
      looked(semantic, { messages: 1, withTarget: 1 }, there),
      {
        messages: 1,
        withTarget: 1,
        sentence: 'expected x to mean "leaks" with a score of at least 0.7, got no score in the only message of mcp',
      },
    ],
    [
      'an expression that is false for one message',
      looked(expression, { messages: 1 }),
      { messages: 1, sentence: 'expected the expression false to hold, got false in the only message of mcp' },
    ],
    [
      'an expression that is false for two messages',
      looked(expression, { messages: 2 }),
      { messages: 2, sentence: 'expected the expression false to hold, got false in 2 messages of mcp' },
    ],
    [
      'an expression that lacks a field in some messages',
      looked(expression, { messages: 3, lacking: 2, lackingMessage: 'no such key' }),
      {
        messages: 3,
        sentence: 'expected the expression false to hold, but 2 of 3 messages of mcp lack a field: no such key',
      },
    ],
  ])('describes %s', (_, found, expected) => {
    expect(found).toStrictEqual(expected);
  });
});

test('createSeenMethods counts methods and keeps at most 200 names', () => {
  const names = Array.from({ length: 201 }, (_, at) => `m${at}`);
  const methods = seenMethods(...names, 'm0', 'm200').of('mcp');
  expect([methods.size, methods.get('m0'), methods.get('m199'), methods.has('m200')]).toEqual([200, 2, 1, false]);
  expect(seenMethods('a').of('a2a').size).toBe(0);
});

describe('note', () => {
  const noted = (outcomes: readonly IndicatorOutcome[], echoes: readonly Echo[] = []): SearchTally => {
    const tally = createTally();
    outcomes.forEach((outcome, seq) => {
      tallyOutcome(tally, outcome, createMessageView({ x: 'a' }, { echoes }), message({ seq }));
    });
    return tally;
  };
  const seqs = (records: readonly { readonly seq: number }[]) => records.map(({ seq }) => seq);
  test('counts all messages and those with the target', () => {
    expect(noted([miss, there, there])).toMatchObject({ messages: 3, withTarget: 2, lacking: 0 });
  });
  test('keeps the first eight messages and the last eight', () => {
    const { first, last } = noted(Array(20).fill(miss));
    expect([seqs(first), seqs(last).sort((a, b) => a - b)]).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7],
      [12, 13, 14, 15, 16, 17, 18, 19],
    ]);
  });
  test('keeps no message that repeats our own text', () => {
    expect(noted([there], [{ path: ['x'] }])).toMatchObject({ messages: 1, withTarget: 1, first: [] });
  });
  test('counts messages that lack a field and keeps the first reason', () => {
    const other: IndicatorOutcome = { result: 'error', error: { kind: 'cel_error', message: 'c' } };
    expect(noted([lacking('a'), lacking('b'), other])).toMatchObject({
      messages: 3,
      lacking: 2,
      lackingMessage: 'a',
      first: [],
    });
  });
});

describe('findNearMiss', () => {
  const near = (condition: unknown, ...values: readonly unknown[]) =>
    findNearMiss(
      { target: 'x[*]', condition: condition as never },
      values.map((x, seq) => message({ seq, content: { x: [x].flat() } as never })),
      createSamples(),
    );
  const hundred = (last: string) => [...Array(99).fill('a'), last];
  const long = (length: number) => `${'a'.repeat(length - 4)}EVIL`;
  test.each<[title: string, found: ReturnType<typeof near>, expected: string | undefined]>([
    ['a value in another case', near({ contains: 'evil' }, 'EVIL'), '0 x[0] differs only in case'],
    ['a near miss in the second message', near({ contains: 'evil' }, 'a', 'EVIL'), '1 x[0] differs only in case'],
    ['a near miss in the second value', near({ contains: 'evil' }, ['a', 'EVIL']), '0 x[1] differs only in case'],
    [
      'the nearer of two values',
      near({ contains: 'evil', starts_with: 'x' }, 'a x', 'EVIL'),
      '1 x[0] differs only in case',
    ],
    [
      'a condition without an operator that can be nearly met',
      near({ exists: false }, 'EVIL'),
      '0 x[0] has another value',
    ],
    [
      'a text that has the words, but not at the start',
      near({ starts_with: 'x' }, 'ax'),
      '0 x[0] has it, but not at the start',
    ],
    [
      'a text that has the words, but not at the end',
      near({ ends_with: 'x' }, 'xa'),
      '0 x[0] has it, but not at the end',
    ],
    ['a match of a regex in another case', near({ regex: 'ev[i]l' }, 'EVIL'), '0 x[0] differs only in case'],
    [
      'a match of a partly case-insensitive regex in another case',
      near({ regex: 'evil(?i)' }, 'EVIL'),
      '0 x[0] differs only in case',
    ],
    ['no match of a case-insensitive regex', near({ regex: '(?i)evil' }, 'good'), '0 x[0] has another value'],
    [
      'a match of one choice of a regex in another case',
      near({ regex: 'evil|good' }, 'EVIL'),
      '0 x[0] differs only in case',
    ],
    ['the text "undefined" if there is no regex', near({ contains: 'evil' }, 'undefined'), '0 x[0] has another value'],
    ['a regex that does not compile', near({ regex: '(' }, 'EVIL'), '0 x[0] has another value'],
    ['a text without a word of the regex', near({ regex: 'evil' }, 'good'), '0 x[0] has another value'],
    ['one of several values in another case', near({ any_of: ['A', 'b'] }, 'a'), '0 x[0] differs only in case or type'],
    ['a value that is none of several', near({ any_of: ['A', 'b'] }, 'c'), '0 x[0] has another value'],
    ['the expected value in another case', near('A', 'c', 'a'), '1 x[0] differs only in case or type'],
    ['another value than the expected one', near('A', 'c', 'd'), '0 x[0] has another value'],
    [
      'a map with the expected value in another case',
      near({ a: 'B' }, { a: 'b' }),
      '0 x[0] differs only in case or type',
    ],
    ['a number that is not above the bound', near({ gt: 5 }, 3), '0 x[0] has another number'],
    ['a number that is not below the bound', near({ lt: 5 }, 7), '0 x[0] has another number'],
    ['a number under the least one', near({ gte: 5 }, 3), '0 x[0] has another number'],
    ['a text where a greatest number is set', near({ lte: 5 }, '9'), '0 x[0] has no number'],
    ['a bound that is not a number', near({ gt: 'x' }, 3), '0 x[0] has another value'],
    [
      'a near miss in the last value that it reads',
      near({ contains: 'evil' }, hundred('EVIL')),
      '0 x[99] differs only in case',
    ],
    [
      'a near miss behind the values that it reads',
      near({ contains: 'evil' }, ['a', ...hundred('EVIL')]),
      '0 x[0] has another value',
    ],
    [
      'a near miss in the longest text that it reads',
      near({ contains: 'evil' }, long(65_536)),
      '0 x[0] differs only in case',
    ],
    ['a near miss in a text longer than it reads', near({ contains: 'evil' }, long(65_537)), undefined],
  ])('returns, for %s: $2', (_, found, expected) => {
    expect(found && `${found.record} ${found.path} ${found.reason}`).toBe(expected);
  });

  test.each([
    ['a', '"a"'],
    ['n'.repeat(80), `"${'n'.repeat(80)}"`],
    ['n'.repeat(81), 'a text of 81 characters'],
    [`a ${'n'.repeat(79)}`, '"a …"'],
    [`${'n'.repeat(80)} b`, `"${'n'.repeat(80)}…"`],
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [7, '7'],
  ])('shows the value %j shortened as %s', (value, shown) => {
    expect(near('other', value)?.value).toBe(shown);
  });

  test('resolves the values of a message once for many indicators', () => {
    const samples = createSamples();
    const [one, two] = [message({ content: { x: 'a', y: 'b' } }), message({ content: { x: 'c' } })];
    expect(samples.at('x', one)).toBe(samples.at('x', one));
    expect([samples.at('y', one), samples.at('x', two)].map(([sample]) => sample?.text)).toEqual(['b', 'c']);
  });
});
