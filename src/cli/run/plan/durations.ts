import { resolve } from 'node:path';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { readResults } from '../../../suite/store/read-results.ts';
import type { CommandOutcome } from '../../command-outcome.ts';
import { complain, type Io } from '../../io.ts';

export type DurationFinder = (document: string, agent: string) => number | undefined;

/** Reads how long attacks took in earlier results: the mean over the repeats of each. */
export async function readDurations(typed: string, io: Io): Promise<DurationFinder | CommandOutcome> {
  const read = readResults(resolve(io.cwd, typed));
  if (!read.ok)
    return complain(
      io,
      'unreadable',
      `--durations ${escapeInvisible(typed)}: ${escapeInvisible(read.reason)}`,
      'name a folder of results, or a results.json',
    );
  const sums = new Map<string, { milliseconds: number; runs: number }>();
  for (const { document, agent, duration_ms } of read.results.runs) {
    const key = JSON.stringify([document.id ?? document.name, agent]);
    const { milliseconds, runs } = sums.get(key) ?? { milliseconds: 0, runs: 0 };
    sums.set(key, { milliseconds: milliseconds + duration_ms, runs: runs + 1 });
  }
  return (document, agent) => {
    const sum = sums.get(JSON.stringify([document, agent]));
    return sum === undefined ? undefined : sum.milliseconds / sum.runs;
  };
}
