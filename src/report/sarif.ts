import { createHash } from 'node:crypto';
import type { Location, Log, Notification, ReportingDescriptor, Result, Run } from 'sarif';
import type { DocumentEntry, Results } from '../model/results.ts';
import { artifactUri } from './artifact-uri.ts';
import {
  type AttackRow,
  attacksOf,
  fileOf,
  gravestRun,
  isSuccess,
  standingOf,
  tierOf,
  tierRank,
  verdictOf,
} from './attacks.ts';
import { firstFew, lacksOf, unjudgedRun } from './coverage.ts';
import { type Finding, findingsIn } from './evidence.ts';
import { unprovenIn } from './figures.ts';
import { aboutOf, headOf, quoteShortly } from './quotation.ts';
import type { ReportContext } from './reporter.ts';
import { shown } from './shown.ts';
import { visible } from './visible.ts';
import { count, describeRate, notRunReasons } from './words.ts';

const resultsFolder = 'RESULTS';

type ReportingLevel = 'error' | 'warning' | 'note';

/** SARIF 2.1.0: a rule for each indicator that matched, a result for each agent that it matched on. */
export function sarifReport(results: Results, context: ReportContext): string {
  const attacks = attacksOf(results);
  const rules = new Map<string, Rule>();
  const found = attacks.flatMap((attack) =>
    findingsOver(attack, context).map((times) => toResult(attack, times, rules, context)),
  );
  const notifications = [
    ...attacks.flatMap((attack) => toNotification(attack, context)),
    ...unprovenIn(results).map(
      (line): Notification => ({ level: 'warning', message: text(shown(line, context)) }),
    ),
    ...absencesIn(results, context),
  ];
  const { tool, started, finished } = results;
  const run: Run = {
    tool: {
      driver: {
        name: tool.name,
        version: tool.version,
        semanticVersion: tool.version,
        rules: [...rules.values()].map(({ definition }) => definition),
      },
    },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { [resultsFolder]: { description: text('the folder of results') } },
    invocations: [
      {
        executionSuccessful: notifications.every(({ level }) => level !== 'error'),
        startTimeUtc: started,
        endTimeUtc: finished,
        toolExecutionNotifications: notifications,
      },
    ],
    results: found,
    ...(results.statistics.figures !== undefined && {
      properties: {
        figures: Object.fromEntries(
          Object.entries(results.statistics.agents).map(([name, { figures }]) => [
            shown(name, context),
            figures,
          ]),
        ),
        ...(results.fail_tier !== undefined && { fail_tier: results.fail_tier }),
      },
    }),
  };
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

interface Times {
  readonly finding: Finding;
  /** The number of runs in which the indicator matched, among those in which the attack succeeded. */
  readonly count: number;
}

/** The indicators that matched in any successful repeat, each once, as the gravest run shows it. */
function findingsOver(attack: AttackRow, context: ReportContext): readonly Times[] {
  const gravest = gravestRun(attack);
  if (gravest === undefined) return [];
  const counts = new Map<string, Times>();
  for (const run of [gravest, ...attack.runs.filter((each) => each !== gravest && isSuccess(each))])
    for (const finding of findingsIn(run, context)) {
      const seen = counts.get(finding.indicator);
      counts.set(finding.indicator, {
        finding: seen?.finding ?? finding,
        count: (seen?.count ?? 0) + 1,
      });
    }
  return [...counts.values()];
}

// The level says how far an attack got. The security severity, by which GitHub ranks, is the document's severity, one
// step lower for each tier that was not reached.
const levels: { readonly [tier: string]: ReportingLevel } = {
  boundary_breach: 'error',
  local_action: 'warning',
  ingested: 'note',
};
const severities: readonly (string | undefined)[] = ['informational', 'low', 'medium', 'high', 'critical'];
const securitySeverities = ['0.5', '3.0', '5.5', '8.0', '9.5'];

function securitySeverityOf(severity: string | undefined, tier: string | undefined): string | undefined {
  const step = severities.indexOf(severity);
  const short = tier === undefined ? 0 : tierRank('boundary_breach') - tierRank(tier);
  return step < 0 ? undefined : securitySeverities[Math.max(0, step - short)];
}

interface Rule {
  readonly index: number;
  readonly definition: ReportingDescriptor;
}

function levelOf({ facts }: Finding): ReportingLevel {
  return levels[facts?.tier ?? ''] ?? 'error';
}

function toRule(
  id: string,
  attack: AttackRow,
  finding: Finding,
  context: ReportContext,
): ReportingDescriptor {
  const title = shown(attack.title, context);
  const about = aboutOf(finding, context) ?? title;
  const { severity, category, protocols = [], tags = [] } = attack.document ?? {};
  const securitySeverity = securitySeverityOf(severity, finding.facts?.tier);
  return {
    id,
    shortDescription: text(title),
    fullDescription: text(about),
    help: text(`${title}\n\n${about}`),
    defaultConfiguration: { level: levelOf(finding) },
    properties: {
      tags: [...new Set(['security', ...tags.map((tag) => shown(tag, context))])],
      ...(securitySeverity !== undefined && { 'security-severity': securitySeverity }),
      ...(severity !== undefined && { severity }),
      ...(category !== undefined && { category }),
      ...(protocols.length > 0 && { protocols }),
      ...(finding.facts?.tier !== undefined && { tier: finding.facts.tier }),
    },
  };
}

function toResult(
  attack: AttackRow,
  { finding, count: times }: Times,
  rules: Map<string, Rule>,
  context: ReportContext,
): Result {
  const { agent, statistics, document } = attack;
  const id = ruleIdOf(attack, finding);
  const rule = rules.get(id) ?? { index: rules.size, definition: toRule(id, attack, finding, context) };
  rules.set(id, rule);
  const rate = statistics.runs > 1 ? ` (${describeRate(statistics.success)})` : '';
  const about = aboutOf(finding, context);
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([statistics.document, finding.indicator, agent]))
    .digest('hex');
  return {
    ruleId: id,
    ruleIndex: rule.index,
    level: levelOf(finding),
    message: text(
      `${shown(agent, context)}: ${verdictOf(attack)}${rate}${about === undefined ? '' : `: ${about}`}\n` +
        `${headOf(finding)}: ${quoteShortly(finding)}`,
    ),
    locations: document === undefined ? [] : [locationOf(document, finding)],
    occurrenceCount: times,
    // GitHub identifies alerts by the first fingerprint. Its own would merge two agents at one line into one alert.
    partialFingerprints: { primaryLocationLineHash: `${fingerprint.slice(0, 16)}:1`, 'oatf/v1': fingerprint },
    ...baselineOf(attack),
    properties: {
      agent: shown(agent, context),
      status: statistics.status,
      runs: statistics.runs,
      success: statistics.success,
      ...(tierOf(gravestRun(attack)) !== undefined && { max_tier: tierOf(gravestRun(attack)) }),
    },
  };
}

