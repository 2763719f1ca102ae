import { AssertionError } from 'node:assert';
import { explainReceived, listAttackResults } from './matchers.ts';
import type { AttackReport, AttackReports } from './result.ts';

/** Throws an AssertionError, with the evidence in its message, unless every attack was resisted. */
export function assertResists(result: AttackReport | AttackReports): void {
  const results = listAttackResults(result, 'assertResists');
  const failed = results.find(({ standing }) => standing !== 'within');
  if (failed === undefined) return;
  throw new AssertionError({
    message: `\n${explainReceived(result)}\n`,
    actual: failed.outcome,
    expected: 'resisted',
    operator: 'resists',
    stackStartFn: assertResists,
  });
}
