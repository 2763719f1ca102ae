import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from '../document/encode.ts';
import type { Diagnostic } from '../model/errors.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { Value, ValueMap } from '../model/value.ts';
import type { PlayResult } from './play.ts';
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

/**
 * A folder of results: `runs.jsonl` is the truth, a line for each run that has finished, written as it does;
 * `results.json` is made from the same entries at the end.
 */
export class ResultsFolder {
  readonly path: string;
  readonly #tool: Tool;
  readonly #started: string;
  readonly #entries: RunEntry[] = [];
  readonly #names = new Map<string, number>();

  constructor(path: string, tool: Tool, started: string) {
    this.path = path;
    this.#tool = tool;
    this.#started = started;
    for (const folder of ['traces', 'documents'])
      mkdirSync(join(path, folder), { recursive: true, mode: ownerOnly.folder });
    // The folder is the user's only copy of secrets that agents gave away.
    writeFileSync(join(path, 'runs.jsonl'), '', { mode: ownerOnly.file });
  }

  /** Keeps the source as it was run, and gives the name that its files carry. */
  addDocument(document: NormalizedDocument, text: string): string {
    const base =
      (document.attack.id ?? document.attack.name).replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80) ||
      'document';
    const count = (this.#names.get(base) ?? 0) + 1;
    this.#names.set(base, count);
    const name = count === 1 ? base : `${base}-${count}`;
    writeFileSync(join(this.path, 'documents', `${name}.yaml`), text, { mode: ownerOnly.file });
    return name;
  }

  addRun(source: RunSource, result: PlayResult): RunEntry {
    const entry = toEntry(source, result, `${this.#tool.name}/${this.#tool.version}`);
    this.#entries.push(entry);
    appendFileSync(join(this.path, 'runs.jsonl'), `${JSON.stringify(entry)}\n`);
    return entry;
  }

  finish(agents: readonly AgentEntry[], finished: string): void {
    const results = {
      version,
      tool: this.#tool,
      agents,
      started: this.#started,
      finished,
      runs: this.#entries,
      statistics: countOutcomes(this.#entries),
    };
    writeFileSync(join(this.path, 'results.json'), `${JSON.stringify(results, null, 2)}\n`, {
      mode: ownerOnly.file,
    });
  }
}

function toEntry(source: RunSource, result: PlayResult, tool: string): RunEntry {
  const { attack } = source.document;
  const { outcome } = result.outcome;
  const verdict = encode('AttackVerdict', { ...result.verdict, source: tool });
  return {
    document: {
      ...(attack.id !== undefined && { id: attack.id }),
      name: attack.name,
      version: attack.version,
      path: source.path,
      ...(attack.severity !== undefined && { severity: attack.severity.level }),
      tags: attack.classification?.tags ?? [],
    },
    agent: source.agent,
    repeat: source.repeat,
    verdict: { ...verdict, indicator_verdicts: withIds(verdict.indicator_verdicts) },
    outcome,
    ...('reason' in result.outcome && { reason: result.outcome.reason }),
    end: result.end.reason,
    delivery: result.delivery as unknown as Value,
    duration_ms: Math.round(result.durationMs),
    trace: source.trace,
    diagnostics: [...source.warnings, ...result.end.diagnostics] as unknown as Value,
  };
}

/** Readers of other tools look for `id`. */
function withIds(verdicts: Value | undefined): Value {
  return (Array.isArray(verdicts) ? verdicts : []).map((verdict: ValueMap) => ({
    id: verdict.indicator_id ?? null,
    ...verdict,
  }));
}

function countOutcomes(entries: readonly RunEntry[]): ValueMap {
  const counts: Record<string, number> = { exploited: 0, partial: 0, resisted: 0, inconclusive: 0, error: 0 };
  for (const { outcome } of entries) counts[String(outcome)] = (counts[String(outcome)] ?? 0) + 1;
  return { runs: entries.length, outcomes: counts };
}
