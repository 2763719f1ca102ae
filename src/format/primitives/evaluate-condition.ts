import { addTextWork } from '../expression/counted-work.ts';
import { isCompileFailure, messageSteps } from '../expression/evaluation-limits.ts';
import { compileRegex } from '../expression/regex.ts';
import type { Condition, MatchCondition } from '../model/attack-document.ts';
import { type EvaluationError, isEvaluationError } from '../model/errors.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { compareNumbers, isNumeric, type WrittenNumber } from '../model/written-number.ts';
import { type MatchOperator, matchOperators } from '../registry/fields.ts';
import { formatAsText } from './compact-json.ts';
import { isDeepEqual } from './deep-equals.ts';

/** The part of a text that an operator matched, in UTF-16 offsets. */
export interface MatchedSpan {
  readonly from: number;
  readonly to: number;
}

/** A condition that is compiled to run on many values. `text` gives the value as string operators see it. */
export interface CompiledCondition {
  test(value: Value, text: () => string, withinSteps?: number): boolean | EvaluationError;
  /** The match of the first text operator, in a value that `test` accepted. */
  span(text: string): MatchedSpan | undefined;
}

export function isMatchCondition(condition: Condition): condition is MatchCondition {
  return isValueMap(condition) && matchOperators.some((operator) => Object.hasOwn(condition, operator));
}

/** The operand of a condition that has `exists` and no other operator. An operator that is null is absent. */
export function readOnlyExists(condition: Condition): boolean | undefined {
  if (!isMatchCondition(condition)) return undefined;
  const { exists, ...others } = condition;
  return Object.values(others).every((operand) => operand === undefined || operand === null)
    ? (exists ?? undefined)
    : undefined;
}

/**
 * Whether an existing value satisfies a condition (SDK spec §5.3). A regex that is invalid or takes too many steps does
 * not match.
 */
export function evaluateCondition(condition: Condition, value: Value): boolean {
  return compileCondition(condition).test(value, () => formatAsText(value, 'sorted')) === true;
}

type Check = (value: Value, text: () => string, withinSteps?: number) => boolean | EvaluationError;

interface Operator {
  readonly check: Check;
  readonly span?: (text: string) => MatchedSpan | undefined;
}

export function compileCondition(condition: Condition, expressionSteps?: number): CompiledCondition {
  if (!isMatchCondition(condition)) return combineOperators([{ check: (value) => isDeepEqual(condition, value) }]);
  const rows: { [O in MatchOperator]: (operand: never) => Operator } = {
    contains: createTextOperator((text, part) => text.indexOf(part)),
    starts_with: createTextOperator((text, part) => (text.startsWith(part) ? 0 : -1)),
    ends_with: createTextOperator((text, part) => (text.endsWith(part) ? text.length - part.length : -1)),
    regex: (source: string) => createRegexOperator(source, expressionSteps),
    any_of: (values: readonly Value[]) => ({
      check: (value) => values.some((candidate) => isDeepEqual(candidate, value)),
    }),
    gt: createNumberOperator((difference) => difference > 0),
    lt: createNumberOperator((difference) => difference < 0),
    gte: createNumberOperator((difference) => difference >= 0),
    lte: createNumberOperator((difference) => difference <= 0),
    // Only values that exist get here, so `exists: true` holds and `exists: false` does not.
    exists: (wanted: boolean) => ({ check: () => wanted }),
  };
  return combineOperators(
    matchOperators.flatMap((name) => {
      const operand: unknown = condition[name];
      if (operand === undefined || operand === null) return [];
      return [hasOperandType(name, operand) ? rows[name](operand as never) : neverHolds];
    }),
  );
}

/** Finds a key of a condition that is not an operator, or whose operand has the wrong type. */
export function findMalformedOperator(condition: MatchCondition): string | undefined {
  return Object.entries(condition).find(
    ([name, operand]) =>
      !(matchOperators as readonly string[]).includes(name) || !hasOperandType(name as MatchOperator, operand),
  )?.[0];
}

/** For malformed operators: conditions in `state` are not checked before they get here. */
const neverHolds: Operator = { check: () => false };

function hasOperandType(name: MatchOperator, operand: unknown): boolean {
  switch (name) {
    case 'any_of':
      return Array.isArray(operand);
    case 'exists':
      return typeof operand === 'boolean';
    case 'gt':
    case 'lt':
    case 'gte':
    case 'lte':
      return isNumeric(operand);
    default:
      return typeof operand === 'string';
  }
}

function combineOperators(rows: readonly Operator[]): CompiledCondition {
  return {
    test(value, text, withinSteps) {
      for (const { check } of rows) {
        const result = check(value, text, withinSteps);
        if (result !== true) return result;
      }
      return true;
    },
    span(text) {
      for (const row of rows) {
        const found = row.span?.(text);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

function createTextOperator(findIndex: (text: string, part: string) => number): (part: string) => Operator {
  return (part) => ({
    check: (_value, text) => {
      addTextWork(text().length);
      return findIndex(text(), part) >= 0;
    },
    span: (text) => {
      const from = findIndex(text, part);
      return from < 0 ? undefined : { from, to: from + part.length };
    },
  });
}

function createNumberOperator(holds: (difference: number) => boolean): (bound: number | WrittenNumber) => Operator {
  return (bound) => ({ check: (value) => isNumeric(value) && holds(compareNumbers(value, bound)) });
}

function createRegexOperator(source: string, expressionSteps?: number): Operator {
  const regex = compileRegex(source, expressionSteps);
  if (isCompileFailure(regex)) return neverHolds;
  return {
    check: (_value, text, withinSteps) => regex.test(text(), withinSteps),
    span: (text) => {
      // Evidence: it must not be lost where the test had enough steps.
      const found = regex.find(text, messageSteps);
      return found === undefined || isEvaluationError(found) ? undefined : found;
    },
  };
}
