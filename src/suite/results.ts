import { readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../model/errors.ts';
import type { Results, RunEntry } from '../model/results.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { makeFolder } from './make-folder.ts';
import { makeResults, type ResultsFacts, resultsToText } from './make-results.ts';
import { type Plan, type PlannedAttack, type Task, traceOf } from './plan.ts';
import type { PlayResult } from './play.ts';
import type { StoredRuns } from './read-results.ts';
import { deliveryEntry, programEntry, usageEntry, verdictEntry } from './run-entry.ts';
import { RunLines, runToLine } from './run-lines.ts';
import { ownerOnly } from './trace-file.ts';
import { writeOwned } from './write-owned.ts';

/** What is known of a run beside how it went. */
export interface RunFacts {
  /** What the document was warned of when it was loaded. */
  readonly warnings?: readonly Diagnostic[];
  readonly started?: string;
  readonly attempts?: number;
}

/** What agents gave away is what was attacked: it is stored as it was, unless a redactor is given. */
const storeAll = createRedactor({ shapes: false });

/** A run that was ended by its user came to no end of its own. */
const unfinished = 'stopped';

/**
 * A folder of results. `plan.json` and `documents/` are there before anything runs; `runs.jsonl` is the truth, a
 * line for each run that has finished, written as it does; `results.json` is made from them at the end. Whenever the
 * process is killed, only the runs that it was in the middle of are lost.
 */
export class ResultsFolder {
  readonly path: string;
  readonly plan: Plan;
  /** Where the trace of a run goes, relative to the folder. */
  readonly trace: (task: Task) => string;
  readonly #redactor: Redactor;
  readonly #entries: RunEntry[];
  readonly #lines: RunLines;

  private constructor(path: string, plan: Plan, entries: readonly RunEntry[], redactor: Redactor) {
    this.path = path;
    this.plan = plan;
    this.trace = traceOf(plan);
    this.#redactor = redactor;
    this.#entries = [...entries];
    this.#lines = new RunLines(join(path, 'runs.jsonl'));
  }

  /** Makes the folder; `texts` are the sources of the plan's documents, in their order. */
  static begin(
    path: string,
    plan: Plan,
    texts: readonly string[],
    redactor: Redactor = storeAll,
  ): ResultsFolder {
    // The folder is the user's only copy of secrets that agents gave away.
    for (const folder of ['traces', 'documents']) makeFolder(join(path, folder), ownerOnly.folder);
    for (const [index, { entry }] of plan.documents.entries())
      writeFileSync(join(path, entry.source), texts[index] ?? '', { mode: ownerOnly.file });
    // Last, so that where there is a plan there is all that it speaks of.
    writeOwned(join(path, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`);
    return new ResultsFolder(path, plan, [], redactor);
  }

  /** Goes on where another process has ended. */
  static reopen(
    path: string,
    { plan, entries, isTorn }: StoredRuns,
    redactor: Redactor = storeAll,
  ): ResultsFolder {
    makeFolder(join(path, 'traces'), ownerOnly.folder);
    const seen = new Set<string>();
    const kept = entries.filter((entry) => {
      const key = `${entry.document.source}\n${entry.agent}\n${entry.repeat}`;
      if (entry.end === unfinished || seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    if (isTorn || kept.length < entries.length)
      writeOwned(join(path, 'runs.jsonl'), kept.map(runToLine).join(''));
    return new ResultsFolder(path, plan, kept, redactor);
  }

  /** The runs that have finished, in the order in which they did. */
  get entries(): readonly RunEntry[] {
    return this.#entries;
  }

  /** The runs of an attack that have finished. */
  runsOf({ document, agent }: PlannedAttack): readonly RunEntry[] {
    return this.#entries.filter(
      (entry) => entry.agent === agent.name && entry.document.source === document.entry.source,
    );
  }

  addRun(task: Task, result: PlayResult, facts: RunFacts = {}): RunEntry {
    const { name, version } = this.plan.tool;
    const entry = this.#redactor.entry(toEntry(task, result, facts, this.trace(task), `${name}/${version}`));
    this.#entries.push(entry);
    this.#lines.append(entry);
    return entry;
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

function toEntry(
  { attack, repeat }: Task,
  result: PlayResult,
  facts: RunFacts,
  trace: string,
  tool: string,
): RunEntry {
  const { warnings = [], started, attempts = 1 } = facts;
  const { outcome } = result.outcome;
  return {
    document: attack.document.entry,
    agent: attack.agent.name,
    repeat,
    ...(attempts > 1 && { attempts }),
    verdict: verdictEntry(result.verdict, tool),
    outcome,
    ...('reason' in result.outcome && { reason: result.outcome.reason }),
    end: result.end.reason,
    delivery: deliveryEntry(result.delivery),
    ...(started !== undefined && { started }),
    duration_ms: Math.round(result.durationMs),
    ...(result.usage !== undefined && { usage: usageEntry(result.usage) }),
    ...(result.program !== undefined && { program: programEntry(result.program) }),
    trace,
    diagnostics: [...warnings, ...result.end.diagnostics],
  };
}
