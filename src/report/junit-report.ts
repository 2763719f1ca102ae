import { type AgentEntry, isSuccess, type Results } from '../format/model/results-file.ts';
import {
  type AttackRow,
  findDocumentFile,
  findExplanation,
  findMostSevereRun,
  findOutcomeOrStatus,
  findReportedStatus,
  formatAttackVerdict,
  listAttackedAgents,
  listAttackRows,
  type ReportedStatus,
} from './attack-rows.ts';
import { describeAttribution, describeSuccess } from './attribution-text.ts';
import { count, notRunReasons } from './count-text.ts';
import { findUnjudgedRun, formatCoverage, listFirstFew, listLacks, listUnmatchedReasons } from './coverage-text.ts';
import { findEvidence } from './find-evidence.ts';
import { describeClaim, describeFailTier, listFigures, listUnproven, listUnprovenClaims } from './format-figures.ts';
import { formatPlain } from './format-plain.ts';
import { formatJunit, type JunitCase, type JunitResult, type JunitSuite } from './junit-document.ts';
import { formatFindingHead, formatIndicatorDescription, quoteEvidence } from './quotation.ts';
import type { ReportContext } from './reporter.ts';

/** JUnit XML: a suite for each agent, a case for each document with all its repeats. */
export function writeJunitReport(results: Results, context: ReportContext): string {
  const byAgent = new Map(listAttackedAgents(results).map((agent): [string, AttackRow[]] => [agent, []]));
  for (const attack of listAttackRows(results)) byAgent.get(attack.agent)?.push(attack);
  const kinds = new Map(results.agents.map((agent) => [agent.name, agent]));
  return formatJunit(results.tool.name, [
    ...[...byAgent].map(([agent, attacks]) => {
      const cases = attacks.map((attack) => toCase(attack, context));
      return toSuite(agent, cases, results, context, kinds.get(agent));
    }),
    ...createRemainingSuites(results, context),
  ]);
}

function toSuite(
  name: string,
  cases: readonly JunitCase[],
  results: Results,
  context: ReportContext,
  agent?: AgentEntry,
): JunitSuite {
  const { tool, started, runs } = results;
  const claim = agent && describeClaim(agent, runs);
  const properties = {
    tool: `${tool.name} ${tool.version}`,
    ...(agent !== undefined && { kind: agent.kind }),
    ...(claim !== undefined && { claim: formatPlain(claim, context) }),
    ...(agent !== undefined && createFigureProperties(results, agent.name)),
  };
  return { name: formatPlain(name, context), started, properties, cases };
}

/** The figures, and the tier from which a match fails, as properties of an agent's suite. */
function createFigureProperties(results: Results, agent: string): { readonly [name: string]: string } {
  const { agents } = results.statistics;
  const own = Object.hasOwn(agents, agent) ? agents[agent] : undefined;
  const tier = describeFailTier(results);
  const { delivery_inferred: inferred, unattributed } = own ?? {};
  return {
    ...Object.fromEntries((own === undefined ? [] : listFigures(own)).map(({ name, value }) => [name, value])),
    ...(tier !== undefined && { 'fail-tier': tier }),
    ...(inferred !== undefined && { 'resisted with delivery inferred': String(inferred) }),
    ...(unattributed !== undefined && { unattributed: String(unattributed) }),
  };
}

const elements: { readonly [S in ReportedStatus]: JunitResult['element'] | undefined } = {
  failed: 'failure',
  error: 'error',
  inconclusive: 'error',
  accepted: 'skipped',
  not_applicable: 'skipped',
  resisted: undefined,
};

function toCase(attack: AttackRow, context: ReportContext): JunitCase {
  const { runs, document } = attack;
  const status = findReportedStatus(attack);
  const element = elements[status];
  const reason = findExplanation(attack);
  const why = reason === undefined || status === 'failed' ? '' : `: ${formatPlain(reason, context)}`;
  const message = `${status === 'accepted' ? 'accepted: ' : ''}${formatAttackVerdict(attack)}${why}`;
  const type = status === 'accepted' ? status : findOutcomeOrStatus(attack);
  return {
    name: formatPlain(attack.title, context),
    classname: formatPlain(attack.agent, context),
    file: document === undefined ? undefined : findDocumentFile(document),
    milliseconds: runs.reduce((sum, { duration_ms }) => sum + duration_ms, 0),
    result: element && { element, message, type, text: formatEvidenceStory(attack, context) },
    output: formatCaseOutput(attack, context),
  };
}

