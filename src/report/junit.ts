import type { AgentEntry, Results } from '../model/results.ts';
import {
  type AttackRow,
  agentNamesIn,
  attacksOf,
  explanationOf,
  fileOf,
  gravestRun,
  isSuccess,
  type Standing,
  standingOf,
  verdictOf,
  wordFor,
} from './attacks.ts';
import { claimOf } from './claims.ts';
import { coverageInWords, firstFew, lacksOf, unjudgedRun, whyNotIn } from './coverage.ts';
import { findingsIn } from './evidence.ts';
import { failTierInWords, figuresIn, unprovenIn } from './figures.ts';
import { aboutOf, headOf, quote } from './quotation.ts';
import type { ReportContext } from './reporter.ts';
import { shown } from './shown.ts';
import { count, describeRate, notRunReasons } from './words.ts';
import { xmlAttributes, xmlText } from './xml.ts';

/** JUnit XML: a suite for each agent, a case for each document with all its repeats. */
export function junitReport(results: Results, context: ReportContext): string {
  const byAgent = new Map(agentNamesIn(results).map((agent): [string, AttackRow[]] => [agent, []]));
  for (const attack of attacksOf(results)) byAgent.get(attack.agent)?.push(attack);
  const kinds = new Map(results.agents.map((agent) => [agent.name, agent]));
  const suites = [
    ...[...byAgent].map(([agent, attacks]) =>
      toSuite(
        agent,
        attacks.map((attack) => toCase(attack, context)),
        results,
        context,
        kinds.get(agent),
      ),
    ),
    ...restSuites(results, context),
  ];
  const totals = totalsOf(suites);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${xmlAttributes({
    name: results.tool.name,
    ...attributesOf(totals),
  })}>\n${suites.map(({ text }) => text).join('')}</testsuites>\n`;
}

interface Totals {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  readonly milliseconds: number;
}

interface Part extends Totals {
  readonly text: string;
}

function totalsOf(parts: readonly Totals[]): Totals {
  const sum = { tests: 0, failures: 0, errors: 0, skipped: 0, milliseconds: 0 };
  for (const part of parts) {
    sum.tests += part.tests;
    sum.failures += part.failures;
    sum.errors += part.errors;
    sum.skipped += part.skipped;
    sum.milliseconds += part.milliseconds;
  }
  return sum;
}

function attributesOf({ milliseconds, ...counts }: Totals): { readonly [name: string]: string | number } {
  return { ...counts, time: seconds(milliseconds) };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

function toSuite(
  name: string,
  cases: readonly Part[],
  results: Results,
  context: ReportContext,
  agent?: AgentEntry,
): Part {
  const { tool, started, runs } = results;
  const totals = totalsOf(cases);
  const claim = agent && claimOf(agent, runs);
  const properties = {
    tool: `${tool.name} ${tool.version}`,
    ...(agent !== undefined && { kind: agent.kind }),
    ...(claim !== undefined && { claim: shown(claim, context) }),
    ...(agent !== undefined && figureProperties(results, agent.name)),
  };
  const head = xmlAttributes({
    name: shown(name, context),
    ...attributesOf(totals),
    // The format has no time zone.
    timestamp: started.slice(0, 19),
  });
  const list = Object.entries(properties).map(
    ([property, value]) => `      <property${xmlAttributes({ name: property, value })}/>\n`,
  );
  const text = `  <testsuite${head}>\n    <properties>\n${list.join('')}    </properties>\n${cases
    .map((each) => each.text)
    .join('')}  </testsuite>\n`;
  return { ...totals, text };
}

/** The figures, and the tier from which a match fails, as properties of an agent's suite. */
function figureProperties(results: Results, agent: string): { readonly [name: string]: string } {
  const { agents } = results.statistics;
  const own = Object.hasOwn(agents, agent) ? agents[agent] : undefined;
  const tier = failTierInWords(results);
  return {
    ...Object.fromEntries((own === undefined ? [] : figuresIn(own)).map(({ name, value }) => [name, value])),
    ...(tier !== undefined && { 'fail-tier': tier }),
  };
}

const elements: { readonly [S in Standing]: 'failure' | 'error' | 'skipped' | undefined } = {
  failed: 'failure',
  error: 'error',
  inconclusive: 'error',
  accepted: 'skipped',
  not_applicable: 'skipped',
  resisted: undefined,
};

function toCase(attack: AttackRow, context: ReportContext): Part {
  const { runs, document } = attack;
  const standing = standingOf(attack);
  const element = elements[standing];
  const milliseconds = runs.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  const head = xmlAttributes({
    name: shown(attack.title, context),
    classname: shown(attack.agent, context),
    file: document === undefined ? undefined : fileOf(document),
    time: seconds(milliseconds),
  });
  const reason = explanationOf(attack);
  const why = reason === undefined || standing === 'failed' ? '' : `: ${shown(reason, context)}`;
  const message =
    standing === 'accepted' ? `accepted: ${verdictOf(attack)}${why}` : `${verdictOf(attack)}${why}`;
  const body =
    element === undefined
      ? ''
      : `      <${element}${xmlAttributes({ message, type: standing === 'accepted' ? 'accepted' : wordFor(attack) })}>${xmlText(
          storyOf(attack, context),
        )}</${element}>\n`;
  const output = outputOf(attack, context);
  const rate = output.length === 0 ? '' : `      <system-out>${xmlText(output.join('\n'))}</system-out>\n`;
  return {
    tests: 1,
    failures: Number(element === 'failure'),
    errors: Number(element === 'error'),
    skipped: Number(element === 'skipped'),
    milliseconds,
    text: `    <testcase${head}${body + rate === '' ? '/>\n' : `>\n${body}${rate}    </testcase>\n`}`,
  };
}

const mostLines = 20;

/** The success rate, the coverage, and what indicators looked at without a match. */
function outputOf(attack: AttackRow, context: ReportContext): readonly string[] {
  const { runs, statistics } = attack;
  const run = gravestRun(attack) ?? runs[0];
  const covered = run?.coverage === undefined || run.coverage.of === 0 ? undefined : run.coverage;
  return [
    ...(statistics.runs > 1 ? [`attacks succeeded in ${describeRate(statistics.success)}`] : []),
    ...(covered === undefined ? [] : [coverageInWords(covered.delivered, covered.of)]),
    ...(run === undefined ? [] : firstFew(whyNotIn(run), mostLines)).map((line) => shown(line, context)),
  ];
}

/** The evidence of the gravest run, the repeats in which the attack succeeded, and where to read on. */
function storyOf(attack: AttackRow, context: ReportContext): string {
  const { runs, statistics } = attack;
  const run = gravestRun(attack);
  const evidence = run === undefined ? [] : findingsIn(run, context);
  const repeats = runs.filter(isSuccess).map(({ repeat }) => repeat);
  const shownRun = run ?? runs[0];
  const unjudged = run === undefined ? unjudgedRun(attack) : undefined;
  return [
    ...evidence.flatMap((finding) => {
      const about = aboutOf(finding, context);
      return [
        headOf(finding),
        ...(about === undefined ? [] : [`  ${about}`]),
        ...quote(finding, 120).map((line) => `    ${line}`),
      ];
    }),
    ...(unjudged === undefined ? [] : firstFew(lacksOf(unjudged), mostLines)).map((line) =>
      shown(line, context),
    ),
    ...(statistics.runs > 1 && repeats.length > 0 ? [`in repeats ${listOf(repeats)}`] : []),
    ...(shownRun === undefined ? [] : [`trace: ${shown(shownRun.trace, context)}`]),
  ].join('\n');
}

const longestList = 20;

function listOf(numbers: readonly number[]): string {
  const rest = numbers.length - longestList;
  return numbers.slice(0, longestList).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/**
 * Suites for cases that belong to no agent's suite. Unproven claims, invalid documents and baseline entries that did not
 * run are errors; planned runs that were left out are skipped, because nothing shows that the agent resisted.
 */
function restSuites(results: Results, context: ReportContext): readonly Part[] {
  const missing = (results.baseline?.missing ?? []).map((each) =>
    absentCase(
      each,
      { element: 'error', type: 'missing', message: 'the baseline has it, but it was not run' },
      context,
    ),
  );
  const notRun = (results.not_run ?? []).map((each) =>
    absentCase(
      each,
      {
        element: 'skipped',
        type: 'not_run',
        message: `${count(each.runs, 'run', 'runs')} left out: ${notRunReasons[each.reason]}`,
      },
      context,
    ),
  );
  const invalid = (results.skipped ?? []).map(({ path, reason }) =>
    absentCase(
      { document: path, agent: 'not valid' },
      { element: 'error', type: 'invalid', message: `it was not played: ${shown(reason, context)}` },
      context,
    ),
  );
  const told = unprovenIn(results);
  const open = (results.unproven ?? []).map(({ document = 'suite', agent, why }, index) =>
    absentCase(
      { document, agent },
      { element: 'error', type: why, message: shown(told[index] ?? '', context) },
      context,
    ),
  );
  return [
    ...(open.length > 0 ? [toSuite('not proven', open, results, context)] : []),
    ...(invalid.length > 0 ? [toSuite('not valid', invalid, results, context)] : []),
    ...(missing.length > 0 ? [toSuite('baseline', missing, results, context)] : []),
    ...(notRun.length > 0 ? [toSuite('not run', notRun, results, context)] : []),
  ];
}

function absentCase(
  { document, agent }: { readonly document: string; readonly agent: string },
  {
    element,
    type,
    message,
  }: { readonly element: 'error' | 'skipped'; readonly type: string; readonly message: string },
  context: ReportContext,
): Part {
  const head = xmlAttributes({
    name: shown(document, context),
    classname: shown(agent, context),
    time: seconds(0),
  });
  return {
    tests: 1,
    failures: 0,
    errors: Number(element === 'error'),
    skipped: Number(element === 'skipped'),
    milliseconds: 0,
    text: `    <testcase${head}>\n      <${element}${xmlAttributes({ message, type })}/>\n    </testcase>\n`,
  };
}
