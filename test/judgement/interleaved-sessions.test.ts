import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateTrace, type TraceEvaluation, type TraceRecord } from '../../src/index.ts';
import { attackedDocument, interleave, sessionsArbitrary } from '../support/sessions-arbitrary.ts';

// Sessions that know nothing of each other may reach us in any order. What the agent did in each of them stays the same, so
// the judgement must too.

const merges = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 40 });
const judge = (records: readonly TraceRecord[]): TraceEvaluation => evaluateTrace(attackedDocument, records);

/** The parts of a judgement that do not name a record. */
function summarize({ verdict, coverage, delivery, task, tier }: TraceEvaluation) {
  return {
    result: verdict.result,
    indicators: verdict.indicatorVerdicts.map(({ indicatorId, result }) => [indicatorId, result]),
    coverage,
    delivery,
    task,
    tier,
  };
}

describe('records of independent sessions may interleave in any order', () => {
  test('what matched, what was delivered and what is done is the same', () => {
    fc.assert(
      fc.property(sessionsArbitrary(false), merges, merges, (sessions, one, other) => {
        expect(summarize(judge(interleave(sessions, one)))).toEqual(summarize(judge(interleave(sessions, other))));
      }),
      { seed: 34, numRuns: 300 },
    );
  });

  test('the outcome and its causes are the same if the agent acts last in every session', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(sessionsArbitrary(true), merges, merges, (sessions, one, other) => {
        const [{ outcome, causes = [] }, second] = [
          judge(interleave(sessions, one)),
          judge(interleave(sessions, other)),
        ];
        outcomes.add(causes[0]?.cause ?? outcome);
        expect(second.outcome).toBe(outcome);
        expect((second.causes ?? []).map(({ cause }) => cause)).toEqual(causes.map(({ cause }) => cause));
      }),
      { seed: 34, numRuns: 800 },
    );
    // A property over traces that all end alike would show little.
    expect([...outcomes].sort()).toEqual(['cut_off', 'exploited', 'not_delivered', 'resisted', 'unread']);
  });
});
