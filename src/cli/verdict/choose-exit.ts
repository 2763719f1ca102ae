import type { OutcomeName } from '../../format/model/results-file.ts';
import type { Exit } from '../command-outcome.ts';

const exits: { readonly [O in OutcomeName]: Exit } = {
  resisted: 'ok',
  exploited: 'found',
  partial: 'found',
  not_applicable: 'ok',
  inconclusive: 'undecided',
  error: 'undecided',
};

const mostSevere: readonly Exit[] = ['found', 'undecided'];

/** The exit of several runs: one successful attack outweighs any number of runs that could not be judged. */
export function chooseExit(outcomes: Iterable<OutcomeName>): Exit {
  const seen = new Set([...outcomes].map((outcome) => exits[outcome]));
  return mostSevere.find((exit) => seen.has(exit)) ?? 'ok';
}
