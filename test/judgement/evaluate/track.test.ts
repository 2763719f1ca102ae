import { describe, expect, test } from 'vitest';
import type { Projection, StreamView } from '../../../src/format/model/binding-views.ts';
import type { NormalizedIndicator } from '../../../src/format/model/normalized.ts';
import type { IndicatorOutcome } from '../../../src/judgement/evaluate/indicator-outcome.ts';
import { createMessageView } from '../../../src/judgement/evaluate/message-view.ts';
import {
  type Contact,
  concludeTrack,
  createTrack,
  type IndicatorTrack,
  isTrackSettled,
  settleProjected,
  settleTrack,
} from '../../../src/judgement/evaluate/track.ts';
import { message } from '../../support/records.ts';

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

function trackOf(indicator: NormalizedIndicator = base): IndicatorTrack {
  return createTrack(indicator, {}, 1_000, undefined);
}

type Step = (track: IndicatorTrack) => void;

const record = (seq: number) => message({ seq });
const view = (isOurs = false) => createMessageView({ x: 'y' }, { isOurs });
const on =
  (outcome: IndicatorOutcome, seq = 1, isOurs = false): Step =>
  (track) =>
    settleTrack(track, outcome, view(isOurs), record(seq));
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
function reported(outcome: IndicatorOutcome): string {
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

const far = 'insufficient data: the agent sent nothing over MCP';

describe('concludeTrack, for several outcomes', () => {
  test.each<[title: string, steps: readonly Step[], expected: string]>([
    ['no outcome', [], 'missed'],
    ['one match', [on(matched('a'), 3)], 'a at 3'],
    ['a miss, then a match', [on(miss()), on(matched('a'), 3)], 'a at 3'],
    ['a match, then an error', [on(matched('a'), 3), on(error('e'))], 'a at 3'],
    ['an error between misses', [on(miss()), on(error('e')), on(miss())], 'e'],
    ['two errors', [on(error('e')), on(error('f'))], 'e'],
    ['an error between skipped outcomes', [on(skipped), on(error('e')), on(skipped)], 'e'],
    ['a missing field, then a miss', [on(error('m', true)), on(miss())], 'missed'],
    ['a miss, then a missing field', [on(miss()), on(error('m', true))], 'missed'],
    ['a missing field', [on(error('m', true))], 'm'],
    ['a missing field, then an error', [on(error('m', true)), on(error('e'))], 'e'],
    ['a miss, then a skipped outcome', [on(miss()), on(skipped)], 'no judge'],
    ['a skipped outcome, then a miss', [on(skipped), on(miss())], 'no judge'],
    ['three misses with scores', [on(miss(0.1)), on(miss(0.3)), on(miss(0.2))], 'missed by 0.3'],
    ['a miss without a score, then one with a score', [on(miss()), on(miss(0))], 'missed by 0'],
    ['a miss with a score, then one without', [on(miss(0.1)), on(miss())], 'missed by 0.1'],
    ['an error, then a near miss', [on(error('e')), on(miss(0.3))], 'e'],
    ['a match that is ours', [on(ownMatch('a'), 3)], 'a at 3, ours'],
    ['a match in our own message', [on(matched('a'), 3, true)], 'a at 3, ours'],
    ['two matches that are ours', [on(ownMatch('a'), 3), on(ownMatch('b'), 4)], 'a at 3, ours'],
    ['an error, then a match that is ours', [on(error('e')), on(ownMatch('a'), 3)], 'a at 3, ours'],
    ['a match that is ours, then one of the agent', [on(ownMatch('a'), 3), on(matched('b'), 4)], 'b at 4'],
    ['a match in a view', [seenAs(matched('a'))], 'body: a at 7'],
    ['two matches in views', [seenAs(matched('a')), seenAs(matched('b'))], 'body: a at 7'],
    ['a match in a view, then one in a message', [seenAs(matched('a')), on(matched('b'), 8)], 'b at 8'],
    ['a match that is ours, then one in a view', [on(ownMatch('a')), seenAs(matched('b'))], 'body: b at 7'],
    ['a match in a view of our own message', [seenAs(matched('a'), {}, true)], 'body: a at 7, ours'],
    ['two matches in views that are ours', [seenAs(ownMatch('a')), seenAs(ownMatch('b'))], 'body: a at 7, ours'],
    [
      'a match in a view that is ours, then one in a message',
      [seenAs(ownMatch('a')), on(ownMatch('b'), 8)],
      'b at 8, ours',
    ],
    [
      'a match in a message that is ours, then one in a view',
      [on(ownMatch('b'), 6), seenAs(ownMatch('a'))],
      'b at 6, ours',
    ],
    ['a miss, then a failed view', [on(miss()), seenAs(error('e'))], 'e'],
    ['two failed views', [seenAs(error('e')), seenAs(error('f'))], 'e'],
    ['a miss, then a view that lacks a field', [on(miss()), seenAs(error('m', true))], 'm'],
    ['a miss, then a failed stream', [on(miss()), seenAs(error('e'), stream())], 'e'],
    ['a miss, then a stream that lacks a field', [on(miss()), seenAs(error('m', true), stream())], 'missed'],
    [
      'a miss, then a failed stream in another spelling',
      [on(miss()), seenAs(error('e'), stream({ isRespelt: true }))],
      'missed',
    ],
    ['a failed view, then a match', [seenAs(error('e')), on(matched('a'), 3)], 'a at 3'],
    ['a miss, then a skipped view', [on(miss()), seenAs(skipped)], 'no judge'],
    ['a near miss, then a nearer one in a view', [on(miss(0.1)), seenAs(miss(0.2))], 'missed by 0.2'],
    ['a missing field, then a view that did not match', [on(error('m', true)), seenAs(miss())], 'm'],
  ])('concludes $2 from %s', (_, steps, expected) => {
    const track = trackOf();
    for (const step of steps) step(track);
    expect(reported(concludeTrack(track, 'served', undefined))).toBe(expected);
  });

  test('takes the first of two misses with the same score', () => {
    const track = trackOf();
    for (const evidence of ['a', 'b']) on({ result: 'not_matched', score: 0.1, evidence })(track);
    expect(concludeTrack(track, 'served', undefined)).toMatchObject({ evidence: 'a' });
  });

  test('gives a match without a place the root of its record', () => {
    const track = trackOf();
    on({ result: 'matched', evidence: 'nothing there' }, 3)(track);
    expect(concludeTrack(track, 'served', undefined)).toMatchObject({
      evidence: 'nothing there',
      match: { record: 3, path: '', from: 0, to: 0 },
    });
  });

  test('names the view of a match', () => {
    const track = trackOf();
    seenAs(matched('a'))(track);
    expect(concludeTrack(track, 'served', undefined)).toEqual({
      result: 'matched',
      evidence: 'body: a',
      match: { path: 'x', from: 1, to: 2, record: 7, projection: 'body' },
    });
  });

  test('isSettled only after a match of the agent', () => {
    const settled = (step: Step): boolean => {
      const track = trackOf();
      step(track);
      return isTrackSettled(track);
    };
    expect([on(matched('a')), on(ownMatch('a')), on(error('e')), seenAs(matched('a'))].map(settled)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('concludeTrack, at the end of a trace', () => {
  test.each<
    [
      title: string,
      indicator: NormalizedIndicator,
      steps: readonly Step[],
      contact: Contact,
      limit: number | undefined,
      expected: string,
    ]
  >([
    ['when nothing came from the agent', base, [], 'none', undefined, far],
    [
      'when nothing came to the actor',
      { ...base, actor: 'a' },
      [],
      'none',
      undefined,
      'insufficient data: the agent never contacted "a"',
    ],
    [
      'when every message was refused',
      base,
      [],
      'refused',
      undefined,
      'insufficient data: every message of the agent over MCP was refused',
    ],
    [
      'when every message to the actor was refused',
      { ...base, actor: 'a' },
      [],
      'refused',
      undefined,
      'insufficient data: every message of the agent to "a" was refused',
    ],
    ['after a miss, although the actor was not reached', base, [on(miss())], 'none', undefined, 'missed'],
    [
      'when the steps ran out after a miss',
      base,
      [on(miss())],
      'served',
      5,
      'evaluating the document takes more than 5 steps',
    ],
    ['when the steps ran out after a match', base, [on(matched('a'))], 'served', 5, 'a at 1'],
    ['when the steps ran out after a match in a view', base, [seenAs(matched('a'))], 'served', 5, 'body: a at 7'],
    ['when the steps ran out after a match that is ours', base, [on(ownMatch('a'))], 'served', 5, 'a at 1, ours'],
    [
      'when the steps ran out and a view failed',
      base,
      [seenAs(error('e'))],
      'served',
      5,
      'evaluating the document takes more than 5 steps',
    ],
    ['when there is no CEL evaluator', expression, [on(miss())], 'served', undefined, 'there is no CEL evaluator'],
    ['when there is no CEL evaluator and nothing came', expression, [], 'none', undefined, 'there is no CEL evaluator'],
    [
      'when there is no judge for a text',
      semantic,
      [on(skipped)],
      'served',
      undefined,
      'there is no judge; --judge llm:MODEL adds one',
    ],
    ['when there is no judge and no text to judge', semantic, [on(miss())], 'served', undefined, 'nothing to judge'],
    ['when there is no judge and no message of the surface', semantic, [], 'served', undefined, 'nothing to judge'],
    ['when there is no judge and nothing came', semantic, [], 'none', undefined, far],
  ])('concludes %s: $5', (_, indicator, steps, contact, limit, expected) => {
    const track = trackOf(indicator);
    for (const step of steps) step(track);
    expect(reported(concludeTrack(track, contact, limit))).toBe(expected);
  });

  test.each([
    [base, 'regex_timeout'],
    [semantic, 'semantic_error'],
    [expression, 'cel_error'],
  ] as const)('gives an indicator whose steps ran out the error $1', (indicator, kind) => {
    const evaluators = { cel: { evaluate: () => true }, semantic: { evaluate: () => 0 } };
    const track = createTrack(indicator, evaluators, 1_000, undefined);
    expect(concludeTrack(track, 'served', 5)).toMatchObject({ result: 'error', error: { kind } });
  });

  test('runs a pattern without a judge and skips an expression without an evaluator', () => {
    const content = createMessageView({ x: 'evil' });
    expect([base, expression].map((each) => trackOf(each).run(content).result)).toEqual(['matched', 'skipped']);
  });

  test('skips a semantic indicator without a judge only where there is a text', () => {
    const track = trackOf(semantic);
    expect([{ x: 'a' }, { y: 'a' }].map((content) => track.run(createMessageView(content)).result)).toEqual([
      'skipped',
      'not_matched',
    ]);
  });

  test('counts the views that it looked at', () => {
    const track = trackOf();
    seenAs(miss())(track);
    seenAs(miss(), { path: 'other' })(track);
    seenAs(miss(), stream())(track);
    expect([track.tally.views, track.tally.viewPath, track.tally.isCut]).toEqual([2, 'other', false]);
    seenAs(miss(), stream({ isCut: true }))(track);
    expect([track.tally.views, track.tally.isCut]).toEqual([2, true]);
  });
});

describe('createTrack, with a search behind disguises', () => {
  const findDisguised = () => () => undefined;
  const decoded = (extensions: object): boolean =>
    createTrack({ ...base, extensions } as never, {}, 1_000, findDisguised).findDisguised !== undefined;
  test.each<[title: string, extensions: object, expected: boolean]>([
    ['for an indicator with x-decode: true', { 'x-decode': true }, true],
    ['for an indicator without x-decode', {}, false],
    ['for an indicator with another value of x-decode', { 'x-decode': 'yes' }, false],
  ])('decides about a search %s: $2', (_, extensions, expected) => {
    expect(decoded(extensions)).toBe(expected);
  });

  test('does not search for an indicator without a pattern', () => {
    const blind = { ...semantic, extensions: { 'x-decode': true } } as NormalizedIndicator;
    expect(createTrack(blind, {}, 1_000, findDisguised).findDisguised).toBeUndefined();
  });
});