const mostLines = 20;

/** The success rate, the coverage, and what indicators looked at without a match. */
function formatCaseOutput(attack: AttackRow, context: ReportContext): readonly string[] {
  const { runs, statistics } = attack;
  const run = findMostSevereRun(attack) ?? runs[0];
  const covered = run?.coverage === undefined || run.coverage.of === 0 ? undefined : run.coverage;
  return [
    ...(statistics.runs > 1 ? [`attacks succeeded in ${describeSuccess(statistics)}`] : []),
    ...describeAttribution(statistics).map((line) => formatPlain(line, context)),
    ...(covered === undefined ? [] : [formatCoverage(covered.delivered, covered.of)]),
    ...(run === undefined ? [] : listFirstFew(listUnmatchedReasons(run), mostLines)).map((line) =>
      formatPlain(line, context),
    ),
  ];
}

/** The evidence of the most severe run, the repeats in which the attack succeeded, and the path of the trace. */
function formatEvidenceStory(attack: AttackRow, context: ReportContext): string {
  const { runs, statistics } = attack;
  const run = findMostSevereRun(attack);
  const evidence = run === undefined ? [] : findEvidence(run, context);
  const repeats = runs.filter(isSuccess).map(({ repeat }) => repeat);
  const shownRun = run ?? runs[0];
  const unjudged = run === undefined ? findUnjudgedRun(attack) : undefined;
  return [
    ...evidence.flatMap((finding) => {
      const about = formatIndicatorDescription(finding, context);
      return [
        formatFindingHead(finding),
        ...(about === undefined ? [] : [`  ${about}`]),
        ...quoteEvidence(finding, 120).map((line) => `    ${line}`),
      ];
    }),
    ...(unjudged === undefined ? [] : listFirstFew(listLacks(unjudged), mostLines)).map((line) =>
      formatPlain(line, context),
    ),
    ...(statistics.runs > 1 && repeats.length > 0 ? [`in repeats ${listNumbers(repeats)}`] : []),
    ...(shownRun === undefined ? [] : [`trace: ${formatPlain(shownRun.trace, context)}`]),
  ].join('\n');
}

const longestList = 20;

function listNumbers(numbers: readonly number[]): string {
  const rest = numbers.length - longestList;
  return numbers.slice(0, longestList).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** A case of an attack without runs, or of a claim about a suite. */
interface AbsentCase {
  readonly document: string;
  readonly agent: string;
  readonly type: string;
  readonly message: string;
}

/**
 * Suites for cases that belong to no agent's suite: unproven claims, invalid documents, baseline entries and planned runs
 * that did not run. All are errors, because nothing shows that the agent resisted.
 */
function createRemainingSuites(results: Results, context: ReportContext): readonly JunitSuite[] {
  const { skipped = [], baseline, not_run = [] } = results;
  const claims = listUnprovenClaims(results);
  const suites: { readonly [suite: string]: readonly AbsentCase[] } = {
    'not proven': listUnproven(results).map(({ document = 'suite', agent, why: type }, index) => {
      return { document, agent, type, message: claims[index] ?? '' };
    }),
    'not valid': skipped.map(({ path: document, reason }) => {
      return {
        document,
        agent: 'not valid',
        type: 'invalid',
        message: `it was not played: ${reason}`,
      };
    }),
    baseline: (baseline?.missing ?? []).map((each) => {
      return { ...each, type: 'missing', message: 'the baseline has it, but it was not run' };
    }),
    'not run': not_run.map(({ document, agent, runs, reason }) => {
      const message = `${count(runs, 'run', 'runs')} left out: ${notRunReasons[reason]}`;
      return { document, agent, type: 'not_run', message };
    }),
  };
  return Object.entries(suites).flatMap(([name, cases]) => {
    const absent = cases.map((each) => createAbsentCase(each, context));
    return absent.length === 0 ? [] : toSuite(name, absent, results, context);
  });
}

function createAbsentCase({ document, agent, type, message }: AbsentCase, context: ReportContext): JunitCase {
  return {
    name: formatPlain(document, context),
    classname: formatPlain(agent, context),
    milliseconds: 0,
    result: { element: 'error', message: formatPlain(message, context), type },
  };
}
