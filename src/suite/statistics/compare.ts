import {
  type AttackStatistics,
  type ComparedAttack,
  type Comparison,
  createAttackKey,
  type Results,
} from '../../format/model/results-file.ts';
import { type Baseline, type BaselineEntry, findMostSevereTier, indexPathsByName } from './baseline.ts';
import { tiers } from './fail-tier.ts';
import { computeFisherExact, significance } from './fisher.ts';

/**
 * Compares results with a baseline. For an entry without results, `isElsewhere` tells whether its document and agent
 * exist and merely were not asked for; every other such entry is reported as missing. `isOfOther` tells whether an
 * entry is about another document than the one at a path.
 */
export function compareWithBaseline(
  results: Results,
  { entries, version }: Baseline,
  file: string,
  isElsewhere: (entry: BaselineEntry) => boolean,
  isOfOther: (entry: BaselineEntry, path: string) => boolean = () => false,
): Comparison {
  const { statistics, not_run = [] } = results;
  const entryOf = new Map(entries.map((entry) => [createAttackKey(entry), entry]));
  const pathOf = indexPathsByName(results);
  const found = new Set([...statistics.attacks, ...not_run].map(createAttackKey));
  return {
    file,
    attacks: statistics.attacks.map((counted): ComparedAttack => {
      // With `fail_tier`, only matches of that tier or a more severe one count.
      const attack = { ...counted, success: counted.failures ?? counted.success };
      const { document, agent } = attack;
      const named = entryOf.get(createAttackKey(attack));
      const isOther = named !== undefined && isOfOther(named, pathOf.get(document) ?? '');
      const entry = isOther ? undefined : named;
      return {
        document,
        agent,
        ...addTierChange(entry?.tier, findMostSevereTier(attack), findChange(attack, entry, version)),
        ...(isOther && {
          reason: `the entry of this name is about another document, ${named.path ?? 'of the library'}`,
        }),
        expected: entry === undefined ? null : formatCompared(entry),
        found: formatCompared(attack),
      };
    }),
    missing: entries
      .filter((entry) => !found.has(createAttackKey(entry)) && !isElsewhere(entry))
      .map(({ document, agent }) => ({ document, agent })),
  };
}

/** The status, with the cause or the rate where there is more to say. */
function formatCompared({ status, causes = [], success: { count, of } }: Compared): string {
  const why = causes.length === 0 || status !== 'inconclusive' ? '' : ` (${causes.join(', ')})`;
  return of > 1 ? `${status}${why} ${count}/${of}` : `${status}${why}`;
}

type Compared = Pick<BaselineEntry, 'status' | 'causes' | 'success'>;

/** An accepted success is accepted only up to its tier at that time. */
function addTierChange(before: string | undefined, now: string | undefined, change: BaselineChange): BaselineChange {
  const isFurther =
    before !== undefined && now !== undefined && rankTierName(now) > rankTierName(before) && change.change !== 'new';
  return isFurther ? { change: 'new', reason: `it went as far as ${now}, and its entry accepts ${before}` } : change;
}

function rankTierName(tier: string): number {
  const names: readonly string[] = tiers;
  return names.indexOf(tier);
}

/** The change of an attack against its entry. */
export type BaselineChange = Pick<ComparedAttack, 'change' | 'reason'>;

export function findChange(
  found: Pick<AttackStatistics, 'status' | 'causes' | 'success' | 'outcomes'>,
  entry: Compared | undefined,
  version: Baseline['version'],
): BaselineChange {
  const isOld = version === 1 && entry?.status === 'resisted';
  switch (found.status) {
    case 'error':
      return createUnexpected('a fault of ours is never accepted');
    case 'inconclusive':
      return isOld ? createUnexpected(meantLess) : compareInconclusive(found.causes ?? [], entry);
    case 'not_applicable':
      if (entry === undefined) return createUnexpected();
      return entry.status === 'not_applicable'
        ? { change: 'unchanged' }
        : createUnexpected('it does not apply any more');
    default:
      if (isOld) return found.success.count > 0 ? { change: 'new' } : createUnexpected(meantLess);
      return compareJudged(found, entry);
  }
}

/** A rate covers only the repeats that were judged. The others are accepted by their causes, as in every entry. */
function compareJudged(
  { success, outcomes, causes = [] }: Pick<AttackStatistics, 'success' | 'outcomes' | 'causes'>,
  entry: Compared | undefined,
): BaselineChange {
  const change = compareRates(success, entry?.success);
  if (change === 'new') return { change };
  if (outcomes.error > 0) return createUnexpected('a fault of ours is never accepted');
  const open = causes.find((cause) => entry?.causes?.includes(cause) !== true);
  return open === undefined ? { change } : createUnexpected(`not all of its repeats could be judged (${open})`);
}

function createUnexpected(reason?: string): BaselineChange {
  return { change: 'unexpected', ...(reason !== undefined && { reason }) };
}

const meantLess =
  'the baseline is of version 1, in which an attack that had not reached the agent could be called resisted; oatf bless writes a new one';

/** An entry accepts only the causes that it names. */
function compareInconclusive(found: readonly string[], entry: Compared | undefined): BaselineChange {
  if (entry?.status !== 'inconclusive') return createUnexpected();
  const { causes = [] } = entry;
  if (causes.length === 0) return createUnexpected('its entry does not say why it is inconclusive');
  const other = found.filter((cause) => !causes.some((accepted) => accepted === cause));
  return found.length > 0 && other.length === 0
    ? { change: 'unchanged' }
    : createUnexpected('it is inconclusive for another reason');
}

type Share = BaselineEntry['success'];

function compareRates(success: Share, before: Share | undefined): ComparedAttack['change'] {
  if (before === undefined) return success.count > 0 ? 'new' : 'unexpected';
  if (before.of === 0) return success.count > 0 ? 'new' : 'fixed';
  // A single run gives a verdict, not a rate.
  if (before.of === 1) {
    if (success.count > 0 === before.count > 0) return 'unchanged';
    return success.count > 0 ? 'new' : 'fixed';
  }
  const was = before.count / before.of;
  const is = success.count / success.of;
  // A change from always to never, or back, needs no test: three repeats would be too few for it.
  const isReversed = Math.abs(is - was) === 1;
  if (!isReversed && computeFisherExact(before.count, before.of, success.count, success.of) >= significance)
    return 'unchanged';
  return is > was ? 'new' : 'fixed';
}
