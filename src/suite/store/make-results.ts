import type { Comparison, NotRun, NotRunReason, Results, RunEntry } from '../../format/model/results-file.ts';
import type { PlannedAttack, SuitePlan } from '../plan/plan.ts';
import { settleOutcomes } from '../statistics/attribution.ts';
import { computeStatistics, groupRunsByAttack, isTwin, listNotRun } from '../statistics/statistics.ts';
import { findUnproven } from '../statistics/unproven.ts';
import { listAbsentAgents } from './absent-agents.ts';

/** Derives from the finished runs, in their order, why an attack has not run, when there is no schedule to ask. */
export function createNotRunExplainer(entries: Iterable<RunEntry>): (attack: PlannedAttack) => NotRunReason {
  const absent = listAbsentAgents(entries);
  return ({ agent }) => (absent.has(agent.name) ? 'unreachable' : 'interrupted');
}

/** The facts that results state in addition to the runs. */
export interface ResultsFacts {
  readonly finished: string;
  readonly stopped?: NotRunReason | ((attack: PlannedAttack) => NotRunReason) | undefined;
  readonly compare?: ((results: Results) => Comparison) | undefined;
}

/** Makes `results.json` from the plan and the finished runs, in the plan's order. */
export function makeResults(plan: SuitePlan, entries: Iterable<RunEntry>, facts: ResultsFacts): Results {
  const finished = settleOutcomes(plan, [...entries]);
  const attacks = groupRunsByAttack(plan, finished);
  const unproven = findUnproven(plan.agents, attacks, plan.min_utility);
  const notRun: readonly NotRun[] = listNotRun(plan, attacks, facts.stopped ?? createNotRunExplainer(finished));
  const results: Results = {
    version: 3,
    tool: plan.tool,
    agents: plan.agents,
    started: plan.started,
    finished: facts.finished,
    runs: [false, true].flatMap((twins) =>
      attacks.flatMap(({ attack, runs }) => (isTwin(attack) === twins ? runs : [])),
    ),
    statistics: computeStatistics(plan, attacks),
    ...(plan.fail_tier !== undefined && { fail_tier: plan.fail_tier }),
    ...(plan.min_utility !== undefined && { min_utility: plan.min_utility }),
    ...(unproven.length > 0 && { unproven }),
    ...(notRun.length > 0 && { not_run: notRun }),
    ...(plan.skipped !== undefined && { skipped: plan.skipped }),
  };
  return facts.compare === undefined ? results : { ...results, baseline: facts.compare(results) };
}

/** The text of `plan.json`. */
export function writePlanText(plan: SuitePlan): string {
  return `${JSON.stringify(plan, null, 2)}\n`;
}

/** The text of `results.json`. */
export function writeResultsText(results: Results): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}
