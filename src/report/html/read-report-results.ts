import { isStored, openStored, readStored } from '../../files/stored-file.ts';
import { upgradeResults, upgradeRun } from '../../format/model/upgrade-stored.ts';
import { isValueMap, type ValueMap } from '../../format/model/value.ts';

export type ReportResultsReading =
  | { readonly ok: true; readonly results: ValueMap }
  | { readonly ok: false; readonly kind: 'unreadable' | 'invalid'; readonly message: string };

/**
 * Gives runs the outcomes that only the suite can tell, in the same order: `results.json` has them, the lines of
 * `runs.jsonl` do not.
 */
export type SettleRuns = (runs: readonly ValueMap[]) => readonly ValueMap[];

/** Reads `results.json`. If the suite was interrupted before writing it, reads the runs that had finished. */
export function readReportResults(folder: string, settle: SettleRuns = (runs) => runs): ReportResultsReading {
  const name = isStored(folder, 'results.json') ? 'results.json' : 'runs.jsonl';
  let text: string;
  try {
    text = readStored(folder, name);
  } catch (thrown) {
    return { ok: false, kind: 'unreadable', message: `${name} cannot be read: ${(thrown as Error).message}` };
  }
  return name === 'results.json' ? readWholeResults(text) : readUnfinishedResults(text, folder, settle);
}

function readWholeResults(text: string): ReportResultsReading {
  const results = parseJsonOrNothing(text);
  if (isValueMap(results) && Array.isArray(results.runs)) return { ok: true, results: upgradeResults(results) };
  return { ok: false, kind: 'invalid', message: 'results.json does not hold results' };
}

function readUnfinishedResults(text: string, folder: string, settle: SettleRuns): ReportResultsReading {
  // A run that was being written when the disk filled up leaves half a line.
  const runs = text
    .split('\n')
    .map(parseReportRun)
    .filter((run) => run !== undefined);
  if (runs.length === 0) return { ok: false, kind: 'invalid', message: 'runs.jsonl holds no runs' };
  return { ok: true, results: { ...readReportPlan(folder), runs: settle(runs) } };
}

/** A line of `runs.jsonl`, if it is complete. */
export function parseReportRun(line: string): ValueMap | undefined {
  const run = parseJsonOrNothing(line);
  return isValueMap(run) ? upgradeRun(run) : undefined;
}

/** What `results.json` says in addition to the runs; nothing while there is no such file. */
export function readReportEnd(folder: string): ValueMap | undefined {
  const results = readJsonFile(folder, 'results.json');
  if (!isValueMap(results)) return undefined;
  const { runs: _known, ...end } = upgradeResults(results);
  return end;
}

/** The facts that were known before the first run. */
export function readReportPlan(folder: string): ValueMap {
  const plan = readJsonFile(folder, 'plan.json');
  if (!isValueMap(plan)) return {};
  const { tool = {}, agents = [], started = '', documents, repeat } = plan;
  const attacks = Array.isArray(documents) && Array.isArray(agents) ? documents.length * agents.length : 0;
  if (typeof repeat !== 'number') return { tool, agents, started };
  return {
    ...{ tool, agents, started, repeats: repeat },
    ...(plan.shard === undefined && { planned: attacks * repeat }),
  };
}

/** A file of the folder as JSON; nothing if it is missing or incomplete. */
function readJsonFile(folder: string, name: string): unknown {
  return isStored(folder, name) ? parseJsonOrNothing(readStored(folder, name)) : undefined;
}

function parseJsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Opens a file of the folder, or nothing: the folder may not have it, or may name what is not its own. */
export function openNamed(folder: string, name: string): number | undefined {
  try {
    return openStored(folder, name);
  } catch {
    return undefined;
  }
}
