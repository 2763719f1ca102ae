import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import type { Results } from '../../../format/model/results-file.ts';
import { formatUnprovenClaims } from '../../../report/format-figures.ts';
import type { Standing } from '../../../suite/statistics/decided-early.ts';
import { findSuiteStatus } from '../../../suite/statistics/suite-status.ts';
import { hasAbsentAgent } from '../../../suite/store/absent-agents.ts';
import type { CommandOutcome, Exit } from '../../command-outcome.ts';
import { complain, type Io, type Sink } from '../../io.ts';
import { createReportContext } from './report-context.ts';

const exits: { readonly [S in Standing]: Exit } = {
  within: 'ok',
  exceeded: 'found',
  undecided: 'undecided',
};

export function toSuiteOutcome(results: Results): CommandOutcome {
  const exit = exits[findSuiteStatus(results)];
  // A successful attack decides the exit code, even if some agents were absent.
  return { exit: exit !== 'found' && hasAbsentAgent(results) ? 'unavailable' : exit };
}

/** Reports why a suite without a successful attack does not pass, if no single run shows the reason. */
export async function reportUnproven(results: Results, io: Io): Promise<void> {
  for (const line of formatUnprovenClaims(results, io.stderr.columns))
    await complain(io, 'undecided', escapeInvisible(line));
}

/** The final table, the changes, and the runs that are missing. */
export async function formatSuiteSummary(
  results: Results,
  folder: string,
  showSecrets: boolean,
  sink: Sink,
): Promise<string> {
  const { writeSummary } = await import('../../../report/text-report.ts');
  return writeSummary(results, createReportContext(folder, showSecrets), sink);
}
