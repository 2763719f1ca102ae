import type { Condition, MatchPredicate } from '../model/attack-document.ts';
import type { Path } from '../model/path.ts';
import { isMatchCondition } from '../primitives/evaluate-condition.ts';
import { explainMisspelt, findMeantOperator, findMisspeltOperator } from '../primitives/find-misspelt-operator.ts';
import { createFinding, quoteValue, type RuleFinding } from './rule-finding.ts';

/** Finds a misspelt operator in a condition (O-017). */
export function* findMisspeltCondition(condition: Condition, path: Path): Generator<RuleFinding> {
  const misspelt = findMisspeltOperator(condition);
  if (misspelt !== undefined)
    yield createFinding([...path, ...misspelt.path], explainMisspelt(misspelt), misspelt.hint);
}

/** Finds operators that stand where a predicate has its paths (O-017). */
export function* findOperatorPaths(predicate: MatchPredicate, path: Path): Generator<RuleFinding> {
  for (const [key, condition] of Object.entries(predicate))
    if (findMeantOperator(key) !== undefined && !isMatchCondition(condition))
      yield createFinding(
        [...path, key],
        `${quoteValue(key)} is read as a path, not as an operator`,
        'write the path first, such as `arguments.city: { contains: Oslo }`',
      );
}
