import { existsSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results, RunEntry } from '../model/results.ts';
import type { Redacted } from '../secrets/redactor.ts';
import { makeFolder } from './make-folder.ts';
import { makeResults, type ResultsFacts, resultsToText } from './make-results.ts';
import { type Plan, type PlannedAttack, type Task, traceOf } from './plan.ts';
import type { StoredRuns } from './read-results.ts';
import { RunLines, runToLine } from './run-lines.ts';
import { type OpenSink, type RunSink, runsOf } from './sink.ts';
import { ownerOnly } from './trace-file.ts';
import { writeOwned } from './write-owned.ts';

/** A run that was ended by its user came to no end of its own. What the agent had done by then, it has done. */
function isOpen({ end, outcome }: RunEntry): boolean {
  return end === 'stopped' && outcome !== 'exploited' && outcome !== 'partial';
}

/**
 * A folder of results. `plan.json` and `documents/` are there before anything runs; `runs.jsonl` is the truth, a
 * line for each run that has finished, written as it does; `results.json` is made from them at the end. Whenever the
 * process is killed, only the runs that it was in the middle of are lost.
 */
export class ResultsFolder implements RunSink {
  readonly path: string;
  readonly plan: Plan;
  readonly #trace: (task: Task) => string;
  readonly #entries: RunEntry[];
  readonly #lines: RunLines;

  private constructor(path: string, plan: Plan, entries: readonly RunEntry[]) {
    this.path = path;
    this.plan = plan;
    this.#trace = traceOf(plan);
    this.#entries = [...entries];
    this.#lines = new RunLines(join(path, 'runs.jsonl'));
  }

  /** Makes the folder; `texts` are the sources of the plan's documents, in their order. */
  static begin(path: string, plan: Plan, texts: readonly string[]): ResultsFolder {
    const folders = ['traces', 'documents'].map((part) => join(path, part));
    const made = folders.filter((folder) => !existsSync(folder));
    // The folder is the user's only copy of secrets that agents gave away.
    for (const folder of folders) makeFolder(folder, ownerOnly.folder);
    try {
      for (const [index, { entry }] of plan.documents.entries())
        writeFileSync(join(path, entry.source), texts[index] ?? '', { mode: ownerOnly.file });
      // Last, so that where there is a plan there is all that it speaks of.
      writeOwned(join(path, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`);
    } catch (thrown) {
      // Half of it on a full disk is of no use, and takes room. What was there before is not ours.
      for (const folder of made) rmSync(folder, { recursive: true, force: true });
      throw thrown;
    }
    return new ResultsFolder(path, plan, []);
  }

  /** Goes on where another process has ended. */
  static reopen(path: string, { plan, entries, isTorn }: StoredRuns): ResultsFolder {
    makeFolder(join(path, 'traces'), ownerOnly.folder);
    const seen = new Set<string>();
    const kept = entries.filter((entry) => {
      const key = `${entry.document.source}\n${entry.agent}\n${entry.repeat}`;
      // Nothing was said to an agent that was not there; it may be by now.
      if (isOpen(entry) || entry.not_there || seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    if (isTorn || kept.length < entries.length)
      writeOwned(join(path, 'runs.jsonl'), kept.map(runToLine).join(''));
    return new ResultsFolder(path, plan, kept);
  }

  /** The runs that have finished, in the order in which they did. */
  get entries(): readonly RunEntry[] {
    return this.#entries;
  }

  runsOf(attack: PlannedAttack): readonly RunEntry[] {
    return runsOf(this.#entries, attack);
  }

  traceFile(task: Task): string {
    return join(this.path, this.#trace(task));
  }

  add(entry: Redacted<RunEntry>): void {
    this.#entries.push(entry);
    this.#lines.append(entry);
  }

  /** Writes `results.json`, and gives what is in it. */
  async finish(facts: ResultsFacts): Promise<Results> {
    await this.#lines.close();
    const results = makeResults(this.plan, this.#entries, facts);
    writeOwned(join(this.path, 'results.json'), resultsToText(results));
    return results;
  }

  /** Takes the folder away again, where nothing has finished that it could hold. */
  async discard(): Promise<void> {
    await this.#lines.close();
    if (this.#entries.length > 0) return;
    for (const part of ['traces', 'documents', 'runs.jsonl', 'plan.json'])
      rmSync(join(this.path, part), { recursive: true, force: true });
    if (readdirSync(this.path).length === 0) rmdirSync(this.path);
  }
}

/** Runs are stored in a folder that has no results yet. */
export function inFolder(path: string): OpenSink {
  return (plan, texts) => ResultsFolder.begin(path, plan, texts);
}
