import { describe, expect, test } from 'vitest';
import { excerpt, toVerdict } from '../../src/evaluate/outcome.ts';
import { agentVerdict, combineVerdicts, computeVerdict, reachedTier } from '../../src/evaluate/verdict.ts';
import type { IndicatorVerdict } from '../../src/model/verdict.ts';

// How the verdicts of indicators make one.

const theirs = { path: '', from: 0, to: 1 };
const words: { readonly [word: string]: Partial<IndicatorVerdict> } = {
  match: { result: 'matched', evidence: 'e', match: theirs },
  ours: { result: 'matched', evidence: 'e', match: { ...theirs, own: true } },
  miss: { result: 'not_matched' },
  error: { result: 'error', evidence: 'x' },
  skip: { result: 'skipped', evidence: 'y' },
};
const each = (text: string): IndicatorVerdict[] =>
  text
    .split(' ')
    .flatMap((word, at) =>
      word === '' ? [] : [{ indicatorId: `I${at}`, ...words[word] } as IndicatorVerdict],
    );
const attack = (count: number, logic?: 'any' | 'all', tiers: readonly (string | undefined)[] = []) => ({
  indicators: Array.from({ length: count }, (_, at) => ({ id: `I${at}`, tier: tiers[at] as never })),
  ...(logic !== undefined && { correlation: { logic } }),
});

describe('together', () => {
  test.each<
    [verdicts: string, logic: 'any' | 'all' | undefined, result: string, message: string | undefined]
  >([
    ['match', undefined, 'exploited', undefined],
    ['match miss', undefined, 'exploited', undefined],
    ['match miss', 'any', 'exploited', undefined],
    ['match miss', 'all', 'partial', undefined],
    ['match match', 'all', 'exploited', undefined],
    ['match skip', 'all', 'partial', undefined],
    ['miss', undefined, 'not_exploited', undefined],
    ['miss skip', undefined, 'not_exploited', undefined],
    ['skip', undefined, 'error', 'every indicator was skipped'],
    ['match error', undefined, 'error', '1 of 2 indicators could not be evaluated'],
    ['', undefined, 'error', 'the document has no indicators, so there is nothing to judge by'],
  ])('%s, %s', (verdicts, logic, result, why) => {
    const list = each(verdicts);
    const found = combineVerdicts(attack(list.length, logic), list);
    expect([found.result, found.message]).toEqual([result, why]);
    expect(found.indicatorVerdicts).toBe(list);
  });

  test('each result is counted', () => {
    const list = each('match match match miss miss miss miss error skip skip');
    expect(combineVerdicts(attack(10), list).evaluationSummary).toEqual({
      matched: 3,
      notMatched: 4,
      error: 1,
      skipped: 2,
    });
  });

  test('the verdict carries the name of the attack, if it has one', () => {
    expect(combineVerdicts({ ...attack(1), id: 'A' }, each('miss')).attackId).toBe('A');
    expect(combineVerdicts(attack(1), each('miss'))).not.toHaveProperty('attackId');
    expect(combineVerdicts(attack(1), each('miss'))).not.toHaveProperty('maxTier');
    expect(combineVerdicts(attack(1), each('miss'))).not.toHaveProperty('message');
  });

  test('verdicts are found by their ids', () => {
    const [first, second] = each('match miss');
    const both = { I0: first, I1: second } as { [id: string]: IndicatorVerdict };
    expect(computeVerdict(attack(2), both).indicatorVerdicts).toEqual([first, second]);
    expect(computeVerdict(attack(2), new Map(Object.entries(both))).indicatorVerdicts).toEqual([
      first,
      second,
    ]);
    expect(computeVerdict(attack(3), both).indicatorVerdicts[2]).toEqual({
      indicatorId: 'I2',
      result: 'skipped',
    });
    expect(computeVerdict({}, both).result).toBe('error');
    expect(computeVerdict({ indicators: [{ id: 'toString' }] }, both).result).toBe('error');
  });
});

