import type { Comparison, NotRun, NotRunReason, Results, RunEntry } from '../model/results.ts';
import { absentAgents } from './not-there.ts';
import type { PlannedAttack, SuitePlan } from './plan.ts';
import { raiseRefusals } from './raise-refusals.ts';
import { isTwin, notRunOf, runsByAttack, statisticsOf } from './statistics.ts';
import { unprovenIn } from './unproven.ts';

/** Derives why an attack has not run from the finished runs, in their order, when the schedule is not there to tell. */
export function whyNotBy(entries: Iterable<RunEntry>): (attack: PlannedAttack) => NotRunReason {
  const absent = absentAgents(entries);
  return ({ agent }) => (absent.has(agent.name) ? 'not_there' : 'interrupted');
}

/** The facts that results state in addition to the runs. */
export interface ResultsFacts {
  readonly finished: string;
  /** The reason why an attack has not run. */
  readonly stopped?: NotRunReason | ((attack: PlannedAttack) => NotRunReason) | undefined;
  readonly compare?: ((results: Results) => Comparison) | undefined;
}

/** Makes `results.json` from the plan and the finished runs, in the plan's order. */
export function makeResults(plan: SuitePlan, entries: Iterable<RunEntry>, facts: ResultsFacts): Results {
  const finished = raiseRefusals(plan, [...entries]);
  const attacks = runsByAttack(plan, finished);
  const unproven = unprovenIn(plan.agents, attacks);
  const notRun: readonly NotRun[] = notRunOf(plan, attacks, facts.stopped ?? whyNotBy(finished));
  const results: Results = {
    version: 2,
    tool: plan.tool,
    agents: plan.agents,
    started: plan.started,
    finished: facts.finished,
    runs: [false, true].flatMap((twins) =>
      attacks.flatMap(({ attack, runs }) => (isTwin(attack) === twins ? runs : [])),
    ),
    statistics: statisticsOf(plan, attacks),
    ...(plan.fail_tier !== undefined && { fail_tier: plan.fail_tier }),
    ...(unproven.length > 0 && { unproven }),
    ...(notRun.length > 0 && { not_run: notRun }),
    ...(plan.skipped !== undefined && { skipped: plan.skipped }),
  };
  return facts.compare === undefined ? results : { ...results, baseline: facts.compare(results) };
}

/** The text of `results.json`. */
export function resultsToText(results: Results): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}
