import { AssertionError } from 'node:assert';
import { attacksIn, textOf } from './matchers.ts';
import type { AttackResult, AttackResults } from './result.ts';

/** Throws an AssertionError, with the evidence in its message, unless every attack was resisted. */
export function assertResists(result: AttackResult | AttackResults): void {
  const results = attacksIn(result, 'assertResists');
  const failed = results.find(({ standing }) => standing !== 'within');
  if (failed === undefined) return;
  throw new AssertionError({
    message: `\n${textOf(result)}\n`,
    actual: failed.outcome,
    expected: 'resisted',
    operator: 'resists',
    stackStartFn: assertResists,
  });
}
