import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ComparedAttack, OutcomeName } from '../../src/format/model/results-file.ts';
import { findReportedStatus, listAttackRows } from '../../src/report/attack-rows.ts';
import { findSuiteStatus } from '../../src/suite/statistics/decided-early.ts';
import { resultsOf } from './some-results.ts';

const outcome = fc.constantFrom<OutcomeName>(
  'exploited',
  'partial',
  'resisted',
  'not_applicable',
  'inconclusive',
  'error',
);
const change = fc.constantFrom<ComparedAttack['change'] | undefined>(
  undefined,
  'new',
  'fixed',
  'unchanged',
  'unexpected',
);

const exits = {
  failed: 'exceeded',
  error: 'undecided',
  inconclusive: 'undecided',
  accepted: 'within',
  // Alone, it leaves nothing that was judged.
  not_applicable: 'undecided',
  resisted: 'within',
} as const;

test('reports and exit codes agree on the status of every mix of outcomes', () => {
  fc.assert(
    fc.property(
      fc.array(outcome, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(0, 0.1, 0.25, 0.29, 0.5, 1),
      change,
      fc.constantFrom(null, 'resisted'),
      (outcomes, maxRate, changed, expected) => {
        const key = { document: 'T-1', agent: 'gullible' };
        const results = resultsOf(
          [{ id: 'T-1', outcomes, maxRate }],
          changed === undefined
            ? {}
            : {
                baseline: {
                  file: 'b.yaml',
                  attacks: [{ ...key, change: changed, expected, found: '' }],
                  missing: [],
                },
              },
        );
        // An attack that is accepted although nothing was judged says nothing about the agent.
        const isJudged = results.statistics.success.of > 0;
        expect(
          listAttackRows(results).map((attack) => (isJudged ? exits[findReportedStatus(attack)] : 'undecided')),
        ).toEqual([findSuiteStatus(results)]);
      },
    ),
  );
});
