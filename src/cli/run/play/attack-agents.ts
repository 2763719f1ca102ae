import type { AgentUnderTest } from '../../../agent/agent.ts';
import { isInfrastructureFault } from '../../../suite/infrastructure-fault.ts';
import { attacksOf, type PlannedAttack } from '../../../suite/plan.ts';
import { type Schedule, type ScheduleEnd, scheduleRuns, type Tried } from '../../../suite/schedule.ts';
import { systemClock } from '../../../transport/clock.ts';
import type { Playable } from '../plan/load-documents.ts';
import { createSuiteView } from '../view/suite-view.ts';
import {
  type FinishedRun,
  playOnce,
  type RunSettings,
  storeRun,
  type UnavailableRun,
} from './play-stored.ts';

type Run = FinishedRun | UnavailableRun;

/** How the runs are spread over time. */
export type Pace = Pick<Schedule<Run>, 'concurrency' | 'retries' | 'intervalMs' | 'budgetMs' | 'isEnough'>;

/**
 * Every document against every agent, as often as the folder's plan says and it has not happened, told as it goes. What
 * agents have started once for all runs is ended with the last, however that ends.
 */
export function attackAgents(
  playables: readonly Playable[],
  agents: readonly AgentUnderTest[],
  settings: RunSettings,
  pace: Pace,
): Promise<ScheduleEnd<Run>> {
  const { folder, signal } = settings;
  const { plan } = folder;
  const playableOf = ({ index }: PlannedAttack): Playable =>
    playables[Math.floor(index / plan.agents.length)] as Playable;
  const agentOf = new Map(agents.map((agent) => [agent.name, agent]));
  const view = createSuiteView(playableOf, settings);
  const suite = scheduleRuns<Run>({
    ...pace,
    attacks: attacksOf(plan),
    repeat: plan.repeat,
    earlyStop: plan.early_stop,
    done: (attack) => folder.runsOf(attack),
    clock: systemClock,
    signal,
    async play(task, attempt) {
      const { attack } = task;
      const agent = agentOf.get(attack.agent.name);
      const hooks = await view.begin(task);
      return tried(await playOnce(playableOf(attack), agent, task, settings, hooks, attempt));
    },
    async finished(task, run, attempts) {
      if (run.kind === 'unavailable') return;
      await storeRun(playableOf(task.attack), task, run, attempts, settings);
      await view.finished(task, run);
    },
    closed: view.closed,
  });
  return suite.finally(() => Promise.all(agents.map((agent) => agent.close?.())));
}

function tried(run: Run): Tried<Run> {
  if (run.kind === 'unavailable') return { outcome: 'unavailable', isFault: true, result: run };
  return {
    outcome: run.judgement.outcome.outcome,
    isFault: isInfrastructureFault(run.result),
    result: run,
  };
}
