import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeFileFailure } from '../../files/file-failure.ts';
import { readRegular } from '../../files/regular-file.ts';
import { isStored, readStored } from '../../files/stored-file.ts';
import type { Results, RunEntry } from '../../format/model/results-file.ts';
import { upgradePlan, upgradeResults } from '../../format/model/upgrade-stored.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
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
  return isStored(folder, 'plan.json');
}

/** Reads `plan.json` and `runs.jsonl`; everything else can be made from them. */
export function readResultsFolder(folder: string): ReadFolder {
  if (!hasPlan(folder))
    return {
      ok: false,
      reason: existsSync(folder) ? 'there is no plan.json in it' : 'there is no such folder',
    };
  try {
    const plan = readStoredPlan(upgradeIfMap(JSON.parse(readStored(folder, 'plan.json')), upgradePlan));
    if (plan === undefined) return { ok: false, reason: unreadablePlan };
    const outside = plan.documents.find(({ entry }) => !isStoredSource(entry.source));
    if (outside !== undefined)
      return {
        ok: false,
        reason: `its plan.json stores a document at ${JSON.stringify(outside.entry.source)}`.slice(0, 200),
      };
    const isThere = isStored(folder, 'runs.jsonl');
    const runs = readRuns(isThere ? readStored(folder, 'runs.jsonl') : '');
    if (!runs.ok) return { ok: false, reason: `line ${runs.line} of its runs.jsonl is not a run` };
    const finished =
      readFinishedTime(folder) ?? (isThere ? lstatSync(join(folder, 'runs.jsonl')).mtime.toISOString() : plan.started);
    return { ok: true, stored: { plan, entries: runs.entries, isTorn: runs.isTorn, finished } };
  } catch (thrown) {
    const reason = thrown instanceof SyntaxError ? 'its plan.json is not JSON' : String((thrown as Error).message);
    return { ok: false, reason };
  }
}

/** In version 1 outcomes meant something else, so its runs are not continued or joined with later ones. */
const unreadablePlan =
  'its plan.json is not of version 2 or 3: outcomes meant something else before, so its runs can be reported but not continued or merged';

function readStoredPlan(value: Value): SuitePlan | undefined {
  if (!isValueMap(value) || value.version !== 3) return undefined;
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

/** Traces are named after documents, so a foreign name would lead out of the folder. */
function isStoredSource(source: Value | undefined): boolean {
  return typeof source === 'string' && /^documents\/[A-Za-z0-9._-]{1,200}\.yaml$/.test(source);
}

function readFinishedTime(folder: string): string | undefined {
  const read = isStored(folder, resultsName) ? readResultsText(() => readStored(folder, resultsName)) : undefined;
  return read?.ok && typeof read.results.finished === 'string' ? read.results.finished : undefined;
}

const resultsName = 'results.json';

export type ReadResults =
  | { readonly ok: true; readonly results: Results }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the results of a folder, or of a `results.json`. If the process was killed before it wrote them, they are made
 * again.
 */
export function readResults(path: string): ReadResults {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return existsSync(path) ? readResultsText(() => readRegular(path)) : readFromRuns(path);
  const written = isStored(path, resultsName) ? readResultsText(() => readStored(path, resultsName)) : undefined;
  if (written?.ok) return written;
  const made = readFromRuns(path);
  return made.ok || written === undefined ? made : written;
}

function readFromRuns(folder: string): ReadResults {
  const read = readResultsFolder(folder);
  if (!read.ok) return read;
  const { plan, entries, finished } = read.stored;
  return { ok: true, results: makeResults(plan, entries, { finished }) };
}

function readResultsText(read: () => string): ReadResults {
  const foreign = 'it is not a results.json of this tool';
  let value: Value;
  try {
    value = upgradeIfMap(JSON.parse(read()), upgradeResults);
  } catch (thrown) {
    return {
      ok: false,
      reason: thrown instanceof SyntaxError ? `${foreign}: it is not JSON` : describeFileFailure(thrown),
    };
  }
  const problem = findForeignPart(value);
  if (problem !== undefined) return { ok: false, reason: `${foreign}: ${problem}` };
  return { ok: true, results: value as unknown as Results };
}

function upgradeIfMap(value: Value, upgrade: (map: ValueMap) => ValueMap): Value {
  return isValueMap(value) ? upgrade(value) : value;
}

/** The first part that no results of this tool have. */
function findForeignPart(value: Value): string | undefined {
  if (!isValueMap(value)) return 'it is not an object';
  const { version, runs, statistics } = value;
  if (version !== 1 && version !== 3)
    return `its version is ${JSON.stringify(version) ?? 'missing'}, not 2 or 3`.slice(0, 100);
  if (!Array.isArray(runs)) return 'it has no list of runs';
  const run = runs.findIndex((each: Value) => toRunEntry(each) === undefined);
  if (run >= 0) return `runs[${run}] is not a run`;
  if (!isValueMap(statistics) || !Array.isArray(statistics.attacks)) return 'it has no statistics.attacks';
  for (const [index, attack] of statistics.attacks.entries()) {
    const wrong = Object.entries(attackFields).find(
      ([name, fits]) => !isValueMap(attack) || !fits(attack[name] as Value | undefined),
    );
    if (wrong !== undefined) return `statistics.attacks[${index}].${wrong[0]} is missing or wrong`;
  }
  return undefined;
}

const isText = (value: Value | undefined): boolean => typeof value === 'string';
const isRate = (value: Value | undefined): boolean =>
  isValueMap(value) && typeof value.count === 'number' && typeof value.of === 'number';

/** The fields of the figures of an attack that are read again. */
const attackFields: { readonly [name: string]: (value: Value | undefined) => boolean } = {
  document: isText,
  agent: isText,
  status: isText,
  success: isRate,
  failures: (value) => value === undefined || isRate(value),
  causes: (value) => value === undefined || (Array.isArray(value) && value.every(isText)),
  tiers: (value) => isValueMap(value) && Object.values(value).every(isRate),
};
