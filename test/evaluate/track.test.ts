import { describe, expect, test } from 'vitest';
import { viewMessage } from '../../src/evaluate/message-view.ts';
import type { IndicatorOutcome } from '../../src/evaluate/outcome.ts';
import {
  concludeTrack,
  createTrack,
  isSettled,
  settle,
  settleProjected,
  type Track,
} from '../../src/evaluate/track.ts';
import type { NormalizedIndicator } from '../../src/model/normalized.ts';
import type { Projection, StreamView } from '../../src/model/views.ts';
import { message } from '../support/records.ts';

// Which of the outcomes on many messages is the indicator's own.

const pattern = { target: 'x', condition: { contains: 'evil' } };
const base: NormalizedIndicator = { id: 'I', protocol: 'mcp', target: 'x', pattern };
const semantic: NormalizedIndicator = {
  id: 'I',
  protocol: 'mcp',
  target: 'x',
  semantic: { target: 'x', intent: 'leaks' },
};
const expression: NormalizedIndicator = {
  id: 'I',
  protocol: 'mcp',
  target: 'x',
  expression: { cel: 'true' },
};

function trackOf(indicator: NormalizedIndicator = base): Track {
  return createTrack(indicator, {}, 1_000, undefined);
}

type Step = (track: Track) => void;

const record = (seq: number) => message({ seq });
const view = (isOurs = false) => viewMessage({ x: 'y' }, { isOurs });
const on =
  (outcome: IndicatorOutcome, seq = 1, isOurs = false): Step =>
  (track) =>
    settle(track, outcome, view(isOurs), record(seq));
const seenAs =
  (outcome: IndicatorOutcome, more: Partial<Projection> = {}, isOurs = false): Step =>
  (track) =>
    settleProjected(track, outcome, view(isOurs), {
      path: 'body',
      content: {},
      record: 7,
      protocol: 'mcp',
      direction: 'request',
      ...more,
    });

const matched = (evidence: string): IndicatorOutcome => ({
  result: 'matched',
  evidence,
  match: { path: 'x', from: 1, to: 2 },
});
const ownMatch = (evidence: string): IndicatorOutcome => ({
  result: 'matched',
  evidence,
  match: { path: 'x', from: 1, to: 2, own: true },
});
const error = (text: string, missingField?: true): IndicatorOutcome => ({
  result: 'error',
  error: { kind: 'cel_error', message: text, ...(missingField && { missingField }) } as never,
});
const miss = (score?: number): IndicatorOutcome => ({
  result: 'not_matched',
  ...(score !== undefined && { score }),
});
const skipped: IndicatorOutcome = { result: 'skipped', evidence: 'no judge' };
const stream = (more: Partial<StreamView> = {}): Partial<Projection> => ({
  stream: { last: record(7), surfaces: [], isWhole: true, ...more },
});

/** What an outcome says, in one word or two. */
function told(outcome: IndicatorOutcome): string {
  switch (outcome.result) {
    case 'matched':
      return `${outcome.evidence} at ${outcome.match?.record}${outcome.match?.own ? ', ours' : ''}`;
    case 'error':
      return outcome.error.message;
    case 'skipped':
      return outcome.evidence;
    case 'not_matched':
      return `missed${outcome.score === undefined ? '' : ` by ${outcome.score}`}`;
  }
}

const far = 'insufficient data: nothing came from the agent over mcp';

