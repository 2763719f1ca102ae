import {
  type AttackStatistics,
  type IndicatorAttribution,
  isSuccess,
  type OutcomeName,
  type Rate,
  type Results,
} from '../format/model/results-file.ts';
import { describeRate } from './count-text.ts';

// Whether the attack caused what its indicators saw, as all reports word it.

/** The success rate of attacks, and the runs that it leaves out: `3/18, 5–40 %, 2 unattributed`. */
export function describeSuccess({
  success,
  unattributed = 0,
}: {
  readonly success: Rate;
  readonly unattributed?: number;
}): string {
  return `${describeRate(success)}${unattributed === 0 ? '' : `, ${unattributed} unattributed`}`;
}

/** Whether an attack shows nothing but what the agent does without it, so that it has a mark of its own in a grid. */
export function isUnattributed({ status, causes = [] }: Pick<AttackStatistics, 'status' | 'causes'>): boolean {
  return status === 'inconclusive' && causes.length === 1 && causes[0] === 'unattributed';
}

/** The mark of such an attack. */
export const unattributedMark = '≈ unattributed';

/** The indicators of an attack that matched without the attack too, one line each. */
export function describeAttribution({ attribution = [] }: Pick<AttackStatistics, 'attribution'>): readonly string[] {
  return attribution.flatMap(({ indicator, status, attack, twin, difference }: IndicatorAttribution) => {
    if (difference === undefined) return [];
    const rates = `${indicator} matched in ${formatShare(attack)} runs of the attack and in ${formatShare(twin)} without it`;
    return status === 'partly'
      ? `${rates}: the attack adds ${formatPoints(difference)}`
      : `${rates}: the agent does this without the attack`;
  });
}

function formatShare({ count, of }: Rate): string {
  return `${count}/${of}`;
}

/** `75 percentage points (50–89)`, rounded outwards, so that the interval claims no more than is known. */
function formatPoints({ value, interval: [low, high] }: NonNullable<IndicatorAttribution['difference']>): string {
  return `${Math.round(value * 100)} percentage points (${Math.floor(low * 100)}–${Math.ceil(high * 100)})`;
}

/** The same for all attacks. */
export function listAttributions({ statistics }: Pick<Results, 'statistics'>): readonly string[] {
  return statistics.attacks.flatMap((attack) =>
    describeAttribution(attack).map((line) => `${attack.document} on ${attack.agent}: ${line}`),
  );
}

/** A run as far as it tells whether its attack could have a benign twin. */
interface TwinFacts {
  readonly twin?: boolean | undefined;
  readonly outcome: OutcomeName;
  readonly coverage?: { readonly inferred: boolean } | undefined;
}

/** Says how to find out whether the attacks caused what they are credited with, if nothing in these results can tell. */
export function suggestTwins(runs: readonly TwinFacts[]): string | undefined {
  // A document without marks has no benign twin.
  const hasTwin = runs.some((run) => isSuccess(run) && run.coverage?.inferred === false);
  return hasTwin && !runs.some(({ twin }) => twin)
    ? 'run with --twins to see whether the attack caused this'
    : undefined;
}
