import type { RunOutcome } from '../../judge/outcome.ts';
import type { Exit } from '../outcome.ts';

const exits: { readonly [O in RunOutcome['outcome']]: Exit } = {
  resisted: 'ok',
  exploited: 'found',
  partial: 'found',
  not_applicable: 'ok',
  inconclusive: 'undecided',
  error: 'undecided',
};

const gravest: readonly Exit[] = ['found', 'undecided'];

/** The exit of several runs: one successful attack outweighs any number of runs that could not be judged. */
export function exitFor(outcomes: Iterable<RunOutcome>): Exit {
  const seen = new Set([...outcomes].map(({ outcome }) => exits[outcome]));
  return gravest.find((exit) => seen.has(exit)) ?? 'ok';
}
