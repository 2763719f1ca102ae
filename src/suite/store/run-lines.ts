import { closeSync, fdatasync } from 'node:fs';
import { appendStored, writeAll } from '../../files/stored-file.ts';
import { outcomeNames, type RunEntry } from '../../format/model/results-file.ts';
import { upgradeRun } from '../../format/model/upgrade-stored.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import type { Redacted } from '../../secrets/redactor.ts';

// `runs.jsonl`: a line for each run that has finished.

export type ReadRuns =
  | {
      readonly ok: true;
      readonly entries: readonly RunEntry[];
      /** Whether the last line is incomplete: the process that wrote it was killed. */
      readonly isTorn: boolean;
    }
  | { readonly ok: false; readonly line: number };

/** Reads finished runs. A line counts only with its line feed. */
export function readRuns(text: string): ReadRuns {
  const lines = text.split('\n');
  const torn = lines.pop();
  const entries: RunEntry[] = [];
  for (const [index, line] of lines.entries()) {
    const value = parseRunLine(line);
    const entry = toRunEntry(isValueMap(value) ? upgradeRun(value) : value);
    if (entry === undefined) return { ok: false, line: index + 1 };
    entries.push(entry);
  }
  return { ok: true, entries, isTorn: torn !== '' };
}

/** Takes a value as a stored run, if it is one. */
export function toRunEntry(value: Value | undefined): RunEntry | undefined {
  if (!isValueMap(value)) return undefined;
  const { document, agent, repeat, outcome, verdict, matches } = value;
  const isRun =
    isValueMap(document) &&
    isValueMap(verdict) &&
    typeof agent === 'string' &&
    typeof repeat === 'number' &&
    typeof outcome === 'string' &&
    outcomes.has(outcome) &&
    (matches === undefined || (Array.isArray(matches) && matches.every(isCountedMatch))) &&
    // Nothing matched in a run that was resisted; if the two fields disagree, the line was edited.
    (outcome !== 'resisted' || verdict.result === 'not_exploited');
  return isRun ? (value as unknown as RunEntry) : undefined;
}

function isCountedMatch(value: Value): boolean {
  return isValueMap(value) && typeof value.indicator === 'string';
}

const outcomes: ReadonlySet<string> = new Set(outcomeNames);

function parseRunLine(text: string): Value | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function runToLine(entry: RunEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/**
 * Appends whole lines. An appended line survives the end of this process at once, and a crash of the machine soon
 * after.
 */
export class RunLines {
  readonly #file: number;
  #syncing: Promise<void> | undefined;
  #isDirty = false;

  constructor(folder: string) {
    this.#file = appendStored(folder, 'runs.jsonl');
  }

  append(entry: Redacted<RunEntry>): void {
    writeAll(this.#file, runToLine(entry));
    this.#isDirty = true;
    this.#syncing ??= this.#sync();
  }

  async close(): Promise<void> {
    await this.#syncing;
    closeSync(this.#file);
  }

  /** Syncs while other runs go on, because a disk may be slow; lines that arrive meanwhile are synced together. */
  async #sync(): Promise<void> {
    while (this.#isDirty) {
      this.#isDirty = false;
      // A failed sync is ignored: the lines were written all the same.
      await new Promise<void>((resolve) => fdatasync(this.#file, () => resolve()));
    }
    this.#syncing = undefined;
  }
}