/** The id of the indicator, prefixed with the document's id unless it already begins with it. */
function ruleIdOf({ statistics }: AttackRow, { indicator }: Finding): string {
  const { document } = statistics;
  return visible(indicator.startsWith(document) ? indicator : `${document}/${indicator}`);
}

function locationOf(document: DocumentEntry, finding?: Finding): Location {
  const file = fileOf(document);
  const range = finding?.facts?.range;
  return {
    physicalLocation: {
      artifactLocation:
        file === undefined && document.source !== undefined
          ? { uri: artifactUri(document.source), uriBaseId: resultsFolder }
          : { uri: artifactUri(document.path) },
      ...(range !== undefined && {
        region: {
          startLine: range.start.line,
          startColumn: range.start.column,
          endLine: range.end.line,
          endColumn: range.end.column,
        },
      }),
    },
    ...(finding !== undefined && { logicalLocations: [{ name: visible(finding.indicator) }] }),
  };
}

function baselineOf(attack: AttackRow): Pick<Result, 'baselineState' | 'suppressions'> {
  const { compared } = attack;
  return {
    ...(compared !== undefined && { baselineState: compared.change === 'unchanged' ? 'unchanged' : 'new' }),
    ...(standingOf(attack) === 'accepted' && {
      suppressions: [
        { kind: 'external', status: 'accepted', justification: 'the baseline or the rate accepts it' },
      ],
    }),
  };
}

const mostLacks = 6;

/** An attack that could not be judged, or does not apply, is not a finding, but it must be reported. */
function toNotification(attack: AttackRow, context: ReportContext): readonly Notification[] {
  const { inconclusive, error, not_applicable } = attack.statistics.outcomes;
  const unjudged = inconclusive + error;
  if (unjudged + not_applicable === 0) return [];
  const run = unjudgedRun(attack);
  const reason = run?.reason ?? 'no reason is known';
  const lacks = run === undefined ? [] : firstFew(lacksOf(run), mostLacks);
  const { title, agent, document, statistics } = attack;
  const share =
    statistics.runs > 1
      ? ` in ${unjudged === 0 ? not_applicable : unjudged} of ${count(statistics.runs, 'run', 'runs')}`
      : '';
  const what = unjudged === 0 ? 'does not apply' : 'could not be judged';
  const notification: Notification = {
    level: error > 0 ? 'error' : unjudged > 0 ? 'warning' : 'note',
    message: text(
      [
        `${shown(title, context)} on ${shown(agent, context)} ${what}${share}: ${shown(reason, context)}`,
        ...lacks.map((line) => shown(line, context)),
      ].join('\n'),
    ),
    ...(document !== undefined && { locations: [locationOf(document)] }),
  };
  return [notification];
}

/** Attacks that only the baseline lists, and planned attacks that did not run. */
function absencesIn(
  { baseline, not_run = [], skipped = [] }: Results,
  context: ReportContext,
): readonly Notification[] {
  return [
    ...skipped.map(
      ({ path, reason }): Notification => ({
        level: 'error',
        message: text(
          `${shown(path, context)}: not played, because it is not valid: ${shown(reason, context)}`,
        ),
      }),
    ),
    ...(baseline?.missing ?? []).map(
      ({ document, agent }): Notification => ({
        level: 'error',
        message: text(
          `${shown(document, context)} on ${shown(agent, context)}: in the baseline, but not run`,
        ),
      }),
    ),
    ...not_run.map(({ document, agent, runs, reason }): Notification => {
      const left = `${count(runs, 'run', 'runs')} left out: ${notRunReasons[reason]}`;
      return {
        level: 'warning',
        message: text(`${shown(document, context)} on ${shown(agent, context)}: ${left}`),
      };
    }),
  ];
}

/** A message. `[words](target)` would be a link, and no peer may place one there. */
function text(content: string): { readonly text: string } {
  return { text: content.replaceAll('](', '] (') };
}
