import {
  type AttackStatistics,
  type ComparedAttack,
  createAttackKey,
  isIncomplete,
  type Results,
} from '../../format/model/results-file.ts';
import { compareWithMaxRate, type Standing } from './decided-early.ts';

/** What results say together with the accepted rates and the baseline. */
export function findSuiteStatus(results: Results): Standing {
  const { statistics, baseline } = results;
  const compared = new Map(baseline?.attacks.map((attack) => [createAttackKey(attack), attack]));
  const statuses = new Set(
    statistics.attacks.map((attack) => findAttackStatus(attack, compared.get(createAttackKey(attack)))),
  );
  if (statuses.has('exceeded')) return 'exceeded';
  return isIncomplete(results) || statuses.has('undecided') ? 'undecided' : 'within';
}

function findAttackStatus(attack: AttackStatistics, compared: ComparedAttack | undefined): Standing {
  const { inconclusive, error } = attack.outcomes;
  const { count, of } = attack.failures ?? attack.success;
  const tally = { succeeded: count, resisted: of - count, unjudged: inconclusive + error };
  if (compared?.change === 'unchanged' || compared?.change === 'fixed') return 'within';
  // An attack that differs from its entry without being better needs a person to look at it.
  const isOther = compared?.change === 'unexpected' && compared.expected !== null;
  return isOther ? 'undecided' : compareWithMaxRate(tally, attack.max_rate);
}
