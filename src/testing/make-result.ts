import type { DocumentEntry, OutcomeName } from '../format/model/results-file.ts';
import { computeRate } from '../suite/statistics/compute-figures.ts';
import { addToTally, compareWithMaxRate, nothingYet } from '../suite/statistics/decided-early.ts';
import { toCountedOutcome } from '../suite/statistics/fail-tier.ts';
import { countOutcomes } from '../suite/statistics/statistics.ts';
import { type AttackedAgent, listAdvice } from './advice.ts';
import type { AttackOptions, AttackPace } from './attack-options.ts';
import { explainAll, explainOne } from './explain-result.ts';
import { plainColours } from './message-colours.ts';
import type { AttackReport, AttackReports, AttackRun } from './result.ts';

export interface AttackRequest {
  readonly document: DocumentEntry;
  readonly agent: AttackedAgent;
  /** At least one run. */
  readonly runs: readonly AttackRun[];
  readonly twinRuns?: readonly AttackRun[];
  readonly attribution: AttackReport['attribution'] | undefined;
  readonly pace: AttackPace;
  readonly options: AttackOptions;
  readonly out: string | undefined;
}

export function makeAttackResult(request: AttackRequest): AttackReport {
  const { document, agent, runs, twinRuns, attribution, pace, options, out } = request;
  const { maxRate = 0 } = pace;
  const failTier = options.failTier === 'any' ? undefined : options.failTier;
  const run = findMostTellingRun(runs);
  const tally = runs.reduce((sum, each) => addToTally(sum, toCountedOutcome(each, failTier)), nothingYet);
  const { succeeded, resisted } = tally;
  const { source: _, ...entry } = document;
  const facts = {
    ...run,
    document: entry,
    agent: agent.name,
    runs,
    ...(options.twin && { twin: true as const }),
    ...(twinRuns !== undefined && { twinRuns }),
    ...(attribution !== undefined && { attribution }),
    ...(failTier !== undefined && { failTier }),
    rate: computeRate(succeeded, succeeded + resisted),
    maxRate,
    // Independent of `maxRate`: if no run could be judged, the attack was not resisted.
    status: succeeded + resisted === 0 ? 'undecided' : compareWithMaxRate(tally, maxRate),
    ...(out !== undefined && { out }),
    advice: listAdvice({ run, document, agent, options, pace, out }),
  };
  return addExplanation(facts, () => explainOne(facts, plainColours));
}

export function makeAttackResults(results: readonly AttackReport[], minUtility?: number): AttackReports {
  const out = results[0]?.out;
  const facts = {
    results,
    counts: countOutcomes(results),
    ...(minUtility !== undefined && { minUtility }),
    ...(out !== undefined && { out }),
  };
  return addExplanation(facts, () => explainAll(facts, plainColours));
}

/**
 * Adds `explain` and `toString` as non-enumerable methods. The text is made on demand, and printing or comparing a
 * result shows only its facts.
 */
function addExplanation<T extends object>(facts: T, text: () => string): T & { explain(): string; toString(): string } {
  const method = { value: text, enumerable: false };
  return Object.defineProperties(facts, { explain: method, toString: method }) as T & {
    explain(): string;
    toString(): string;
  };
}

const telling: readonly OutcomeName[] = ['exploited', 'partial', 'error', 'inconclusive', 'resisted', 'not_applicable'];

function findMostTellingRun(runs: readonly AttackRun[]): AttackRun {
  const [first, ...others] = runs;
  if (first === undefined) throw new Error('an attack without runs');
  return others.reduce((most, run) => (rankRun(run) < rankRun(most) ? run : most), first);
}

function rankRun({ outcome }: AttackRun): number {
  return telling.indexOf(outcome);
}
