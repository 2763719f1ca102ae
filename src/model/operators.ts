import type { MatchCondition } from './document.ts';

/** The keys that make an object a `MatchCondition` instead of a value to be equal to. */
export const matchOperators = [
  'contains',
  'starts_with',
  'ends_with',
  'regex',
  'any_of',
  'gt',
  'lt',
  'gte',
  'lte',
  'exists',
] as const satisfies readonly (keyof MatchCondition)[];

export type MatchOperator = (typeof matchOperators)[number];
