import type { DocumentEntry, OutcomeCounts, OutcomeName } from '../model/results.ts';
import { countedAs } from '../suite/fail-tier.ts';
import { counted, nothingYet, standingOf } from '../suite/settled.ts';
import { rateOf } from '../suite/wilson.ts';
import { type AttackedAgent, adviceFor } from './advice.ts';
import { explainAll, explainOne } from './explain.ts';
import { plainLook } from './look.ts';
import type { AttackOptions, Pace } from './options.ts';
import type { AttackResult, AttackResults, AttackRun } from './result.ts';

export interface Attacked {
  readonly document: DocumentEntry;
  readonly agent: AttackedAgent;
  /** At least one run. */
  readonly runs: readonly AttackRun[];
  readonly pace: Pace;
  readonly options: AttackOptions;
  readonly out: string | undefined;
}

export function makeResult({ document, agent, runs, pace, options, out }: Attacked): AttackResult {
  const { maxRate = 0 } = pace;
  const failTier = options.failTier === 'any' ? undefined : options.failTier;
  const run = mostTelling(runs);
  const tally = runs.reduce((sum, each) => counted(sum, countedAs(each, failTier)), nothingYet);
  const { succeeded, resisted } = tally;
  const { source: _, ...entry } = document;
  const facts = {
    ...run,
    document: entry,
    agent: agent.name,
    runs,
    ...(options.twin && { twin: true as const }),
    ...(failTier !== undefined && { failTier }),
    rate: rateOf(succeeded, succeeded + resisted),
    maxRate,
    // Independent of `maxRate`: if no run could be judged, the attack was not resisted.
    standing: succeeded + resisted === 0 ? 'undecided' : standingOf(tally, maxRate),
    ...(out !== undefined && { out }),
    advice: adviceFor({ run, document, agent, options, pace, out }),
  };
  return readable(facts, () => explainOne(facts, plainLook));
}

export function makeResults(results: readonly AttackResult[]): AttackResults {
  const out = results[0]?.out;
  const facts = { results, counts: countsOf(results), ...(out !== undefined && { out }) };
  return readable(facts, () => explainAll(facts, plainLook));
}

/**
 * Adds `explain` and `toString` as non-enumerable methods. The text is made on demand, and printing or comparing a
 * result shows only its facts.
 */
function readable<T extends object>(
  facts: T,
  text: () => string,
): T & { explain(): string; toString(): string } {
  const said = { value: text, enumerable: false };
  return Object.defineProperties(facts, { explain: said, toString: said }) as T & {
    explain(): string;
    toString(): string;
  };
}

const telling: readonly OutcomeName[] = [
  'exploited',
  'partial',
  'error',
  'inconclusive',
  'resisted',
  'not_applicable',
];

function mostTelling(runs: readonly AttackRun[]): AttackRun {
  const [first, ...others] = runs;
  if (first === undefined) throw new Error('an attack without runs');
  return others.reduce((most, run) => (rank(run) < rank(most) ? run : most), first);
}

function rank({ outcome }: AttackRun): number {
  return telling.indexOf(outcome);
}

function countsOf(results: readonly AttackResult[]): OutcomeCounts {
  const counts = { exploited: 0, partial: 0, resisted: 0, not_applicable: 0, inconclusive: 0, error: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}
