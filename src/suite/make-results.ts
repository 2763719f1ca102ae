import type { Comparison, NotRun, NotRunReason, Results, RunEntry } from '../model/results.ts';
import { absentAgents } from './not-there.ts';
import type { Plan, PlannedAttack } from './plan.ts';
import { raiseRefusals } from './raise-refusals.ts';
import { isTwin, notRunOf, runsByAttack, statisticsOf } from './statistics.ts';
import { unprovenIn } from './unproven.ts';

/** Why what is missing has not run, where nobody is there to ask: as far as the finished runs, in their order, show it. */
export function whyNotBy(entries: Iterable<RunEntry>): (attack: PlannedAttack) => NotRunReason {
  const absent = absentAgents(entries);
  return ({ agent }) => (absent.has(agent.name) ? 'not_there' : 'interrupted');
}

/** What results say beside the runs themselves. */
export interface ResultsFacts {
  readonly finished: string;
  /** Why what is missing has not run. */
  readonly stopped?: NotRunReason | ((attack: PlannedAttack) => NotRunReason) | undefined;
  readonly compare?: ((results: Results) => Comparison) | undefined;
}

/** `results.json`, made from the plan and the runs that have finished: in the plan's order, whenever they did. */
export function makeResults(plan: Plan, entries: Iterable<RunEntry>, facts: ResultsFacts): Results {
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

/** As it is stored. */
export function resultsToText(results: Results): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}
