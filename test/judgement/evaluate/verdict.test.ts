import { describe, expect, test } from 'vitest';
import type { IndicatorVerdict } from '../../../src/format/model/attack-verdict.ts';
import {
  agentVerdict,
  combineVerdicts,
  computeVerdict,
  findReachedTier,
  listCountedMatches,
} from '../../../src/judgement/evaluate/compute-verdict.ts';
import { excerptMatch, toVerdict } from '../../../src/judgement/evaluate/indicator-outcome.ts';

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
    .flatMap((word, at) => (word === '' ? [] : [{ indicatorId: `I${at}`, ...words[word] } as IndicatorVerdict]));
const attack = (count: number, logic?: 'any' | 'all', tiers: readonly (string | undefined)[] = []) => ({
  indicators: Array.from({ length: count }, (_, at) => ({ id: `I${at}`, tier: tiers[at] as never })),
  ...(logic !== undefined && { correlation: { logic } }),
});

describe('combineVerdicts', () => {
  test.each<[verdicts: string, logic: 'any' | 'all' | undefined, result: string, message: string | undefined]>([
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
  ])('combines [%s] under the logic %s to %s', (verdicts, logic, result, why) => {
    const list = each(verdicts);
    const found = combineVerdicts(attack(list.length, logic), list);
    expect([found.result, found.message]).toEqual([result, why]);
    expect(found.indicatorVerdicts).toBe(list);
  });

  test('counts each result', () => {
    const list = each('match match match miss miss miss miss error skip skip');
    expect(combineVerdicts(attack(10), list).evaluationSummary).toEqual({
      matched: 3,
      notMatched: 4,
      error: 1,
      skipped: 2,
    });
  });

  test('carries the id of the attack if it has one', () => {
    expect(combineVerdicts({ ...attack(1), id: 'A' }, each('miss')).attackId).toBe('A');
    expect(combineVerdicts(attack(1), each('miss'))).not.toHaveProperty('attackId');
    expect(combineVerdicts(attack(1), each('miss'))).not.toHaveProperty('maxTier');
    expect(combineVerdicts(attack(1), each('miss'))).not.toHaveProperty('message');
  });

  test('finds the verdict of each indicator by its id in computeVerdict', () => {
    const [first, second] = each('match miss');
    const both = { I0: first, I1: second } as { [id: string]: IndicatorVerdict };
    expect(computeVerdict(attack(2), both).indicatorVerdicts).toEqual([first, second]);
    expect(computeVerdict(attack(2), new Map(Object.entries(both))).indicatorVerdicts).toEqual([first, second]);
    expect(computeVerdict(attack(3), both).indicatorVerdicts[2]).toEqual({
      indicatorId: 'I2',
      result: 'skipped',
    });
    expect(computeVerdict({}, both).result).toBe('error');
    expect(computeVerdict({ indicators: [{ id: 'toString' }] }, both).result).toBe('error');
  });
});

describe('agentVerdict', () => {
  test.each<[verdicts: string, result: string]>([
    ['match', 'exploited'],
    ['ours', 'not_exploited'],
    ['ours match', 'exploited'],
    ['error', 'not_exploited'],
    ['error match', 'exploited'],
    ['skip', 'error'],
    ['miss', 'not_exploited'],
  ])('counts [%s] as %s', (verdicts, result) => {
    const list = each(verdicts);
    expect(agentVerdict(attack(list.length), combineVerdicts(attack(list.length), list)).result).toBe(result);
  });

  test('turns matches of ours and errors into misses without evidence', () => {
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

describe('findReachedTier', () => {
  test.each<
    [verdicts: string, tiers: readonly (string | undefined)[], reached: string | undefined, most: string | undefined]
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
  ])('finds, for [%s] with the tiers %j, the tier %s', (verdicts, tiers, reached, most) => {
    const of = attack(tiers.length, undefined, tiers);
    const verdict = combineVerdicts(of, each(verdicts));
    expect([findReachedTier(listCountedMatches(of, verdict)), verdict.maxTier]).toEqual([reached, most]);
  });

  test('returns undefined without indicators or verdicts', () => {
    expect(listCountedMatches({}, combineVerdicts({}, []))).toEqual([]);
    expect(listCountedMatches(attack(2), combineVerdicts(attack(1), each('miss')))).toEqual([]);
  });
});

describe('evidence of a verdict', () => {
  const long = `${'a'.repeat(600)}evil${'b'.repeat(600)}`;
  test.each<[title: string, text: string, from: number, to: number, expected: string]>([
    ['a text that fits', 'a'.repeat(500), 0, 1, 'a'.repeat(500)],
    ['a text that fits, with a match at its end', 'a'.repeat(500), 490, 500, 'a'.repeat(500)],
    ['the beginning of a text with an early match', 'a'.repeat(501), 0, 1, `${'a'.repeat(500)}…`],
    ['the text around a match in the middle', long, 600, 604, `…${'a'.repeat(248)}evil${'b'.repeat(248)}…`],
    ['the beginning of a text with a match near it', long, 100, 104, `${long.slice(0, 500)}…`],
    ['the beginning of a text with a match at the margin', long, 248, 252, `${long.slice(0, 500)}…`],
    ['the text around a match just behind the margin', long, 249, 253, `…${long.slice(1, 501)}…`],
    ['the end of a text with a match at its end', long, 1200, 1204, `…${long.slice(952)}`],
    ['the end of a text with a match at the last margin', long, 952, 956, `…${long.slice(704)}`],
    ['the beginning of a match that is too long', long, 600, 1200, `…${long.slice(600, 1100)}…`],
  ])('is, from excerpt, %s', (_, text, from, to, expected) => {
    expect(excerptMatch(text, from, to)).toBe(expected);
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
  ])('is, in toVerdict, copied with the other fields of %j', (outcome, expected) => {
    const { timestamp, ...verdict } = toVerdict('I', outcome);
    expect(verdict).toStrictEqual({ indicatorId: 'I', result: outcome.result, ...expected });
    expect(Number.isNaN(Date.parse(timestamp ?? ''))).toBe(false);
  });
});
