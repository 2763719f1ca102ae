import type { Results } from '../model/results.ts';
import {
  type AttackRow,
  attacksOf,
  explanationOf,
  fileOf,
  gravestRun,
  type Standing,
  standingOf,
  verdictOf,
} from './attacks.ts';
import { firstFew, lacksOf, unjudgedRun } from './coverage.ts';
import { findingsIn } from './evidence.ts';
import { unprovenIn } from './figures.ts';
import { aboutOf, headOf, quoteShortly } from './quotation.ts';
import type { ReportContext } from './reporter.ts';
import { shown } from './shown.ts';
import { crop } from './width.ts';
import { count, describeRate, notRunReasons } from './words.ts';
import { workflowCommand } from './workflow-command.ts';

// GitHub keeps only the first few annotations of a step, so the gravest come first.
const kinds: readonly (readonly [Standing, 'error' | 'warning' | 'notice'])[] = [
  ['failed', 'error'],
  ['error', 'warning'],
  ['inconclusive', 'warning'],
  ['accepted', 'notice'],
];

/** Workflow commands: an annotation for each attack that was not resisted. */
export function githubReport(results: Results, context: ReportContext): string {
  const attacks = attacksOf(results).map((attack) => ({ attack, standing: standingOf(attack) }));
  const missing = (results.baseline?.missing ?? []).map(({ document, agent }) =>
    workflowCommand(
      'error',
      { title: 'oatf: the baseline names an attack that was not run' },
      `${shown(document, context)} on ${shown(agent, context)}`,
    ),
  );
  const annotations = kinds.flatMap(([standing, kind]) =>
    attacks
      .filter((each) => each.standing === standing)
      .map(({ attack }) => annotationOf(attack, kind, context)),
  );
  const notRun = results.not_run ?? [];
  const runs = notRun.reduce((sum, each) => sum + each.runs, 0);
  const left = [...new Set(notRun.map(({ reason }) => notRunReasons[reason]))].join('; ');
  const incomplete =
    runs === 0
      ? []
      : [
          workflowCommand(
            'warning',
            { title: 'oatf: incomplete' },
            `${count(runs, 'run', 'runs')} left out: ${left}`,
          ),
        ];
  const invalid = (results.skipped ?? []).map(({ path, reason }) =>
    workflowCommand(
      'error',
      { title: 'oatf: not played, because it is not valid' },
      `${shown(path, context)}: ${shown(reason, context)}`,
    ),
  );
  const open = unprovenIn(results).map((line) =>
    workflowCommand('warning', { title: 'oatf: not proven' }, shown(line, context)),
  );
  return [...missing, ...invalid, ...incomplete, ...open, ...annotations].join('');
}

const mostLacks = 3;

function annotationOf(
  attack: AttackRow,
  kind: 'error' | 'warning' | 'notice',
  context: ReportContext,
): string {
  const { document, statistics } = attack;
  const run = gravestRun(attack);
  const [finding] = run === undefined ? [] : findingsIn(run, context);
  const file = document === undefined ? undefined : fileOf(document);
  const range = file === undefined ? undefined : finding?.facts?.range;
  const rate = statistics.runs > 1 ? ` (${describeRate(statistics.success)})` : '';
  const reason = run === undefined ? explanationOf(attack) : undefined;
  const unjudged = run === undefined ? unjudgedRun(attack) : undefined;
  const about = finding === undefined ? undefined : aboutOf(finding, context);
  const lines = [
    `${shown(attack.agent, context)}: ${verdictOf(attack)}${rate}`,
    ...(reason === undefined ? [] : [shown(reason, context)]),
    ...(unjudged === undefined ? [] : firstFew(lacksOf(unjudged), mostLacks)).map((line) =>
      shown(line, context),
    ),
    ...(about === undefined ? [] : [about]),
    ...(finding === undefined ? [] : [`${headOf(finding)}: ${quoteShortly(finding)}`]),
  ];
  return workflowCommand(
    kind,
    {
      file,
      line: range?.start.line,
      endLine: range?.end.line,
      title: `oatf: ${crop(shown(attack.title, context), 120)}`,
    },
    lines.join('\n'),
  );
}
