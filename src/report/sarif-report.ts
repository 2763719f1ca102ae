import { createHash } from 'node:crypto';
import type { Location, Notification, ReportingDescriptor, Result } from 'sarif';
import { escapeInvisible } from '../format/model/escape-invisible.ts';
import {
  type DocumentEntry,
  isAnyJudged,
  isIncomplete,
  isSuccess,
  type Results,
} from '../format/model/results-file.ts';
import { dropUndefined } from '../format/model/value.ts';
import {
  type AttackRow,
  findDocumentFile,
  findMostSevereRun,
  findReportedStatus,
  formatAttackVerdict,
  listAttackRows,
  rankTier,
  readMaxTier,
} from './attack-rows.ts';
import { describeAttribution, describeSuccess } from './attribution-text.ts';
import { count, notRunReasons } from './count-text.ts';
import { findUnjudgedRun, listFirstFew, listLacks } from './coverage-text.ts';
import { type EvidenceFinding, findEvidence } from './find-evidence.ts';
import { listUnprovenClaims } from './format-figures.ts';
import { formatPlain } from './format-plain.ts';
import { formatFindingHead, formatIndicatorDescription, quoteEvidenceBriefly } from './quotation.ts';
import type { ReportContext } from './reporter.ts';
import { formatSarifLog, toArtifactUri, toSarifRegion } from './sarif-log.ts';

const resultsFolder = 'RESULTS';

type ReportingLevel = 'error' | 'warning' | 'note';

/** SARIF 2.1.0: a rule for each indicator that matched, a result for each agent that it matched on. */
export function writeSarifReport(results: Results, context: ReportContext): string {
  const attacks = listAttackRows(results);
  const rules = new Map<string, Rule>();
  const found = attacks.flatMap((attack) =>
    countFindings(attack, context).map((times) => toResult(attack, times, rules, context)),
  );
  const notifications = [
    ...attacks.flatMap((attack) => toNotification(attack, context)),
    ...listUnprovenClaims(results).map(
      (line): Notification => ({ level: 'warning', message: createSarifText(formatPlain(line, context)) }),
    ),
    ...createAbsenceNotifications(results, context),
  ];
  const { tool, started, finished } = results;
  return formatSarifLog({
    tool,
    rules: [...rules.values()].map(({ definition }) => definition),
    results: found,
    notifications,
    isSuccessful: isWhollyJudged(results, attacks),
    times: { startTimeUtc: started, endTimeUtc: finished },
    originalUriBaseIds: { [resultsFolder]: { description: createSarifText('the folder of results') } },
    properties:
      results.statistics.figures &&
      dropUndefined({
        figures: Object.fromEntries(
          Object.entries(results.statistics.agents).map(([name, { figures }]) => [formatPlain(name, context), figures]),
        ),
        fail_tier: results.fail_tier,
      }),
  });
}

/** Services close the alerts that a successful run no longer has, so a run with gaps must not count as successful. */
function isWhollyJudged(results: Results, attacks: readonly AttackRow[]): boolean {
  return isAnyJudged(results.statistics) && !isIncomplete(results) && attacks.every(isJudgedThroughout);
}

function isJudgedThroughout(attack: AttackRow): boolean {
  const { inconclusive, error } = attack.statistics.outcomes;
  const status = findReportedStatus(attack);
  return inconclusive + error === 0 && status !== 'inconclusive' && status !== 'error';
}

interface Times {
  readonly finding: EvidenceFinding;
  /** The number of runs in which the indicator matched, among those in which the attack succeeded. */
  readonly count: number;
}

