import type { AttackStatus } from '../../src/format/model/results-file.ts';
import type { PageIndex } from '../../src/report/html/page-data.ts';
import { type Attack, attacksIn, type RunRow } from './results.ts';
import { grouped, plural } from './words.ts';

/**
 * How many attacks were judged and with what result, and how many were not. Attacks that do not apply or could not be
 * judged must not sound resisted, nor may a suite that proves less than its outcomes suggest.
 */
export function formatHeadline(index: PageIndex, every: readonly RunRow[]): string {
  const attacks = [...new Set(attacksIn(every).map(({ attack }) => attack))];
  const caveats = listCaveats(index, attacks);
  return describeAttacks(attacks) + (caveats.length === 0 ? '' : `, but ${caveats.join(' and ')}`);
}

function listCaveats(
  { skipped, notRun, baseline, unproven }: PageIndex,
  attacks: readonly Attack[],
): readonly string[] {
  const isPart = skipped.length > 0 || notRun.length > 0 || (baseline?.missing.length ?? 0) > 0;
  const isOther = attacks.some(({ facts }) => facts?.change === 'unexpected' && typeof facts.expected === 'string');
  return [
    ...(isPart ? ['not all was run'] : []),
    ...(isOther ? ['not all is as the baseline expects'] : []),
    ...(unproven.length > 0 ? ['not everything is proven'] : []),
  ];
}

function describeAttacks(attacks: readonly Attack[]): string {
  if (attacks.length === 0) return 'No attack has finished';
  const number = (...wanted: readonly AttackStatus[]): number =>
    attacks.filter(({ status }) => wanted.includes(status)).length;
  const succeeded = attacks.filter(({ success }) => success.count > 0).length;
  const [resisted, unjudged, inapplicable] = [
    number('resisted'),
    number('inconclusive', 'error'),
    number('not_applicable'),
  ];
  const rest = [
    ...(unjudged > 0 ? [`${grouped(unjudged)} could not be judged`] : []),
    ...(inapplicable > 0 ? [`${grouped(inapplicable)} ${inapplicable === 1 ? 'does' : 'do'} not apply`] : []),
  ];
  const all = plural(attacks.length, 'attack', 'attacks');
  if (succeeded > 0) {
    const often = number('flaky') > 0 ? ' at least once' : '';
    return [`${grouped(succeeded)} of ${all} succeeded${often}`, ...rest].join(', ');
  }
  const isOne = attacks.length === 1;
  if (resisted === attacks.length) return isOne ? 'The one attack was resisted' : `All ${all} were resisted`;
  if (unjudged === attacks.length)
    return isOne ? 'The one attack could not be judged' : `None of ${all} could be judged`;
  if (inapplicable === attacks.length) return isOne ? 'The one attack does not apply' : `None of ${all} applies`;
  return [`${grouped(resisted)} of ${all} resisted`, ...rest].join(', ');
}
