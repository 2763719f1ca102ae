import { appendFileSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../model/errors.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { Value, ValueMap } from '../model/value.ts';
import type { PlayResult } from './play.ts';
import { deliveryEntry, documentEntry, verdictEntry } from './run-entry.ts';
import { ownerOnly } from './trace-file.ts';

/** Something that was attacked. */
export interface AgentEntry {
  readonly name: string;
  readonly kind: string;
}

export interface Tool {
  readonly name: string;
  readonly version: string;
}

/** One line of `runs.jsonl`, and one item of `results.json`. */
export type RunEntry = ValueMap;

export interface RunSource {
  readonly document: NormalizedDocument;
  readonly path: string;
  readonly warnings: readonly Diagnostic[];
  readonly agent: string;
  readonly repeat: number;
  /** The trace, relative to the results folder. */
  readonly trace: string;
}

const version = 1;
const subfolders = ['traces', 'documents'] as const;

/**
 * A folder of results: `runs.jsonl` is the truth, a line for each run that has finished, written as it does;
 * `results.json` is made from the same entries at the end.
 */
export class ResultsFolder {
  readonly path: string;
  readonly #tool: Tool;
  readonly #started: string;
  readonly #redact: (entry: RunEntry) => RunEntry;
  readonly #entries: RunEntry[] = [];
  readonly #names = new Set<string>();

  /** `redact` takes out of an entry what shall not be kept; by default nothing. */
  constructor(
    path: string,
    tool: Tool,
    started: string,
    redact: (entry: RunEntry) => RunEntry = (entry) => entry,
  ) {
    this.path = path;
    this.#tool = tool;
    this.#started = started;
    this.#redact = redact;
    for (const folder of subfolders)
      mkdirSync(join(path, folder), { recursive: true, mode: ownerOnly.folder });
    // The folder is the user's only copy of secrets that agents gave away.
    writeFileSync(join(path, 'runs.jsonl'), '', { mode: ownerOnly.file });
  }

  /** Keeps the source as it was run, and gives the name that its files carry. */
  addDocument(document: NormalizedDocument, text: string): string {
    const base =
      (document.attack.id ?? document.attack.name).replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80) ||
      'document';
    let name = base;
    // Names that differ in case alone are the same file to some systems.
    for (let count = 2; this.#names.has(name.toLowerCase()); count++) name = `${base}-${count}`;
    this.#names.add(name.toLowerCase());
    writeFileSync(join(this.path, 'documents', `${name}.yaml`), text, { mode: ownerOnly.file });
    return name;
  }

  addRun(source: RunSource, result: PlayResult): RunEntry {
    const entry = this.#redact(toEntry(source, result, `${this.#tool.name}/${this.#tool.version}`));
    this.#entries.push(entry);
    appendFileSync(join(this.path, 'runs.jsonl'), `${JSON.stringify(entry)}\n`);
    return entry;
  }

  /** Writes `results.json`, and gives its text. */
  finish(agents: readonly AgentEntry[], finished: string): string {
    const results = {
      version,
      tool: this.#tool,
      agents,
      started: this.#started,
      finished,
      runs: this.#entries,
      statistics: countOutcomes(this.#entries),
    };
    const text = `${JSON.stringify(results, null, 2)}\n`;
    writeFileSync(join(this.path, 'results.json'), text, { mode: ownerOnly.file });
    return text;
  }

  /** Takes the folder away again, where nothing has finished that it could hold. */
  discard(): void {
    if (this.#entries.length > 0) return;
    for (const part of [...subfolders, 'runs.jsonl'])
      rmSync(join(this.path, part), { recursive: true, force: true });
    if (readdirSync(this.path).length === 0) rmdirSync(this.path);
  }
}

function toEntry(source: RunSource, result: PlayResult, tool: string): RunEntry {
  const { outcome } = result.outcome;
  return {
    document: documentEntry(source.document, source.path),
    agent: source.agent,
    repeat: source.repeat,
    verdict: verdictEntry(result.verdict, tool),
    outcome,
    ...('reason' in result.outcome && { reason: result.outcome.reason }),
    end: result.end.reason,
    delivery: deliveryEntry(result.delivery),
    duration_ms: Math.round(result.durationMs),
    trace: source.trace,
    diagnostics: [...source.warnings, ...result.end.diagnostics] as unknown as Value,
  };
}

function countOutcomes(entries: readonly RunEntry[]): ValueMap {
  const counts: Record<string, number> = { exploited: 0, partial: 0, resisted: 0, inconclusive: 0, error: 0 };
  for (const { outcome } of entries) counts[String(outcome)] = (counts[String(outcome)] ?? 0) + 1;
  return { runs: entries.length, outcomes: counts };
}
