import type { ReporterName } from '../format/model/reporter-names.ts';
import type { Results } from '../format/model/results-file.ts';
import { writeGithubReport } from './github-report.ts';
import { writeJunitReport } from './junit-report.ts';
import { writeMarkdownReport } from './markdown-report.ts';
import type { Reporter } from './reporter.ts';
import { writeSarifReport } from './sarif-report.ts';
import { writeTextReport } from './text-report.ts';

/** The reporters by name. To add one, add its name to `format/model/reporter-names.ts` and a row here. */
export const reporters: { readonly [N in ReporterName]: Reporter } = {
  text: writeTextReport,
  json: writeJsonReport,
  jsonl: writeJsonLinesReport,
  junit: writeJunitReport,
  sarif: writeSarifReport,
  markdown: writeMarkdownReport,
  github: writeGithubReport,
};

// For programs: the results as stored, secrets included.

export function writeJsonReport(results: Results): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}

/** One run per line. */
export function writeJsonLinesReport({ runs }: Results): string {
  return runs.map((run) => `${JSON.stringify(run)}\n`).join('');
}
