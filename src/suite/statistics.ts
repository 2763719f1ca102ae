import type { Tier } from '../model/enumerations.ts';
import {
  type AttackStatistics,
  type AttackStatus,
  causes,
  type NotRun,
  type NotRunReason,
  type OutcomeCounts,
  type OutcomeName,
  type RunEntry,
  type Statistics,
} from '../model/results.ts';
import { attacksOf, type Plan, type PlannedAttack } from './plan.ts';
import { counted, nothingYet, repeatsToSettle, standingOf, type Tally } from './settled.ts';
import { rateOf } from './wilson.ts';

/** From the mildest to the gravest. */
const tiers: readonly Tier[] = ['ingested', 'local_action', 'boundary_breach'];

/** An attack with its runs, in the order of the repeats. */
export interface AttackRuns {
  readonly attack: PlannedAttack;
  readonly runs: readonly RunEntry[];
}

/** Sorts finished runs by what was planned, in the order of the plan; an attack may have none. */
export function runsByAttack(plan: Plan, entries: Iterable<RunEntry>): readonly AttackRuns[] {
  const found = new Map<string, RunEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry.document.source ?? '', entry.agent);
    const own = found.get(key);
    if (own === undefined) found.set(key, [entry]);
    else own.push(entry);
  }
  return attacksOf(plan).map((attack) => {
    const runs = found.get(keyOf(attack.document.entry.source, attack.agent.name)) ?? [];
    return { attack, runs: withoutDoubles(runs.sort((a, b) => a.repeat - b.repeat)) };
  });
}

/** A line that stands twice is one run: it must not stand in for one that is missing. */
function withoutDoubles(runs: readonly RunEntry[]): readonly RunEntry[] {
  return runs.filter(({ repeat }, index) => runs[index - 1]?.repeat !== repeat);
}

function keyOf(source: string, agent: string): string {
  return `${source}\n${agent}`;
}

export function statisticsOf(plan: Plan, attacks: readonly AttackRuns[]): Statistics {
  const all = attacks.flatMap(({ runs }) => runs);
  const agents = plan.agents.map(({ name }) => {
    const own = all.filter(({ agent }) => agent === name);
    return [name, { outcomes: outcomesOf(own), success: successOf(own) }] as const;
  });
  return {
    runs: all.length,
    outcomes: outcomesOf(all),
    success: successOf(all),
    agents: Object.fromEntries(agents),
    attacks: attacks.flatMap(({ attack, runs }) =>
      runs.length === 0 ? [] : attackStatistics(plan, attack, runs),
    ),
  };
}

export function attackStatistics(
  plan: Plan,
  { document, agent }: PlannedAttack,
  runs: readonly RunEntry[],
): AttackStatistics {
  const tally = tallyOf(runs);
  const maxRate = document.max_rate ?? 0;
  const settled = isSettled(plan, document.max_rate, tally) ? plan.repeat - runs.length : 0;
  return {
    document: document.key,
    agent: agent.name,
    runs: runs.length,
    outcomes: outcomesOf(runs),
    success: successOf(runs),
    tiers: Object.fromEntries(
      tiers.filter((tier) => document.tiers.includes(tier)).map((tier) => [tier, reached(tier, runs)]),
    ),
    status: statusOf(runs),
    ...causesOf(runs),
    max_rate: maxRate,
    within_max_rate: standingOf(tally, maxRate) !== 'exceeded',
    ...(settled > 0 && { settled_early: settled }),
  };
}

function tallyOf(runs: readonly RunEntry[]): Tally {
  return runs.reduce((tally, { outcome }) => counted(tally, outcome), nothingYet);
}

/** Only a rate that was named is a question with a yes or no; otherwise the rate itself is the answer. */
export function isSettled(
  plan: Pick<Plan, 'early_stop' | 'repeat'>,
  maxRate: number | undefined,
  tally: Tally,
): boolean {
  return plan.early_stop && maxRate !== undefined && repeatsToSettle(tally, maxRate, plan.repeat) === 0;
}

function outcomesOf(runs: readonly RunEntry[]): OutcomeCounts {
  const counts = { exploited: 0, partial: 0, resisted: 0, not_applicable: 0, inconclusive: 0, error: 0 };
  for (const { outcome } of runs) counts[outcome] += 1;
  return counts;
}

function successOf(runs: readonly RunEntry[]): AttackStatistics['success'] {
  const { succeeded, resisted } = tallyOf(runs);
  return rateOf(succeeded, succeeded + resisted);
}

function reached(tier: Tier, runs: readonly RunEntry[]): AttackStatistics['success'] {
  const graver = new Set<unknown>(tiers.slice(tiers.indexOf(tier)));
  const judged = runs.filter(({ outcome }) => isJudged.has(outcome));
  return rateOf(judged.filter(({ verdict }) => graver.has(verdict.max_tier)).length, judged.length);
}

const isJudged: ReadonlySet<OutcomeName> = new Set(['exploited', 'partial', 'resisted']);

/** One success weighs more than what could not be judged; that weighs more than what was resisted. */
function statusOf(runs: readonly RunEntry[]): AttackStatus {
  const { succeeded, resisted, unjudged } = tallyOf(runs);
  if (succeeded > 0) return resisted > 0 ? 'flaky' : 'exploited';
  if (unjudged === 0) return resisted > 0 ? 'resisted' : 'not_applicable';
  return runs.some(({ outcome }) => outcome === 'error') ? 'error' : 'inconclusive';
}

function causesOf(runs: readonly RunEntry[]): Pick<AttackStatistics, 'causes'> {
  const found = causes.filter((cause) => runs.some((run) => run.cause === cause));
  return found.length === 0 ? {} : { causes: found };
}

/** What of the plan is missing. */
export function notRunOf(
  plan: Plan,
  attacks: readonly AttackRuns[],
  why: NotRunReason | ((attack: PlannedAttack) => NotRunReason),
): readonly NotRun[] {
  return attacks.flatMap(({ attack, runs }) => {
    const left = plan.repeat - runs.length;
    if (left === 0 || isSettled(plan, attack.document.max_rate, tallyOf(runs))) return [];
    const reason = typeof why === 'string' ? why : why(attack);
    return [{ document: attack.document.key, agent: attack.agent.name, runs: left, reason }];
  });
}
