import type { SkippedDocument } from '../format/model/results-file.ts';
import { count } from './count-text.ts';
import { listFirstFew } from './coverage-text.ts';

const mostNamed = 8;

/** Says how many documents were skipped, and which: `2 documents left out as not valid: a.yaml, b.yaml`. */
export function describeSkipped(skipped: readonly SkippedDocument[], shown: (text: string) => string): string {
  const names = listFirstFew(
    skipped.map(({ path }) => path),
    mostNamed,
  ).map(shown);
  return `${formatSkippedCount(skipped)} as not valid: ${names.join(', ')}`;
}

export function formatSkippedCount(skipped: readonly SkippedDocument[]): string {
  return `${count(skipped.length, 'document', 'documents')} left out`;
}
