import type { NotRunReason, OutcomeCounts, OutcomeName, Rate } from '../format/model/results-file.ts';

export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

const order: readonly OutcomeName[] = ['exploited', 'partial', 'resisted', 'inconclusive', 'error', 'not_applicable'];

/** `3 exploited, 1 resisted`. */
export function describeCounts(outcomes: OutcomeCounts): string {
  return order
    .flatMap((outcome) => ((outcomes[outcome] ?? 0) > 0 ? `${outcomes[outcome]} ${outcome.replace('_', ' ')}` : []))
    .join(', ');
}

/** `3/10, 11–61 %`: the rate, and the interval of the true rate. */
export function describeRate({ count: times, of, interval }: Rate): string {
  if (interval === null) return `${times}/${of}`;
  // Rounded outwards, so that the interval claims no more than is known.
  const [low, high] = [Math.floor(interval[0] * 100), Math.ceil(interval[1] * 100)];
  return `${times}/${of}, ${low}–${high} %`;
}

export const notRunReasons: { readonly [R in NotRunReason]: string } = {
  budget: 'the budget was spent',
  fail_fast: 'an attack had succeeded',
  interrupted: 'it was interrupted',
  unavailable: 'something needed was not available',
  unreachable: 'the agent was unreachable, three runs in a row',
  missing_shard: 'the results of its shard are missing',
};
