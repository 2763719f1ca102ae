import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeFileFailure } from '../../../files/file-failure.ts';
import { readRegular } from '../../../files/regular-file.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import type { Comparison, Results } from '../../../format/model/results-file.ts';
import { openLibrary } from '../../../suite/library/library.ts';
import { type Baseline, type BaselineEntry, readBaseline } from '../../../suite/statistics/baseline.ts';
import { compareWithBaseline } from '../../../suite/statistics/compare.ts';
import type { CommandOutcome } from '../../command-outcome.ts';
import { complain, type Io } from '../../io.ts';

export interface GivenBaseline {
  compare(results: Results): Comparison;
  /** Whether the baseline accepts that an attack succeeds. */
  acceptsSuccess(document: string, agent: string): boolean;
}

/** The scope of a suite. It separates obsolete baseline entries from those that were not selected. */
export interface PlanScope {
  /** Every document and agent of the plan, on all shards. */
  readonly documents: readonly string[];
  readonly agents: readonly string[];
  /** Whether an agent of this name exists, even if it is not attacked now. */
  isAgent(name: string): boolean;
  /** Whether the documents were selected from a larger set. */
  readonly isSelective: boolean;
}

/** Reads the file of `--baseline`. `prefix`: the setting that named it, for messages. */
export async function readBaselineFlag(
  typed: string,
  io: Io,
  prefix = '--baseline ',
): Promise<((scope: PlanScope) => GivenBaseline) | CommandOutcome> {
  const shown = `${prefix}${escapeInvisible(typed)}`;
  let text: string;
  try {
    text = readRegular(resolve(io.cwd, typed));
  } catch (thrown) {
    return complain(io, 'unreadable', `${shown}: ${describeFileFailure(thrown)}`, 'oatf bless writes one');
  }
  const read = readBaseline(text);
  if (!read.ok) return complain(io, 'invalid', `${shown}: ${read.reason}`, 'oatf bless writes one');
  return (scope) => createGivenBaseline(read.baseline, typed, scope, io.cwd);
}

function createGivenBaseline(baseline: Baseline, file: string, scope: PlanScope, cwd: string): GivenBaseline {
  const library = openLibrary();
  const shipped = new Set(library.ok ? library.documents.map(({ id }) => id) : []);
  const isElsewhere = createElsewhereCheck(scope, shipped, cwd);
  return {
    compare: (results) =>
      compareWithBaseline(results, baseline, file, isElsewhere, createOtherDocumentCheck(shipped, cwd)),
    acceptsSuccess: (document, agent) =>
      baseline.entries.some((entry) => entry.document === document && entry.agent === agent && entry.success.count > 0),
  };
}

/** An entry is about the file that it names if that exists, because files may be moved. Others are of the library. */
function createOtherDocumentCheck(
  shipped: ReadonlySet<string>,
  cwd: string,
): (entry: BaselineEntry, path: string) => boolean {
  return (entry, path) => {
    if (entry.path === undefined) return path !== entry.document && shipped.has(entry.document);
    const own = resolve(cwd, entry.path);
    return own !== resolve(cwd, path) && existsSync(own);
  };
}

/** Whether an entry's document and agent exist but are on another shard or were not selected. */
function createElsewhereCheck(
  { documents, agents, isAgent: isElsewhere, isSelective }: PlanScope,
  shipped: ReadonlySet<string>,
  cwd: string,
): (entry: BaselineEntry) => boolean {
  return ({ document, agent, path }) => {
    const isAgent = agents.includes(agent) || isElsewhere(agent);
    if (!isAgent) return false;
    if (documents.includes(document)) return true;
    // A file of the user's that still exists was not selected. A library document counts only if a selection was made.
    return path === undefined ? isSelective && shipped.has(document) : existsSync(resolve(cwd, path));
  };
}
