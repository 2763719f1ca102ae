import type { Results } from '../../../model/results.ts';
import { writeSummary } from '../../../report/text.ts';
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
  return { exit: exits[standingOfResults(results)] };
}

/** The table at the end, what has changed, and what has not run. */
export function summaryOf(results: Results, folder: string, showSecrets: boolean, sink: Sink): string {
  return writeSummary(results, reportContext(folder, showSecrets), sink);
}
