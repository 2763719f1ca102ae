import { describe, expect, test } from 'vitest';
import { reporters } from '../../src/report/reporters.ts';
import { context, resultsOf } from './some-results.ts';

// A report that looked at every pair of runs would not finish here.
const many = resultsOf(
  Array.from({ length: 10_000 }, (_, index) => ({
    id: `T-${index}`,
    outcomes: ['exploited', 'resisted'] as const,
    evidence: `note ${index}`,
  })),
);
const huge = resultsOf([
  { outcomes: ['exploited'], evidence: 'a|`<'.repeat(2_000_000), match: { from: 4_000_000, to: 4_000_010 } },
]);

describe.each(Object.entries(reporters))('the %s report', (name, report) => {
  test('can be written for twenty thousand runs', async () => {
    expect((await report(many, context)).length).toBeGreaterThan(1_000);
  });

  test.runIf(!name.startsWith('json'))('cuts eight megabytes of evidence', async () => {
    expect((await report(huge, context)).length).toBeLessThan(10_000);
  });
});
