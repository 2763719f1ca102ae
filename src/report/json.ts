import type { Results } from '../model/results.ts';

// For programs: what the results have, as they have it, secrets included.

export function jsonReport(results: Results): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}

/** One run a line. */
export function jsonLinesReport({ runs }: Results): string {
  return runs.map((run) => `${JSON.stringify(run)}\n`).join('');
}
