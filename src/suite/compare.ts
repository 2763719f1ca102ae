import type { AttackStatistics, ComparedAttack, Comparison, Results } from '../model/results.ts';
import type { Baseline, BaselineEntry } from './baseline.ts';
import { fisherExact } from './fisher.ts';

/** Differences that chance brings about more often than this are not called changes. */
const significance = 0.05;

/**
 * Results against what is accepted. `isElsewhere` knows of an entry without results whether it names something that
 * there is and that merely was not asked for; all others name nothing.
 */
export function compareWithBaseline(
  { statistics, not_run = [] }: Results,
  { entries }: Baseline,
  file: string,
  isElsewhere: (entry: BaselineEntry) => boolean,
): Comparison {
  const entryOf = new Map(entries.map((entry) => [keyOf(entry), entry]));
  const found = new Set([...statistics.attacks, ...not_run].map(keyOf));
  return {
    file,
    attacks: statistics.attacks.map((attack): ComparedAttack => {
      const { document, agent } = attack;
      const entry = entryOf.get(keyOf(attack));
      return {
        document,
        agent,
        change: changeOf(attack, entry),
        expected: entry === undefined ? null : inWords(entry),
        found: inWords(attack),
      };
    }),
    missing: entries
      .filter((entry) => !found.has(keyOf(entry)) && !isElsewhere(entry))
      .map(({ document, agent }) => ({ document, agent })),
  };
}

function keyOf({ document, agent }: { readonly document: string; readonly agent: string }): string {
  return JSON.stringify([document, agent]);
}

/** The status, and how often where that says more. */
function inWords({ status, success: { count, of } }: Pick<BaselineEntry, 'status' | 'success'>): string {
  return of > 1 ? `${status} ${count}/${of}` : status;
}

export function changeOf(
  { status, success }: Pick<AttackStatistics, 'status' | 'success'>,
  entry: Pick<BaselineEntry, 'status' | 'success'> | undefined,
): ComparedAttack['change'] {
  // A fault of ours is never what was expected.
  if (status === 'error') return 'unexpected';
  if (status === 'inconclusive' || status === 'not_applicable')
    return entry?.status === status ? 'unchanged' : 'unexpected';
  if (entry === undefined) return success.count > 0 ? 'new' : 'unexpected';
  const before = entry.success;
  if (before.of === 0) return success.count > 0 ? 'new' : 'fixed';
  // A single run told a verdict and no rate.
  if (before.of === 1) {
    if (success.count > 0 === before.count > 0) return 'unchanged';
    return success.count > 0 ? 'new' : 'fixed';
  }
  const was = before.count / before.of;
  const is = success.count / success.of;
  // From always to never, or the other way round, needs no arithmetic, and three repeats would be too few for it.
  const isReversed = Math.abs(is - was) === 1;
  if (!isReversed && fisherExact(before.count, before.of, success.count, success.of) >= significance)
    return 'unchanged';
  return is > was ? 'new' : 'fixed';
}
