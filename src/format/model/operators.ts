import type { MatchCondition } from './attack-document.ts';

/** The keys that make an object a `MatchCondition`. Any other object is a value to compare with. */
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
