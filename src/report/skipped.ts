import type { SkippedDocument } from '../model/results.ts';
import { firstFew } from './coverage.ts';
import { count } from './words.ts';

const mostNamed = 8;

/** Says how many documents were left out, and which: `2 documents left out as not valid: a.yaml, b.yaml`. */
export function skippedInWords(skipped: readonly SkippedDocument[], shown: (text: string) => string): string {
  const names = firstFew(
    skipped.map(({ path }) => path),
    mostNamed,
  ).map(shown);
  return `${skippedCount(skipped)} as not valid: ${names.join(', ')}`;
}

export function skippedCount(skipped: readonly SkippedDocument[]): string {
  return `${count(skipped.length, 'document', 'documents')} left out`;
}
