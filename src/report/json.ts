import type { Results } from '../model/results.ts';

// For programs: the results as stored, secrets included.

export function jsonReport(results: Results): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}

/** One run per line. */
export function jsonLinesReport({ runs }: Results): string {
  return runs.map((run) => `${JSON.stringify(run)}\n`).join('');
}
