import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { AgentUnderTest } from '../../../agents/adapters/agent-under-test.ts';
import { splitCommand } from '../../../agents/adapters/split-command.ts';
import type { Exposure } from '../../../attack/transport/exposure/exposure.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { getOwnValue } from '../../../format/model/value.ts';
import { userMode } from '../../../format/registry/known-modes.ts';
import type { LoadedConfig } from '../../../suite/config/load-config.ts';
import { isAgentValue, parseTargetSpec } from '../../../suite/config/named-agent.ts';
import { isSelective } from '../../../suite/library/filters.ts';
import { drawFreshCanaries } from '../../../suite/plan/draw-fresh-canaries.ts';
import { dropEra, type PlannedAttack, planSuite, type SuitePlan, splitByEra } from '../../../suite/plan/plan.ts';
import { comparePlans } from '../../../suite/plan/plan-difference.ts';
import { deriveTwins } from '../../../suite/plan/twins.ts';
import { lacksTask } from '../../../suite/play/user-side.ts';
import type { Pace } from '../../../suite/play-suite.ts';
import { compareWithMaxRate, type RepeatTally } from '../../../suite/statistics/decided-early.ts';
import { readResults } from '../../../suite/store/read-results.ts';
import { type CommandOutcome, ok } from '../../command-outcome.ts';
import { complain, type Io } from '../../io.ts';
import { formatExposeNotice, readExpose } from '../addresses/expose.ts';
import { formatLeftOutNotice } from '../addresses/fitting-documents.ts';
import { redirectStdout } from '../addresses/stdio-actor.ts';
import type { PlannedSuite } from '../play/prepare-suite.ts';
import { external } from '../play/run-settings.ts';
import { type GivenBaseline, readBaselineFlag } from '../results/baseline-flag.ts';
import { shortenFilePath } from '../results/out-folder.ts';
import { readReporters } from '../results/reporter-flag.ts';
import type { RunOutput } from '../results/run-folder.ts';
import { createReports, type Reports } from '../results/write-reports.ts';
import { listGivenSettings } from '../settings/given-settings.ts';
import { formatSourcePrefix } from '../settings/setting-sources.ts';
import type { RunSetup } from '../settings/setup.ts';
import { refuseFlag } from '../settings/wrong-usage.ts';
import { planToJson, planToText } from './list-plan.ts';
import { createPlanSettings } from './plan-settings.ts';

/** Everything that a `run` will play, and how. */
export interface PlannedRuns {
  readonly suite: PlannedSuite;
  readonly pace: Pace;
  readonly exposure: Exposure | undefined;
  readonly output: RunOutput;
  /** The accepted results, if there is a baseline. */
  readonly accepted: GivenBaseline | undefined;
  /** Standard output may carry the protocol; then everything else goes to standard error. */
  readonly io: Io;
}

/** Plans the runs that the settings ask for. With `--list`, the plan is printed and nothing runs. */
export async function planRuns(setup: RunSetup, io: Io): Promise<PlannedRuns | CommandOutcome> {
  const { values, resumed, skipped, leftOut, meant, config } = setup;
  const means = await readMeans(setup, io);
  if ('exit' in means) return means;
  const { exposure, baseline, reports, agents, io: beside } = means;
  const loaded =
    values.canaries === 'fresh' && meant.seed !== undefined
      ? drawFreshCanaries(setup.playables, meant.seed)
      : setup.playables;
  const documents = values.twins ? [...loaded, ...deriveTwins(loaded)] : loaded;
  const plan = makePlan(setup, means, documents);
  if (leftOut.length > 0) await beside.stderr.write(formatLeftOutNotice(leftOut, leftOut.length + loaded.length));
  const missing = findUnlaunchable(meant.agents);
  if (values.list) {
    const given = values.verbose ? listGivenSettings(setup, config && shortenFilePath(config.path, io.cwd)) : undefined;
    await io.stdout.write(values.json ? planToJson(plan, given) : planToText(plan, io.stdout, given));
    if (missing !== undefined) await io.stderr.write(`oatf: warning: ${escapeInvisible(missing)}\n`);
    return skipped.length > 0 ? { exit: 'undecided' } : ok;
  }
  if (missing !== undefined) return complain(io, 'unavailable', `run: ${missing}`, missingHint);
  const changed = resumed && (comparePlans(resumed.stored.plan, plan) ?? shardDifference(resumed.stored.plan, plan));
  if (changed !== undefined)
    return complain(
      io,
      'usage',
      `run: --resume ${values.resume ?? ''}: this differs from the suite there: ${changed}`,
      'leave these arguments out, or begin a new suite with --out',
    );
  if (resumed === undefined && !values.quiet)
    await beside.stderr.write(formatNumberedNotice(meant.agents) + formatTaskNotice(setup, agents));
  const accepted = baseline?.({
    documents: plan.documents.map(({ key }) => key),
    agents: plan.agents.map(({ name }) => name),
    isAgent: (name) => isAgentValue(dropEra(name), config),
    isSelective: resumed !== undefined || leftOut.length > 0 || values.documents.length > 0 || isSelective(values),
  });
  if (exposure !== undefined) {
    const exposed = loaded.map(({ document }) => document);
    await beside.stderr.write(formatExposeNotice(exposed, meant, exposure, beside.stderr));
  }
  const played = resumed?.stored.plan ?? plan;
  return {
    suite: { plan: played, documents, agents, compare: accepted?.compare },
    pace: {
      ...meant.suite.pace,
      ...(values.failFast && { isEnough: (each, tally) => hasFailed(each, tally, accepted) }),
    },
    exposure,
    output: {
      ...values,
      command: 'run',
      out: values.out ?? values.resume,
      plan: played,
      resumed,
      reports,
      isLaunched: meant.stdio !== undefined && resumed === undefined,
    },
    accepted,
    io: beside,
  };
}