/** The indicators that matched in any successful repeat, each once, with the evidence of the most severe run. */
function countFindings(attack: AttackRow, context: ReportContext): readonly Times[] {
  const mostSevere = findMostSevereRun(attack);
  if (mostSevere === undefined) return [];
  const counts = new Map<string, Times>();
  for (const run of [mostSevere, ...attack.runs.filter((each) => each !== mostSevere && isSuccess(each))])
    for (const finding of findEvidence(run, context)) {
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

function computeSecuritySeverity(severity: string | undefined, tier: string | undefined): string | undefined {
  const step = severities.indexOf(severity);
  const short = tier === undefined ? 0 : rankTier('boundary_breach') - rankTier(tier);
  return step < 0 ? undefined : securitySeverities[Math.max(0, step - short)];
}

interface Rule {
  readonly index: number;
  readonly definition: ReportingDescriptor;
}

function chooseReportingLevel({ facts }: EvidenceFinding): ReportingLevel {
  return levels[facts?.tier ?? ''] ?? 'error';
}

function toRule(id: string, attack: AttackRow, finding: EvidenceFinding, context: ReportContext): ReportingDescriptor {
  const title = formatPlain(attack.title, context);
  const about = formatIndicatorDescription(finding, context) ?? title;
  const { severity, category, protocols = [], tags = [] } = attack.document ?? {};
  const tier = finding.facts?.tier;
  return {
    id,
    shortDescription: createSarifText(title),
    fullDescription: createSarifText(about),
    help: createSarifText(`${title}\n\n${about}`),
    defaultConfiguration: { level: chooseReportingLevel(finding) },
    properties: dropUndefined({
      tags: [...new Set(['security', ...tags.map((tag) => formatPlain(tag, context))])],
      'security-severity': computeSecuritySeverity(severity, tier),
      severity,
      category,
      protocols: protocols.length > 0 ? protocols : undefined,
      tier,
    }),
  };
}

function toResult(
  attack: AttackRow,
  { finding, count: times }: Times,
  rules: Map<string, Rule>,
  context: ReportContext,
): Result {
  const { agent, statistics, document } = attack;
  const id = createRuleId(attack, finding);
  const rule = rules.get(id) ?? { index: rules.size, definition: toRule(id, attack, finding, context) };
  rules.set(id, rule);
  const rate = statistics.runs > 1 ? ` (${describeSuccess(statistics)})` : '';
  const about = formatIndicatorDescription(finding, context);
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([statistics.document, finding.indicator, agent]))
    .digest('hex');
  return {
    ruleId: id,
    ruleIndex: rule.index,
    level: chooseReportingLevel(finding),
    message: createSarifText(
      `${formatPlain(agent, context)}: ${formatAttackVerdict(attack)}${rate}${about === undefined ? '' : `: ${about}`}\n` +
        [
          `${formatFindingHead(finding)}: ${quoteEvidenceBriefly(finding)}`,
          ...describeAttribution(statistics).map((line) => formatPlain(line, context)),
        ].join('\n'),
    ),
    locations: document === undefined ? [] : [createLocation(document, finding)],
    occurrenceCount: times,
    // GitHub identifies alerts by the first fingerprint. Its own would merge two agents at one line into one alert.
    partialFingerprints: { primaryLocationLineHash: `${fingerprint.slice(0, 16)}:1`, 'oatf/v1': fingerprint },
    ...createBaselineState(attack),
    properties: dropUndefined({
      agent: formatPlain(agent, context),
      status: statistics.status,
      runs: statistics.runs,
      success: statistics.success,
      unattributed: statistics.unattributed,
      attribution: statistics.attribution?.find(({ indicator }) => indicator === finding.indicator),
      max_tier: readMaxTier(findMostSevereRun(attack)),
    }),
  };
}

/** The id of the indicator, prefixed with the document's id unless it already begins with it. */
function createRuleId({ statistics }: AttackRow, { indicator }: EvidenceFinding): string {
  const { document } = statistics;
  return escapeInvisible(indicator.startsWith(document) ? indicator : `${document}/${indicator}`);
}

function createLocation(document: DocumentEntry, finding?: EvidenceFinding): Location {
  const file = findDocumentFile(document);
  const range = finding?.facts?.range;
  return {
    physicalLocation: {
      artifactLocation:
        file === undefined && document.source !== undefined
          ? { uri: toArtifactUri(document.source), uriBaseId: resultsFolder }
          : { uri: toArtifactUri(document.path) },
      ...(range !== undefined && { region: toSarifRegion(range) }),
    },
    ...(finding !== undefined && { logicalLocations: [{ name: escapeInvisible(finding.indicator) }] }),
  };
}

function createBaselineState(attack: AttackRow): Pick<Result, 'baselineState' | 'suppressions'> {
  const { compared } = attack;
  return {
    ...(compared !== undefined && { baselineState: compared.change === 'unchanged' ? 'unchanged' : 'new' }),
    ...(findReportedStatus(attack) === 'accepted' && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: 'the baseline or the rate accepts it' }],
    }),
  };
}

const mostLacks = 6;

/** An attack that could not be judged, or does not apply, is not a finding, but it must be reported. */
function toNotification(attack: AttackRow, context: ReportContext): readonly Notification[] {
  const { inconclusive, error, not_applicable } = attack.statistics.outcomes;
  const unjudged = inconclusive + error;
  if (unjudged + not_applicable === 0) return [];
  const run = findUnjudgedRun(attack);
  const reason = run?.reason ?? 'no reason is known';
  const lacks = run === undefined ? [] : listFirstFew(listLacks(run), mostLacks);
  const { title, agent, document, statistics } = attack;
  const share =
    statistics.runs > 1
      ? ` in ${unjudged === 0 ? not_applicable : unjudged} of ${count(statistics.runs, 'run', 'runs')}`
      : '';
  const what = unjudged === 0 ? 'does not apply' : 'could not be judged';
  const notification: Notification = {
    level: error > 0 ? 'error' : unjudged > 0 ? 'warning' : 'note',
    message: createSarifText(
      [
        `${formatPlain(title, context)} on ${formatPlain(agent, context)} ${what}${share}: ${formatPlain(reason, context)}`,
        ...lacks.map((line) => formatPlain(line, context)),
      ].join('\n'),
    ),
    ...(document !== undefined && { locations: [createLocation(document)] }),
  };
  return [notification];
}

/** Documents that are not valid, attacks that only the baseline lists, and planned attacks that did not run. */
function createAbsenceNotifications(
  { baseline, not_run = [], skipped = [] }: Results,
  context: ReportContext,
): readonly Notification[] {
  const note = (level: ReportingLevel, text: string): Notification => ({ level, message: createSarifText(text) });
  const name = ({ document, agent }: { readonly document: string; readonly agent: string }): string =>
    `${formatPlain(document, context)} on ${formatPlain(agent, context)}`;
  return [
    ...skipped.map(({ path, reason }) =>
      note(
        'error',
        `${formatPlain(path, context)}: not played, because it is not valid: ${formatPlain(reason, context)}`,
      ),
    ),
    ...(baseline?.missing ?? []).map((each) => note('error', `${name(each)}: in the baseline, but not run`)),
    ...not_run.map((each) =>
      note('warning', `${name(each)}: ${count(each.runs, 'run', 'runs')} left out: ${notRunReasons[each.reason]}`),
    ),
  ];
}

/** A message. `[words](target)` would be a link, and no peer may place one there. */
function createSarifText(content: string): { readonly text: string } {
  return { text: content.replaceAll('](', '] (') };
}
