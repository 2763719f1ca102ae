import type { AttackStatistics, ComparedAttack, Results } from '../model/results.ts';
import { type Standing, standingOf } from './settled.ts';

/** What results come to, once the accepted rates and the baseline have had their say. */
export function standingOfResults({ statistics, baseline, not_run = [] }: Results): Standing {
  const compared = new Map(baseline?.attacks.map((attack) => [keyOf(attack), attack]));
  const standings = new Set(
    statistics.attacks.map((attack) => standingOfAttack(attack, compared.get(keyOf(attack)))),
  );
  if (standings.has('exceeded')) return 'exceeded';
  // What did not run was not resisted, and an entry that names nothing guards nothing.
  const isIncomplete = not_run.length > 0 || (baseline?.missing.length ?? 0) > 0;
  // A suite of which nothing applies says nothing of its agents.
  const { runs, outcomes } = statistics;
  const isEmpty = runs > 0 && outcomes.not_applicable === runs;
  return isIncomplete || isEmpty || standings.has('undecided') ? 'undecided' : 'within';
}

function keyOf({ document, agent }: { readonly document: string; readonly agent: string }): string {
  return JSON.stringify([document, agent]);
}

function standingOfAttack(attack: AttackStatistics, compared: ComparedAttack | undefined): Standing {
  const { exploited, partial, resisted, inconclusive, error } = attack.outcomes;
  const tally = { succeeded: exploited + partial, resisted, unjudged: inconclusive + error };
  const isAccepted = compared?.change === 'unchanged' || compared?.change === 'fixed';
  // What was expected to be judged and does not apply any more guards nothing.
  const appliesNoMore = compared?.change === 'unexpected' && attack.status === 'not_applicable';
  if (appliesNoMore) return 'undecided';
  return isAccepted ? 'within' : standingOf(tally, attack.max_rate);
}
