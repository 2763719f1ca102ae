import type { Results } from '../format/model/results-file.ts';

// For programs: the results as stored, secrets included.

export function writeJsonReport(results: Results): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}

/** One run per line. */
export function writeJsonLinesReport({ runs }: Results): string {
  return runs.map((run) => `${JSON.stringify(run)}\n`).join('');
}
