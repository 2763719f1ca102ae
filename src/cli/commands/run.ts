import { isSelective } from '../../catalogue/filters.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { namesAgent } from '../../config/named-agent.ts';
import { failTierInWords } from '../../report/figures.ts';
import { skippedInWords } from '../../report/skipped.ts';
import { visible } from '../../report/visible.ts';
import { inEachEra, withoutEra } from '../../suite/in-each-era.ts';
import { type PlannedAttack, planSuite, type SuitePlan } from '../../suite/plan.ts';
import { planDifference } from '../../suite/plan-difference.ts';
import type { Pace } from '../../suite/play-suite.ts';
import { standingOf, type Tally } from '../../suite/settled.ts';
import { twinsOf } from '../../suite/twins.ts';
import type { Arguments, Command } from '../commands.ts';
import { complain, type Io } from '../io.ts';
import { type CommandOutcome, type Exit, ok } from '../outcome.ts';
import { readExpose } from '../run/places/expose.ts';
import { exposeNotice } from '../run/places/expose-notice.ts';
import { leftOutNotice } from '../run/places/fitting.ts';
import { besideProtocol } from '../run/places/stdio.ts';
import { readDurations } from '../run/plan/durations.ts';
import { planToJson, planToText } from '../run/plan/list-plan.ts';
import { planSettings } from '../run/plan/plan-settings.ts';
import { programsOf } from '../run/plan/programs.ts';
import { attack } from '../run/play/attack.ts';
import { external } from '../run/play/run-settings.ts';
import { type GivenBaseline, readBaselineFlag } from '../run/results/baseline-flag.ts';
import { outcomeOf, summaryOf, tellUnproven } from '../run/results/end-of-suite.ts';
import { shownFile } from '../run/results/out-folder.ts';
import { playInto } from '../run/results/play-into.ts';
import { tellRefusedJudge } from '../run/results/refused-judge.ts';
import { readReporters } from '../run/results/reporter-flag.ts';
import { createReports } from '../run/results/write-reports.ts';
import { readConfigFlag } from '../run/settings/config-flag.ts';
import { saidSettings } from '../run/settings/said-settings.ts';
import { readSetup, type Setup } from '../run/settings/setup.ts';
import { saidAt } from '../run/settings/sources.ts';
import { wrongFlag } from '../run/settings/wrong-usage.ts';

export const run: Command<'run'> = (typed, io) => (typed.watch ? watchAndRun(typed, io) : runOnce(typed, io));

/** Plays the documents that have changed, with one line for each run, on a cleared screen. */
async function watchAndRun(typed: Arguments<'run'>, io: Io): Promise<CommandOutcome> {
  const unfit = ['stdio', 'resume', 'list', 'json', 'ui'] as const;
  const wrong = unfit.find((flag) => typed[flag] !== undefined && typed[flag] !== false);
  if (wrong !== undefined) return complain(io, 'usage', `run: --watch and --${wrong} cannot be combined`);
  if (typed.documents.length === 0 || typed.documents.includes('-') || typed.agent.length === 0)
    return complain(
      io,
      'usage',
      'run: --watch needs documents that are files, and --agent',
      'such as oatf run attacks --agent gullible --watch',
    );
  const { watchDocuments } = await import('../watch.ts');
  const stop = io.interruption();
  return watchDocuments(typed.documents, { ...io, interruption: () => stop }, async (changed) => {
    if (io.stdout.isTTY) await io.stdout.write(cleared);
    if (changed.length === 0) return ok;
    // After a round is over, an interruption must not end it again.
    let isOver = false;
    const interruption = (): Promise<Exit> =>
      new Promise((resolve) => void stop.then((exit) => !isOver && resolve(exit)));
    const round = { ...typed, documents: changed, watch: false, quiet: !typed.verbose };
    const outcome = await runOnce(round, { ...io, interruption });
    isOver = true;
    return outcome;
  });
}

/** Clears the screen; earlier output can still be scrolled back to. */
const cleared = '\u001b[2J\u001b[H';

const runOnce: Command<'run'> = async (typed, io) => {
  const config = await readConfigFlag(typed.config, io);
  if (config !== undefined && 'exit' in config) return config;
  const outcome = await runWith(typed, config, io);
  return { ...outcome, ...(config?.isCode && { mayLinger: true }) };
};

async function runWith(
  typed: Arguments<'run'>,
  config: LoadedConfig | undefined,
  io: Io,
): Promise<CommandOutcome> {
  const setup = await readSetup(typed, config, io);
  if ('exit' in setup) return setup;
  try {
    return await runSetup(setup, config, io);
  } finally {
    // Closes agents that were started once for all runs.
    await Promise.allSettled(setup.meant.agents.map((agent) => agent.close?.()));
  }
}

