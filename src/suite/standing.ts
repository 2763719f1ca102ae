import type { AttackStatistics, ComparedAttack, Results } from '../model/results.ts';
import { type Standing, standingOf } from './settled.ts';

/** What results come to, once the accepted rates and the baseline have had their say. */
export function standingOfResults(results: Results): Standing {
  const { statistics, baseline, not_run = [], skipped = [], unproven = [] } = results;
  const compared = new Map(baseline?.attacks.map((attack) => [keyOf(attack), attack]));
  const standings = new Set(
    statistics.attacks.map((attack) => standingOfAttack(attack, compared.get(keyOf(attack)))),
  );
  if (standings.has('exceeded')) return 'exceeded';
  // What did not run was not resisted, and an entry that names nothing guards nothing.
  const isIncomplete = not_run.length > 0 || skipped.length > 0 || (baseline?.missing.length ?? 0) > 0;
  // A suite of which nothing applies, or nothing was judged, says nothing of its agents.
  const isEmpty = statistics.runs > 0 && statistics.success.of === 0;
  return isIncomplete || isEmpty || unproven.length > 0 || standings.has('undecided')
    ? 'undecided'
    : 'within';
}

function keyOf({ document, agent }: { readonly document: string; readonly agent: string }): string {
  return JSON.stringify([document, agent]);
}

function standingOfAttack(attack: AttackStatistics, compared: ComparedAttack | undefined): Standing {
  const { inconclusive, error } = attack.outcomes;
  const { count, of } = attack.failures ?? attack.success;
  const tally = { succeeded: count, resisted: of - count, unjudged: inconclusive + error };
  if (compared?.change === 'unchanged' || compared?.change === 'fixed') return 'within';
  // What is not as its entry says, and no better either, is for somebody to look at.
  const isOther = compared?.change === 'unexpected' && compared.expected !== null;
  return isOther ? 'undecided' : standingOf(tally, attack.max_rate);
}