describe('the agent’s own', () => {
  test.each<[verdicts: string, result: string]>([
    ['match', 'exploited'],
    ['ours', 'not_exploited'],
    ['ours match', 'exploited'],
    ['error', 'not_exploited'],
    ['error match', 'exploited'],
    ['skip', 'error'],
    ['miss', 'not_exploited'],
  ])('%s', (verdicts, result) => {
    const list = each(verdicts);
    expect(agentVerdict(attack(list.length), combineVerdicts(attack(list.length), list)).result).toBe(result);
  });

  test('what does not count is no match, and has no evidence', () => {
    const list = each('ours error match skip');
    const found = agentVerdict(attack(4), combineVerdicts(attack(4), list)).indicatorVerdicts;
    expect(found).toEqual([
      { indicatorId: 'I0', result: 'not_matched' },
      { indicatorId: 'I1', result: 'not_matched' },
      list[2],
      list[3],
    ]);
  });
});

describe('a tier', () => {
  test.each<
    [
      verdicts: string,
      tiers: readonly (string | undefined)[],
      reached: string | undefined,
      most: string | undefined,
    ]
  >([
    ['match', ['ingested'], 'ingested', 'ingested'],
    ['match', [undefined], 'boundary_breach', undefined],
    ['miss', ['ingested'], undefined, undefined],
    ['ours', ['ingested'], undefined, 'ingested'],
    ['error', ['ingested'], undefined, undefined],
    ['match match', ['local_action', 'ingested'], 'local_action', 'local_action'],
    ['match miss', ['ingested', 'boundary_breach'], 'ingested', 'ingested'],
    ['match match', ['ingested', undefined], 'boundary_breach', 'ingested'],
    ['match match', ['boundary_breach', 'local_action'], 'boundary_breach', 'boundary_breach'],
  ])('%s of %s', (verdicts, tiers, reached, most) => {
    const of = attack(tiers.length, undefined, tiers);
    const verdict = combineVerdicts(of, each(verdicts));
    expect([reachedTier(of, verdict), verdict.maxTier]).toEqual([reached, most]);
  });

  test('of nothing', () => {
    expect(reachedTier({}, combineVerdicts({}, []))).toBeUndefined();
    expect(reachedTier(attack(2), combineVerdicts(attack(1), each('miss')))).toBeUndefined();
  });
});

describe('evidence', () => {
  const long = `${'a'.repeat(600)}evil${'b'.repeat(600)}`;
  test.each<[title: string, text: string, from: number, to: number, expected: string]>([
    ['as it is', 'a'.repeat(500), 0, 1, 'a'.repeat(500)],
    ['as it is, with a match at its end', 'a'.repeat(500), 490, 500, 'a'.repeat(500)],
    ['cut at the end', 'a'.repeat(501), 0, 1, `${'a'.repeat(500)}…`],
    ['around the match', long, 600, 604, `…${'a'.repeat(248)}evil${'b'.repeat(248)}…`],
    ['near the beginning', long, 100, 104, `${long.slice(0, 500)}…`],
    ['at the beginning of the margin', long, 248, 252, `${long.slice(0, 500)}…`],
    ['just behind it', long, 249, 253, `…${long.slice(1, 501)}…`],
    ['at the end', long, 1200, 1204, `…${long.slice(952)}`],
    ['just at its end', long, 952, 956, `…${long.slice(704)}`],
    ['of a match that is too long', long, 600, 1200, `…${long.slice(600, 1100)}…`],
  ])('%s', (_, text, from, to, expected) => {
    expect(excerpt(text, from, to)).toBe(expected);
  });

  test.each<[outcome: Parameters<typeof toVerdict>[1], expected: object]>([
    [{ result: 'matched', evidence: 'e' }, { evidence: 'e' }],
    [
      { result: 'matched', evidence: 'e', match: theirs },
      { evidence: 'e', match: theirs },
    ],
    [{ result: 'not_matched' }, {}],
    [{ result: 'not_matched', evidence: 'e', score: 0.1, isThere: true }, { evidence: 'e' }],
    [{ result: 'skipped', evidence: 'e' }, { evidence: 'e' }],
    [
      { result: 'error', error: { kind: 'cel_error', message: 'm' } },
      { evidence: 'm', error: { kind: 'cel_error', message: 'm', indicatorId: 'I' } },
    ],
  ])('%j', (outcome, expected) => {
    const { timestamp, ...verdict } = toVerdict('I', outcome);
    expect(verdict).toStrictEqual({ indicatorId: 'I', result: outcome.result, ...expected });
    expect(Number.isNaN(Date.parse(timestamp ?? ''))).toBe(false);
  });
});
