import { closeSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createStored, isStored, makeStoredFolder, ownerOnly, replaceFile, writeAll } from '../../files/stored-file.ts';
import { isSuccess, type Results, type RunEntry } from '../../format/model/results-file.ts';
import type { Redacted } from '../../secrets/redactor.ts';
import { createTraceNamer, type PlannedAttack, type PlannedRun, type SuitePlan } from '../plan/plan.ts';
import { makeFolder } from '../play/make-folder.ts';
import { makeResults, type ResultsFacts, writePlanText, writeResultsText } from './make-results.ts';
import type { StoredRuns } from './read-results.ts';
import { RunLines, runToLine } from './run-lines.ts';
import { type OpenSuiteSink, type SuiteSink, selectRunsOfAttack } from './run-sink.ts';

/** A run that its user stopped has no result of its own, unless the attack had succeeded by then. */
function isOpen(run: RunEntry): boolean {
  return run.end === 'stopped' && !isSuccess(run);
}

/**
 * A folder of results. `plan.json` and `documents/` are written before anything runs. `runs.jsonl` is the source of
 * truth: each run adds a line when it finishes. `results.json` is made from them at the end. If the process is killed,
 * only the runs in progress are lost.
 */
export class ResultsFolder implements SuiteSink {
  readonly path: string;
  readonly plan: SuitePlan;
  readonly #trace: (task: PlannedRun) => string;
  readonly #entries: RunEntry[];
  readonly #lines: RunLines;

  private constructor(path: string, plan: SuitePlan, entries: readonly RunEntry[]) {
    this.path = path;
    this.plan = plan;
    this.#trace = createTraceNamer(plan);
    this.#entries = [...entries];
    this.#lines = new RunLines(path);
  }

  /** Makes the folder; `texts` are the sources of the plan's documents, in their order. */
  static begin(path: string, plan: SuitePlan, texts: readonly string[]): ResultsFolder {
    const parts = ['traces', 'documents'];
    const made = parts.filter((part) => !isStored(path, part));
    makeFolder(path, ownerOnly.folder);
    for (const part of parts) makeStoredFolder(path, part);
    try {
      for (const [index, { entry }] of plan.documents.entries()) {
        const file = createStored(path, entry.source);
        writeAll(file, texts[index] ?? '');
        closeSync(file);
      }
      // The plan is written last, so that a folder with a plan has everything that the plan names.
      replaceFile(join(path, 'plan.json'), writePlanText(plan));
    } catch (thrown) {
      // On a full disk, half a folder is of no use and takes room. Folders that existed before are kept.
      for (const part of made) rmSync(join(path, part), { recursive: true, force: true });
      throw thrown;
    }
    return new ResultsFolder(path, plan, []);
  }

  /** Continues a folder that another process began. */
  static reopen(path: string, { plan, entries }: StoredRuns): ResultsFolder {
    makeStoredFolder(path, 'traces');
    const seen = new Set<string>();
    const kept = entries.filter((entry) => {
      const key = `${entry.document.source}\n${entry.agent}\n${entry.repeat}`;
      // An absent agent has received nothing, and may be reachable by now, so its runs are repeated.
      if (isOpen(entry) || entry.unreachable || seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    // A new file, because the old one may be another name of a file elsewhere, or end in the middle of a line.
    replaceFile(join(path, 'runs.jsonl'), kept.map(runToLine).join(''));
    // The runs are of the version that the plan names.
    replaceFile(join(path, 'plan.json'), writePlanText(plan));
    return new ResultsFolder(path, plan, kept);
  }

  /** The finished runs, in the order in which they finished. */
  get entries(): readonly RunEntry[] {
    return this.#entries;
  }

  runsOf(attack: PlannedAttack): readonly RunEntry[] {
    return selectRunsOfAttack(this.#entries, attack);
  }

  traceFile(task: PlannedRun): string {
    return join(this.path, this.#trace(task));
  }

  add(entry: Redacted<RunEntry>): void {
    this.#entries.push(entry);
    this.#lines.append(entry);
  }

  /** Writes `results.json` and returns its contents. */
  async finish(facts: ResultsFacts): Promise<Results> {
    await this.#lines.close();
    const results = makeResults(this.plan, this.#entries, facts);
    replaceFile(join(this.path, 'results.json'), writeResultsText(results));
    return results;
  }

  /** Deletes the folder again if no run has finished. */
  async discard(): Promise<void> {
    await this.#lines.close();
    if (this.#entries.length > 0) return;
    for (const part of ['traces', 'documents', 'runs.jsonl', 'plan.json'])
      rmSync(join(this.path, part), { recursive: true, force: true });
    if (readdirSync(this.path).length === 0) rmdirSync(this.path);
  }
}

/** Stores runs in a folder that has no results yet. */
export function createFolderSink(path: string): OpenSuiteSink {
  return (plan, texts) => ResultsFolder.begin(path, plan, texts);
}