async function runSetup(setup: Setup, config: LoadedConfig | undefined, io: Io): Promise<CommandOutcome> {
  const { values, sources, resumed, playables: loaded, skipped, leftOut, meant, prompts, redactor } = setup;
  const documents = loaded.map(({ document }) => document);
  const exposure = await readExpose(values, meant, documents, io);
  if (exposure !== undefined && 'exit' in exposure) return exposure;
  const wanted = await readReporters(values.reporter, values.json, io);
  if ('message' in wanted) return setup.complain(wanted);
  const durationOf = values.durations === undefined ? undefined : await readDurations(values.durations, io);
  if (durationOf !== undefined && 'exit' in durationOf) return durationOf;
  const baseline =
    values.baseline === undefined
      ? undefined
      : await readBaselineFlag(values.baseline, io, saidAt('baseline', sources.baseline));
  if (baseline !== undefined && 'exit' in baseline) return baseline;

  const { agents: named, suite, stdio } = meant;
  if (values.era === 'both' && named.length === 0)
    return setup.complain(
      wrongFlag(
        'era',
        'both',
        'it plays every run in each era, so it needs an agent',
        'name one with --agent, or leave --era out: a client that connects is served in its own era',
      ),
    );
  const agents = values.era === 'both' ? inEachEra(named) : named;
  const beside = stdio === undefined ? io : besideProtocol(io);
  const reports = createReports(wanted, values.showSecrets, beside);
  if (stdio !== undefined && reports.takeOutput)
    return setup.complain(
      wrongFlag(
        'reporter',
        '',
        'with --stdio, standard output carries the protocol',
        'give each reporter a file, as in --reporter markdown=report.md',
      ),
    );
  const attacked = agents.length === 0 ? [external] : agents;
  const programs = programsOf(named, values.agent, config);
  const playables = values.twins ? [...loaded, ...twinsOf(loaded)] : loaded;
  const plan = planSuite({
    documents: playables,
    skipped,
    agents: attacked,
    repeat: suite.repeat,
    maxRateOf: suite.maxRates,
    earlyStop: values.earlyStop,
    ...(values.failTier !== 'any' && { failTier: values.failTier }),
    settings: planSettings({
      ...values,
      ...(Object.keys(prompts).length > 0 && { prompts }),
      ...(values.redactPattern.length > 0 && { redactPatterns: values.redactPattern.length }),
      ...(Object.keys(programs).length > 0 && { programs }),
    }),
    shard: suite.shard,
    ...(durationOf !== undefined && { durationOf }),
  });
  if (leftOut.length > 0) await beside.stderr.write(leftOutNotice(leftOut, leftOut.length + loaded.length));
  if (values.list) {
    const said = values.verbose ? saidSettings(setup, config && shownFile(config.path, io.cwd)) : undefined;
    await io.stdout.write(values.json ? planToJson(plan, said) : planToText(plan, io.stdout, said));
    return skipped.length > 0 ? { exit: 'undecided' } : ok;
  }
  const changed =
    resumed && (planDifference(resumed.stored.plan, plan) ?? shardDifference(resumed.stored.plan, plan));
  if (changed !== undefined)
    return complain(
      io,
      'usage',
      `run: --resume ${visible(values.resume ?? '')}: this differs from the suite there: ${visible(changed)}`,
      'leave these arguments out, or begin a new suite with --out',
    );
  const accepted = baseline?.({
    documents: plan.documents.map(({ key }) => key),
    agents: plan.agents.map(({ name }) => name),
    isAgent: (name) => namesAgent(withoutEra(name), config),
    isSelective:
      resumed !== undefined || leftOut.length > 0 || values.documents.length > 0 || isSelective(values),
  });
  if (exposure !== undefined)
    await beside.stderr.write(exposeNotice(documents, meant, exposure, beside.stderr));
  const played = resumed?.stored.plan ?? plan;
  const pace: Pace = {
    ...suite.pace,
    ...(values.failFast && { isEnough: (each, tally) => hasFailed(each, tally, accepted) }),
  };
  return playInto(
    {
      ...values,
      command: 'run',
      out: values.out ?? values.resume,
      plan: played,
      resumed,
      reports,
      isLaunched: stdio !== undefined && resumed === undefined,
    },
    beside,
    (place) =>
      attack(
        { plan: played, documents: playables, agents, compare: accepted?.compare },
        { ...meant, exposure, values, redactor, ...place },
        pace,
      ),
    async (results, { path, screen }) => {
      // For a single document, the lines above already are the summary.
      const isMore =
        playables.length > 1 ||
        results.not_run !== undefined ||
        results.skipped !== undefined ||
        accepted !== undefined;
      if (agents.length > 0 && isMore && !values.quiet)
        await screen.write(`\n${await summaryOf(results, path, values.showSecrets, screen)}`);
      const tier = failTierInWords(results);
      if (tier !== undefined && !isMore && !values.quiet) await screen.write(`\n${tier}\n`);
      if (results.skipped !== undefined)
        await complain(beside, 'undecided', `run: ${skippedInWords(results.skipped, visible)}`, skippedHint);
      await tellUnproven(results, beside);
      await tellRefusedJudge(meant.judge, beside);
      return outcomeOf(results);
    },
  );
}

const skippedHint = 'oatf validate says what is wrong with them';

/** A resumed run must be of the same shard; only `merge` joins different ones. */
function shardDifference({ shard: then }: SuitePlan, { shard: now }: SuitePlan): string | undefined {
  const inWords = (shard: SuitePlan['shard']): string => (shard ? `${shard.index}/${shard.of}` : 'none');
  return inWords(then) === inWords(now) ? undefined : `the shard: ${inWords(now)}, and not ${inWords(then)}`;
}

/** Whether an attack fails the suite: it succeeded, and the success is not accepted. */
function hasFailed(
  { document, agent }: PlannedAttack,
  tally: Tally,
  baseline: GivenBaseline | undefined,
): boolean {
  // A twin contains no attack.
  if (document.twin_of !== undefined) return false;
  if (baseline?.acceptsSuccess(document.key, agent.name)) return false;
  return standingOf(tally, document.max_rate ?? 0) === 'exceeded';
}
