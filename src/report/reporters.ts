import type { ReporterName } from '../format/model/reporter-names.ts';
import { writeGithubReport } from './github-report.ts';
import { writeJsonLinesReport, writeJsonReport } from './json-report.ts';
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
