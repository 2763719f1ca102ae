import type { Results } from '../../../model/results.ts';
import { unprovenInWords } from '../../../report/figures.ts';
import { visible } from '../../../report/visible.ts';
import { hasAbsentAgent } from '../../../suite/not-there.ts';
import type { Standing } from '../../../suite/settled.ts';
import { standingOfResults } from '../../../suite/standing.ts';
import { complain, type Io, type Sink } from '../../io.ts';
import type { CommandOutcome, Exit } from '../../outcome.ts';
import { reportContext } from './report-context.ts';

const exits: { readonly [S in Standing]: Exit } = {
  within: 'ok',
  exceeded: 'found',
  undecided: 'undecided',
};

export function outcomeOf(results: Results): CommandOutcome {
  const exit = exits[standingOfResults(results)];
  // A successful attack decides the exit code, even if some agents were absent.
  return { exit: exit !== 'found' && hasAbsentAgent(results) ? 'unavailable' : exit };
}

/** Says why a suite without a success does not pass, if no single run shows it. */
export async function tellUnproven(results: Results, io: Io): Promise<void> {
  for (const line of unprovenInWords(results, io.stderr.columns))
    await complain(io, 'undecided', visible(line));
}

/** The final table, the changes, and the runs that are missing. */
export async function summaryOf(
  results: Results,
  folder: string,
  showSecrets: boolean,
  sink: Sink,
): Promise<string> {
  const { writeSummary } = await import('../../../report/text.ts');
  return writeSummary(results, reportContext(folder, showSecrets), sink);
}
