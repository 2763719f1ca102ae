import { type EvaluationError, isEvaluationError } from '../format/model/errors.ts';
import { type Finder, type Range, stars } from './cover.ts';

/** A compiled pattern from the user. */
export interface SecretPattern {
  /** Every match that is not empty, from left to right. */
  findAll(text: string): readonly Range[] | EvaluationError;
}

export function createPatternFinder(pattern: SecretPattern): Finder {
  return {
    stars,
    find(text) {
      const found = pattern.findAll(text);
      // A text that could not be searched in time may contain secrets, so all of it is masked.
      return isEvaluationError(found) ? [{ from: 0, to: text.length }] : found;
    },
  };
}
