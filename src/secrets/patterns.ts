import { type EvaluationError, isEvaluationError } from '../model/errors.ts';
import { type Finder, type Range, stars } from './cover.ts';

/** A pattern of the user's, compiled. */
export interface SecretPattern {
  /** Every match that has a length, from left to right. */
  findAll(text: string): readonly Range[] | EvaluationError;
}

export function patternFinder(pattern: SecretPattern): Finder {
  return {
    stars,
    find(text) {
      const found = pattern.findAll(text);
      // What is too long to be searched may hold anything.
      return isEvaluationError(found) ? [{ from: 0, to: text.length }] : found;
    },
  };
}
