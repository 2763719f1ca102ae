import type { Results } from '../../../model/results.ts';
import { writeSummary } from '../../../report/text.ts';
import { hasAbsentAgent } from '../../../suite/not-there.ts';
import type { Standing } from '../../../suite/settled.ts';
import { standingOfResults } from '../../../suite/standing.ts';
import type { Sink } from '../../io.ts';
import type { Exit, Outcome } from '../../outcome.ts';
import { reportContext } from './report-context.ts';

const exits: { readonly [S in Standing]: Exit } = {
  within: 'ok',
  exceeded: 'found',
  undecided: 'undecided',
};

export function outcomeOf(results: Results): Outcome {
  const exit = exits[standingOfResults(results)];
  // A success counts, whoever was not there.
  return { exit: exit !== 'found' && hasAbsentAgent(results) ? 'unavailable' : exit };
}

/** The table at the end, what has changed, and what has not run. */
export function summaryOf(results: Results, folder: string, showSecrets: boolean, sink: Sink): string {
  return writeSummary(results, reportContext(folder, showSecrets), sink);
}
