import { visible } from '../../report/visible.ts';
import type { Plan, PlannedAttack } from '../../suite/plan.ts';
import { planDifference } from '../../suite/plan-difference.ts';
import { standingOf, type Tally } from '../../suite/settled.ts';
import { systemClock } from '../../transport/clock.ts';
import type { Arguments, Command } from '../commands.ts';
import { complain, type Io } from '../io.ts';
import { isSelective } from '../library/select.ts';
import { type Outcome, ok } from '../outcome.ts';
import { attackAgents } from '../run/attack-agents.ts';
import { awaitAgents } from '../run/await-agents.ts';
import { type GivenBaseline, readBaselineFlag } from '../run/baseline-flag.ts';
import { documentsFor } from '../run/documents-for.ts';
import { readDurations } from '../run/durations.ts';
import { outcomeOf, summaryOf } from '../run/end-of-suite.ts';
import { planToJson, planToText } from '../run/list-plan.ts';
import type { Playable } from '../run/load-documents.ts';
import { makePlan } from '../run/make-plan.ts';
import { type PlayedAll, playInto } from '../run/play-into.ts';
import { external, type RunSettings } from '../run/play-stored.ts';
import { type Meant, meantBy } from '../run/read-settings.ts';
import { readReporters } from '../run/reporter-flag.ts';
import { readResumed } from '../run/resume.ts';
import { besideProtocol } from '../run/stdio.ts';
import { watchable } from '../run/watchable.ts';
import { createReports } from '../run/write-reports.ts';
import type { WrongUsage } from '../run/wrong-usage.ts';

export const run: Command<'run'> = async (typed, io) => {
  const resumed = await readResumed(typed, io);
  if (resumed !== undefined && 'exit' in resumed) return resumed;
  const values = resumed?.values ?? typed;
  const loaded = await documentsFor(values, resumed, io);
  if ('exit' in loaded) return loaded;
  const documents = loaded.map(({ document }) => document);
  const meant = meantBy(values, documents, io);
  if ('message' in meant) return wrong(meant, io);
  const wanted = await readReporters(values.reporter, values.json, io);
  if ('message' in wanted) return wrong(wanted, io);
  const durationOf = values.durations === undefined ? undefined : await readDurations(values.durations, io);
  if (durationOf !== undefined && 'exit' in durationOf) return durationOf;
  const baseline = values.baseline === undefined ? undefined : await readBaselineFlag(values.baseline, io);
  if (baseline !== undefined && 'exit' in baseline) return baseline;

  const { agents, suite, stdio } = meant;
  const beside = stdio === undefined ? io : besideProtocol(io);
  const reports = createReports(wanted, values.showSecrets, beside);
  if (stdio !== undefined && reports.takeOutput)
    return wrong(
      {
        message: '--reporter: standard output is the protocol’s with --stdio',
        hint: 'give each a file, as in --reporter markdown=report.md',
      },
      io,
    );
  const attacked = agents.length === 0 ? [external] : agents;
  const asked = {
    ...suite,
    playables: loaded,
    agents: attacked,
    earlyStop: values.earlyStop,
    settings: values,
  };
  const plan = makePlan({ ...asked, durationOf, started: systemClock.timestamp() });
  if (values.list) {
    await io.stdout.write(values.json ? planToJson(plan) : planToText(plan, io.stdout));
    return ok;
  }
  const changed =
    resumed && (planDifference(resumed.stored.plan, plan) ?? shardDifference(resumed.stored.plan, plan));
  if (changed !== undefined)
    return complain(
      io,
      'usage',
      `run: --resume ${visible(values.resume ?? '')}: this is not what was begun there: ${visible(changed)}`,
      'leave out what was said then, or begin anew with --out',
    );
  const accepted = baseline?.({
    documents: plan.documents.map(({ key }) => key),
    agents: plan.agents.map(({ name }) => name),
    isSelective: resumed !== undefined || values.documents.length > 0 || isSelective(values),
  });
  return playInto(
    {
      ...values,
      command: 'run',
      out: values.out ?? values.resume,
      plan: resumed?.stored.plan ?? plan,
      texts: loaded.map(({ text }) => text),
      resumed,
      reports,
      compare: accepted?.compare,
    },
    beside,
    (place) => {
      const settings = { ...meant, values, ...place };
      return watchable(values, place, () =>
        agents.length === 0
          ? awaitAgents(loaded, settings, beside)
          : attack(loaded, meant, settings, values, accepted, io),
      );
    },
    async (results, { folder, screen }) => {
      // Of one document, what was just printed is the summary.
      const isMore = loaded.length > 1 || results.not_run !== undefined || accepted !== undefined;
      if (agents.length > 0 && isMore && !values.quiet)
        await screen.write(`\n${summaryOf(results, folder.path, values.showSecrets, screen)}`);
      return outcomeOf(results);
    },
  );
};

/** Merging joins different shards; going on is with the same one. */
function shardDifference({ shard: then }: Plan, { shard: now }: Plan): string | undefined {
  const inWords = (shard: Plan['shard']): string => (shard ? `${shard.index}/${shard.of}` : 'none');
  return inWords(then) === inWords(now) ? undefined : `the shard: ${inWords(now)}, and not ${inWords(then)}`;
}

function wrong({ message, hint }: WrongUsage, io: Io): Promise<Outcome> {
  return complain(io, 'usage', `run: ${visible(message)}`, visible(hint));
}

async function attack(
  playables: readonly Playable[],
  { agents, suite }: Meant,
  settings: RunSettings,
  { failFast }: Arguments<'run'>,
  baseline: GivenBaseline | undefined,
  io: Io,
): Promise<PlayedAll> {
  const { stopped, unavailable } = await attackAgents(playables, agents, settings, {
    ...suite,
    ...(failFast && { isEnough: (each, tally) => hasFailed(each, tally, baseline) }),
  });
  if (unavailable?.kind !== 'unavailable') return { ...(stopped !== undefined && { stopped }) };
  const { reason, hint } = unavailable;
  return { stopped: 'unavailable', failure: await complain(io, 'unavailable', visible(reason), hint) };
}

/** A success fails the suite unless it is accepted. */
function hasFailed(
  { document, agent }: PlannedAttack,
  tally: Tally,
  baseline: GivenBaseline | undefined,
): boolean {
  if (baseline?.acceptsSuccess(document.key, agent.name)) return false;
  return standingOf(tally, document.max_rate ?? 0) === 'exceeded';
}
