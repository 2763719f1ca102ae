import type { ReporterName } from '../model/reporter-names.ts';
import { githubReport } from './github.ts';
import { jsonLinesReport, jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { Reporter } from './reporter.ts';
import { sarifReport } from './sarif.ts';
import { textReport } from './text.ts';

/** The reporters, by the names that users type. To add one, add its name to `model/reporter-names.ts` and a row here. */
export const reporters: { readonly [N in ReporterName]: Reporter } = {
  text: textReport,
  json: jsonReport,
  jsonl: jsonLinesReport,
  junit: junitReport,
  sarif: sarifReport,
  markdown: markdownReport,
  github: githubReport,
};