describe('of all outcomes', () => {
  test.each<[title: string, steps: readonly Step[], expected: string]>([
    ['there is none', [], 'missed'],
    ['a match', [on(matched('a'), 3)], 'a at 3'],
    ['a match after a miss', [on(miss()), on(matched('a'), 3)], 'a at 3'],
    ['a match before an error', [on(matched('a'), 3), on(error('e'))], 'a at 3'],
    ['an error', [on(miss()), on(error('e')), on(miss())], 'e'],
    ['the first error', [on(error('e')), on(error('f'))], 'e'],
    ['an error before one that was skipped', [on(skipped), on(error('e')), on(skipped)], 'e'],
    ['a miss before a missing field', [on(error('m', true)), on(miss())], 'missed'],
    ['a miss after a missing field', [on(miss()), on(error('m', true))], 'missed'],
    ['a missing field', [on(error('m', true))], 'm'],
    ['an error before a missing field', [on(error('m', true)), on(error('e'))], 'e'],
    ['what was skipped, before a miss', [on(miss()), on(skipped)], 'no judge'],
    ['what was skipped, after a miss', [on(skipped), on(miss())], 'no judge'],
    ['the nearest miss', [on(miss(0.1)), on(miss(0.3)), on(miss(0.2))], 'missed by 0.3'],
    ['a miss with a score before one without', [on(miss()), on(miss(0))], 'missed by 0'],
    ['a miss without a score leaves it', [on(miss(0.1)), on(miss())], 'missed by 0.1'],
    ['a near miss is no error', [on(error('e')), on(miss(0.3))], 'e'],
    ['a match of ours', [on(ownMatch('a'), 3)], 'a at 3, ours'],
    ['a match in ours', [on(matched('a'), 3, true)], 'a at 3, ours'],
    ['the first match of ours', [on(ownMatch('a'), 3), on(ownMatch('b'), 4)], 'a at 3, ours'],
    ['a match of ours before an error', [on(error('e')), on(ownMatch('a'), 3)], 'a at 3, ours'],
    ['a match of theirs after one of ours', [on(ownMatch('a'), 3), on(matched('b'), 4)], 'b at 4'],
    ['a match of a view', [seenAs(matched('a'))], 'body: a at 7'],
    ['the first match of a view', [seenAs(matched('a')), seenAs(matched('b'))], 'body: a at 7'],
    ['a match before one of a view', [seenAs(matched('a')), on(matched('b'), 8)], 'b at 8'],
    ['a match of a view before one of ours', [on(ownMatch('a')), seenAs(matched('b'))], 'body: b at 7'],
    ['a match of a view of ours', [seenAs(matched('a'), {}, true)], 'body: a at 7, ours'],
    ['the first of a view of ours', [seenAs(ownMatch('a')), seenAs(ownMatch('b'))], 'body: a at 7, ours'],
    ['a message of ours before a view of it', [seenAs(ownMatch('a')), on(ownMatch('b'), 8)], 'b at 8, ours'],
    ['a message of ours, and then a view', [on(ownMatch('b'), 6), seenAs(ownMatch('a'))], 'b at 6, ours'],
    ['a failed view', [on(miss()), seenAs(error('e'))], 'e'],
    ['the first failed view', [seenAs(error('e')), seenAs(error('f'))], 'e'],
    ['a failed view that lacks a field', [on(miss()), seenAs(error('m', true))], 'm'],
    ['a failed stream', [on(miss()), seenAs(error('e'), stream())], 'e'],
    ['a failed stream that lacks a field', [on(miss()), seenAs(error('m', true), stream())], 'missed'],
    [
      'a failed stream in another spelling',
      [on(miss()), seenAs(error('e'), stream({ isRespelt: true }))],
      'missed',
    ],
    ['a match before a failed view', [seenAs(error('e')), on(matched('a'), 3)], 'a at 3'],
    ['a view that was skipped', [on(miss()), seenAs(skipped)], 'no judge'],
    ['a view that nearly matched', [on(miss(0.1)), seenAs(miss(0.2))], 'missed by 0.2'],
    ['a view that did not match', [on(error('m', true)), seenAs(miss())], 'm'],
  ])('%s', (_, steps, expected) => {
    const track = trackOf();
    for (const step of steps) step(track);
    expect(told(concludeTrack(track, true, undefined))).toBe(expected);
  });

  test('of two misses that are as near, the first', () => {
    const track = trackOf();
    for (const evidence of ['a', 'b']) on({ result: 'not_matched', score: 0.1, evidence })(track);
    expect(concludeTrack(track, true, undefined)).toMatchObject({ evidence: 'a' });
  });

  test('a match without a place has one', () => {
    const track = trackOf();
    on({ result: 'matched', evidence: 'nothing there' }, 3)(track);
    expect(concludeTrack(track, true, undefined)).toMatchObject({
      evidence: 'nothing there',
      match: { record: 3, path: '', from: 0, to: 0 },
    });
  });

  test('a match of a view names it', () => {
    const track = trackOf();
    seenAs(matched('a'))(track);
    expect(concludeTrack(track, true, undefined)).toEqual({
      result: 'matched',
      evidence: 'body: a',
      match: { path: 'x', from: 1, to: 2, record: 7, projection: 'body' },
    });
  });

  test('only a match of the agent’s settles it', () => {
    const settled = (step: Step): boolean => {
      const track = trackOf();
      step(track);
      return isSettled(track);
    };
    expect([on(matched('a')), on(ownMatch('a')), on(error('e')), seenAs(matched('a'))].map(settled)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('in the end', () => {
  test.each<
    [
      title: string,
      indicator: NormalizedIndicator,
      steps: readonly Step[],
      reached: boolean,
      ms: number | undefined,
      expected: string,
    ]
  >([
    ['nothing came', base, [], false, undefined, far],
    [
      'nothing came to an actor',
      { ...base, actor: 'a' },
      [],
      false,
      undefined,
      'insufficient data: nothing came from the agent to "a"',
    ],
    ['something was looked at', base, [on(miss())], false, undefined, 'missed'],
    ['time ran out', base, [on(miss())], true, 5, 'evaluating the document took longer than 5 ms'],
    ['time ran out after a match', base, [on(matched('a'))], true, 5, 'a at 1'],
    ['time ran out after a match of a view', base, [seenAs(matched('a'))], true, 5, 'body: a at 7'],
    ['time ran out after a match of ours', base, [on(ownMatch('a'))], true, 5, 'a at 1, ours'],
    [
      'time ran out before a view failed',
      base,
      [seenAs(error('e'))],
      true,
      5,
      'evaluating the document took longer than 5 ms',
    ],
    ['there is no evaluator', expression, [on(miss())], true, undefined, 'there is no CEL evaluator'],
    [
      'there is no evaluator, and nothing came',
      expression,
      [],
      false,
      undefined,
      'there is no CEL evaluator',
    ],
    [
      'there is no judge',
      semantic,
      [on(skipped)],
      true,
      undefined,
      'there is no judge; --judge llm:MODEL adds one',
    ],
    ['there is no judge, and nothing to judge', semantic, [on(miss())], true, undefined, 'nothing to judge'],
    ['there is no judge, and nothing of it came', semantic, [], true, undefined, 'nothing to judge'],
    ['there is no judge, and nothing came', semantic, [], false, undefined, far],
  ])('%s', (_, indicator, steps, reached, ms, expected) => {
    const track = trackOf(indicator);
    for (const step of steps) step(track);
    expect(told(concludeTrack(track, reached, ms))).toBe(expected);
  });

  test.each([
    [base, 'regex_timeout'],
    [semantic, 'semantic_error'],
    [expression, 'cel_error'],
  ] as const)('time runs out for each kind', (indicator, kind) => {
    const evaluators = { cel: { evaluate: () => true }, semantic: { evaluate: () => 0 } };
    const track = createTrack(indicator, evaluators, 1_000, undefined);
    expect(concludeTrack(track, true, 5)).toMatchObject({ result: 'error', error: { kind } });
  });

  test('whoever needs no judge does without', () => {
    const content = viewMessage({ x: 'evil' });
    expect([base, expression].map((each) => trackOf(each).run(content).result)).toEqual([
      'matched',
      'skipped',
    ]);
  });

  test('a judge that is not there is missed by a text alone', () => {
    const track = trackOf(semantic);
    expect([{ x: 'a' }, { y: 'a' }].map((content) => track.run(viewMessage(content)).result)).toEqual([
      'skipped',
      'not_matched',
    ]);
  });

  test('what was looked at is counted', () => {
    const track = trackOf();
    seenAs(miss())(track);
    seenAs(miss(), { path: 'other' })(track);
    seenAs(miss(), stream())(track);
    expect([track.tally.views, track.tally.viewPath, track.tally.isCut]).toEqual([2, 'other', false]);
    seenAs(miss(), stream({ isCut: true }))(track);
    expect([track.tally.views, track.tally.isCut]).toEqual([2, true]);
  });
});

describe('behind disguises looks', () => {
  const seeThrough = () => () => undefined;
  const decoded = (extensions: object): boolean =>
    createTrack({ ...base, extensions } as never, {}, 1_000, seeThrough).seeThrough !== undefined;
  test.each<[title: string, extensions: object, expected: boolean]>([
    ['whoever asks for it', { 'x-decode': true }, true],
    ['nobody else', {}, false],
    ['nobody who asks in another way', { 'x-decode': 'yes' }, false],
  ])('%s', (_, extensions, expected) => {
    expect(decoded(extensions)).toBe(expected);
  });

  test('no indicator without a pattern', () => {
    const blind = { ...semantic, extensions: { 'x-decode': true } } as NormalizedIndicator;
    expect(createTrack(blind, {}, 1_000, seeThrough).seeThrough).toBeUndefined();
  });
});
