import type { Results } from '../format/model/results-file.ts';
import { type Annotation, formatAnnotations } from './annotations.ts';
import {
  type AttackRow,
  findDocumentFile,
  findExplanation,
  findMostSevereRun,
  findReportedStatus,
  formatAttackVerdict,
  listAttackRows,
  type ReportedStatus,
} from './attack-rows.ts';
import { describeAttribution, describeSuccess } from './attribution-text.ts';
import { count, notRunReasons } from './count-text.ts';
import { findUnjudgedRun, listFirstFew, listLacks } from './coverage-text.ts';
import { findEvidence } from './find-evidence.ts';
import { listUnprovenClaims } from './format-figures.ts';
import { formatPlain } from './format-plain.ts';
import { formatFindingHead, formatIndicatorDescription, quoteEvidenceBriefly } from './quotation.ts';
import type { ReportContext } from './reporter.ts';
import { cropEnd } from './text-width.ts';

// GitHub keeps only the first few annotations of a step, so the most severe come first.
const kinds: readonly (readonly [ReportedStatus, Annotation['level']])[] = [
  ['failed', 'error'],
  ['error', 'warning'],
  ['inconclusive', 'warning'],
  ['accepted', 'notice'],
];

/** Workflow commands: an annotation for each attack that was not resisted. */
export function writeGithubReport(results: Results, context: ReportContext): string {
  const attacks = listAttackRows(results).map((attack) => ({ attack, status: findReportedStatus(attack) }));
  const missing = (results.baseline?.missing ?? []).map(({ document, agent }) =>
    toNote(
      'error',
      'the baseline names an attack that was not run',
      `${formatPlain(document, context)} on ${formatPlain(agent, context)}`,
    ),
  );
  const annotations = kinds.flatMap(([status, kind]) =>
    attacks.filter((each) => each.status === status).map(({ attack }) => createAnnotation(attack, kind, context)),
  );
  const notRun = results.not_run ?? [];
  const runs = notRun.reduce((sum, each) => sum + each.runs, 0);
  const left = [...new Set(notRun.map(({ reason }) => notRunReasons[reason]))].join('; ');
  const incomplete =
    runs === 0 ? [] : [toNote('warning', 'incomplete', `${count(runs, 'run', 'runs')} left out: ${left}`)];
  const invalid = (results.skipped ?? []).map(({ path, reason }) =>
    toNote(
      'error',
      'not played, because it is not valid',
      `${formatPlain(path, context)}: ${formatPlain(reason, context)}`,
    ),
  );
  const open = listUnprovenClaims(results).map((line) => toNote('warning', 'not proven', formatPlain(line, context)));
  return formatAnnotations([...missing, ...invalid, ...incomplete, ...open, ...annotations]);
}

/** An annotation that belongs to no file. */
function toNote(level: Annotation['level'], title: string, message: string): Annotation {
  return { level, title: `oatf: ${title}`, message };
}

const mostLacks = 3;

function createAnnotation(attack: AttackRow, level: Annotation['level'], context: ReportContext): Annotation {
  const { document, statistics } = attack;
  const run = findMostSevereRun(attack);
  const [finding] = run === undefined ? [] : findEvidence(run, context);
  const file = document === undefined ? undefined : findDocumentFile(document);
  const range = file === undefined ? undefined : finding?.facts?.range;
  const rate = statistics.runs > 1 ? ` (${describeSuccess(statistics)})` : '';
  const reason = run === undefined ? findExplanation(attack) : undefined;
  const unjudged = run === undefined ? findUnjudgedRun(attack) : undefined;
  const about = finding === undefined ? undefined : formatIndicatorDescription(finding, context);
  const lines = [
    `${formatPlain(attack.agent, context)}: ${formatAttackVerdict(attack)}${rate}`,
    ...(reason === undefined ? [] : [formatPlain(reason, context)]),
    ...(unjudged === undefined ? [] : listFirstFew(listLacks(unjudged), mostLacks)).map((line) =>
      formatPlain(line, context),
    ),
    ...describeAttribution(statistics).map((line) => formatPlain(line, context)),
    ...(about === undefined ? [] : [about]),
    ...(finding === undefined ? [] : [`${formatFindingHead(finding)}: ${quoteEvidenceBriefly(finding)}`]),
  ];
  return {
    level,
    file,
    line: range?.start.line,
    endLine: range?.end.line,
    title: `oatf: ${cropEnd(formatPlain(attack.title, context), 120)}`,
    message: lines.join('\n'),
  };
}
