import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../../files/regular-file.ts';
import type { Results, RunEntry } from '../../format/model/results-file.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import type { SuitePlan } from '../plan/plan.ts';
import { makeResults } from './make-results.ts';
import { readRuns, toRunEntry } from './run-lines.ts';

/** The contents of a folder of results, finished or not. */
export interface StoredRuns {
  readonly plan: SuitePlan;
  readonly entries: readonly RunEntry[];
  readonly isTorn: boolean;
  /** When the last run ended, if known. */
  readonly finished: string;
}

export type ReadFolder =
  | { readonly ok: true; readonly stored: StoredRuns }
  | { readonly ok: false; readonly reason: string };

export function hasPlan(folder: string): boolean {
  return existsSync(join(folder, 'plan.json'));
}

/** Reads `plan.json` and `runs.jsonl`; everything else can be made from them. */
export function readResultsFolder(folder: string): ReadFolder {
  if (!hasPlan(folder))
    return {
      ok: false,
      reason: existsSync(folder) ? 'there is no plan.json in it' : 'there is no such folder',
    };
  try {
    const plan = readStoredPlan(JSON.parse(readRegular(join(folder, 'plan.json'))));
    if (plan === undefined) return { ok: false, reason: unreadablePlan };
    const path = join(folder, 'runs.jsonl');
    const isThere = existsSync(path);
    const runs = readRuns(isThere ? readRegular(path) : '');
    if (!runs.ok) return { ok: false, reason: `line ${runs.line} of its runs.jsonl is not a run` };
    const finished = readFinishedTime(folder) ?? (isThere ? statSync(path).mtime.toISOString() : plan.started);
    return { ok: true, stored: { plan, entries: runs.entries, isTorn: runs.isTorn, finished } };
  } catch (thrown) {
    const reason = thrown instanceof SyntaxError ? 'its plan.json is not JSON' : String((thrown as Error).message);
    return { ok: false, reason };
  }
}

/** Outcomes of the two versions mean different things, so runs of one are not continued or joined in the other. */
const unreadablePlan =
  'its plan.json is not of version 2: outcomes meant something else before, so its runs can be reported but not continued or merged';

function readStoredPlan(value: Value): SuitePlan | undefined {
  if (!isValueMap(value) || value.version !== 2) return undefined;
  const { tool, documents, agents, repeat, settings } = value;
  const isPlan =
    isValueMap(tool) &&
    isValueMap(settings) &&
    typeof repeat === 'number' &&
    Array.isArray(agents) &&
    agents.every((agent) => isValueMap(agent) && typeof agent.name === 'string') &&
    Array.isArray(documents) &&
    documents.every((each) => isValueMap(each) && typeof each.key === 'string' && isValueMap(each.entry));
  return isPlan ? (value as unknown as SuitePlan) : undefined;
}

function readFinishedTime(folder: string): string | undefined {
  const results = readResultsFile(join(folder, 'results.json'));
  return typeof results?.finished === 'string' ? results.finished : undefined;
}

function readResultsFile(path: string): Results | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const value: Value = JSON.parse(readRegular(path));
    const isOurs =
      isValueMap(value) &&
      (value.version === 1 || value.version === 2) &&
      Array.isArray(value.runs) &&
      value.runs.every((run: Value) => toRunEntry(run) !== undefined) &&
      isValueMap(value.statistics) &&
      Array.isArray(value.statistics.attacks);
    return isOurs ? (value as unknown as Results) : undefined;
  } catch {
    return undefined;
  }
}

export type ReadResults =
  | { readonly ok: true; readonly results: Results }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the results of a folder, or of a `results.json`. If the process was killed before it wrote them, they are made
 * again.
 */
export function readResults(path: string): ReadResults {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const written = readResultsFile(isFolder ? join(path, 'results.json') : path);
  if (written !== undefined) return { ok: true, results: written };
  if (!isFolder && existsSync(path)) return { ok: false, reason: 'it is not a results.json of this tool' };
  const read = readResultsFolder(path);
  if (!read.ok) return read;
  const { plan, entries, finished } = read.stored;
  return { ok: true, results: makeResults(plan, entries, { finished }) };
}