/** No run can show anything of an agent whose program does not exist, so nothing is played. */
function findUnlaunchable(agents: readonly AgentUnderTest[]): string | undefined {
  for (const { name, findLaunchProblem } of agents) {
    const problem = findLaunchProblem?.();
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  return undefined;
}

const missingHint =
  'check its spelling and PATH; a path begins with ./ or / and starts from the folder of the configuration';

/** Says how to name agents of which two would have the same name. */
function formatNumberedNotice(agents: readonly AgentUnderTest[]): string {
  const numbered = agents.find(({ name }) => {
    const [, own] = /^(.*)-\d+$/.exec(name) ?? [];
    return agents.some((other) => other.name === own);
  });
  return numbered === undefined
    ? ''
    : `oatf: hint: ${escapeInvisible(numbered.name)} has a number because another agent has the same name; --agent NAME=command:… gives it a name\n`;
}

const mostNamed = 8;

/** Says which documents leave open what the user says, if the user of no agent has a task either. */
function formatTaskNotice({ values, playables, meant }: RunSetup, agents: readonly AgentUnderTest[]): string {
  const open = playables.filter(({ document }) =>
    agents.some((agent) => lacksTask(document, { agent, prompt: values.prompt, connect: meant.targets })),
  );
  if (open.length === 0) return '';
  const named = open.slice(0, mostNamed).map(({ document, file }) => escapeInvisible(document.attack.id ?? file));
  const more = open.length > mostNamed ? ` and ${open.length - mostNamed} more` : '';
  return (
    `oatf: warning: nobody gives the agent a task in ${named.join(', ')}${more}: it is only asked what its tools are for, and may never use them\n` +
    `oatf: hint: give its user's words with --prompt TEXT, with \`prompt\` of a target, or by an actor of the mode ${userMode}\n`
  );
}

/** The parts of a plan that are read from files or depend on its documents. */
interface Means {
  readonly exposure: Exposure | undefined;
  readonly durationOf: Parameters<typeof planSuite>[0]['durationOf'];
  readonly baseline: Exclude<Awaited<ReturnType<typeof readBaselineFlag>>, CommandOutcome> | undefined;
  readonly reports: Reports;
  readonly agents: readonly AgentUnderTest[];
  readonly io: Io;
}

async function readMeans(setup: RunSetup, io: Io): Promise<Means | CommandOutcome> {
  const { values, sources, playables, meant } = setup;
  const documents = playables.map(({ document }) => document);
  const exposure = await readExpose(values, meant, documents, io);
  if (exposure !== undefined && 'exit' in exposure) return exposure;
  const wanted = await readReporters(values.reporter, values.json, io);
  if ('message' in wanted) return setup.complain(wanted);
  const durationOf = values.durations === undefined ? undefined : await readDurations(values.durations, io);
  if (durationOf !== undefined && 'exit' in durationOf) return durationOf;
  const baseline =
    values.baseline === undefined
      ? undefined
      : await readBaselineFlag(values.baseline, io, formatSourcePrefix('baseline', sources.baseline));
  if (baseline !== undefined && 'exit' in baseline) return baseline;
  const { agents: named, stdio } = meant;
  if (values.era === 'both' && named.length === 0)
    return setup.complain(
      refuseFlag(
        'era',
        'both',
        'it plays every run in each era, so it needs an agent',
        'name one with --agent, or leave --era out: a client that connects is served in its own era',
      ),
    );
  const agents = values.era === 'both' ? splitByEra(named) : named;
  const beside = stdio === undefined ? io : redirectStdout(io);
  const reports = createReports(wanted, values.showSecrets, beside);
  if (stdio !== undefined && reports.takeOutput)
    return setup.complain(
      refuseFlag(
        'reporter',
        '',
        'with --stdio, standard output carries the protocol',
        'give each reporter a file, as in --reporter markdown=report.md',
      ),
    );
  return { exposure, durationOf, baseline, reports, agents, io: beside };
}

function makePlan(
  { values, skipped, meant, prompts, config }: RunSetup,
  { agents, durationOf }: Means,
  documents: PlannedSuite['documents'],
): SuitePlan {
  const { repeat, maxRates, minUtility, shard } = meant.suite;
  const programs = fingerprintPrograms(meant.agents, values.agent, config);
  return planSuite({
    documents,
    skipped,
    agents: agents.length === 0 ? [external] : agents,
    repeat,
    maxRateOf: maxRates,
    earlyStop: values.earlyStop,
    minUtility,
    ...(values.failTier !== 'any' && { failTier: values.failTier }),
    settings: createPlanSettings({
      ...values,
      ...(Object.keys(prompts).length > 0 && { prompts }),
      ...(values.redactPattern.length > 0 && { redactPatterns: values.redactPattern.length }),
      ...(Object.keys(programs).length > 0 && { programs }),
    }),
    shard,
    ...(durationOf !== undefined && { durationOf }),
  });
}

/** A resumed run must be of the same shard; only `merge` joins different ones. */
function shardDifference({ shard: then }: SuitePlan, { shard: now }: SuitePlan): string | undefined {
  const inWords = (shard: SuitePlan['shard']): string => (shard ? `${shard.index}/${shard.of}` : 'none');
  return inWords(then) === inWords(now) ? undefined : `the shard: ${inWords(now)}, and not ${inWords(then)}`;
}

/** Whether an attack fails the suite: it succeeded, and the success is not accepted. */
function hasFailed(
  { document, agent }: PlannedAttack,
  tally: RepeatTally,
  baseline: GivenBaseline | undefined,
): boolean {
  // A twin contains no attack.
  if (document.twin_of !== undefined) return false;
  if (baseline?.acceptsSuccess(document.key, agent.name)) return false;
  return compareWithMaxRate(tally, document.max_rate ?? 0) === 'exceeded';
}

type DurationFinder = (document: string, agent: string) => number | undefined;

/** Reads how long attacks took in earlier results: the mean over the repeats of each. */
async function readDurations(typed: string, io: Io): Promise<DurationFinder | CommandOutcome> {
  const read = readResults(resolve(io.cwd, typed));
  if (!read.ok)
    return complain(
      io,
      'unreadable',
      `--durations ${typed}: ${read.reason}`,
      'name a folder of results, or a results.json',
    );
  const sums = new Map<string, { milliseconds: number; runs: number }>();
  for (const { document, agent, duration_ms } of read.results.runs) {
    const key = JSON.stringify([document.id ?? document.name, agent]);
    const { milliseconds, runs } = sums.get(key) ?? { milliseconds: 0, runs: 0 };
    sums.set(key, { milliseconds: milliseconds + duration_ms, runs: runs + 1 });
  }
  return (document, agent) => {
    const sum = sums.get(JSON.stringify([document, agent]));
    return sum === undefined ? undefined : sum.milliseconds / sum.runs;
  };
}

/** Long enough to differ between programs, too short to reveal their arguments. */
const length = 12;

/** A fingerprint of each agent that is a program, by agent name. `typed`: the agents as the user typed them. */
function fingerprintPrograms(
  agents: readonly { readonly name: string }[],
  typed: readonly string[],
  config: LoadedConfig | undefined,
): { readonly [agent: string]: string } {
  return Object.fromEntries(
    agents.flatMap(({ name }, index) => {
      const words = findProgramWords(typed[index] ?? '', config);
      return words === undefined ? [] : [[name, hashWords(words)]];
    }),
  );
}

function findProgramWords(text: string, config: LoadedConfig | undefined): readonly string[] | undefined {
  const target = getOwnValue(config?.config.targets ?? {}, text) ?? parseTargetSpec(text);
  if ('problem' in target || target.command === undefined) return undefined;
  const { command } = target;
  if (typeof command !== 'string') return command;
  const split = splitCommand(command);
  return split.ok ? split.words : [command];
}

function hashWords(words: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, length);
}
