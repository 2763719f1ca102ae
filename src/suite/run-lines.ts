import { closeSync, fdatasync, openSync, writeSync } from 'node:fs';
import type { RunEntry } from '../model/results.ts';
import { isValueMap, type Value } from '../model/value.ts';
import type { Redacted } from '../secrets/redactor.ts';
import { ownerOnly } from './trace-file.ts';

// `runs.jsonl`: a line for each run that has finished.

export type ReadRuns =
  | {
      readonly ok: true;
      readonly entries: readonly RunEntry[];
      /** Whether the last line is only the beginning of one: whoever wrote it was killed. */
      readonly isTorn: boolean;
    }
  | { readonly ok: false; readonly line: number };

/** A line counts once it has its end. */
export function readRuns(text: string): ReadRuns {
  const lines = text.split('\n');
  const torn = lines.pop();
  const entries: RunEntry[] = [];
  for (const [index, line] of lines.entries()) {
    const entry = runOf(jsonOf(line));
    if (entry === undefined) return { ok: false, line: index + 1 };
    entries.push(entry);
  }
  return { ok: true, entries, isTorn: torn !== '' };
}

/** A stored run, if that is what it is. */
export function runOf(value: Value | undefined): RunEntry | undefined {
  if (!isValueMap(value)) return undefined;
  const { document, agent, repeat, outcome, verdict } = value;
  const isRun =
    isValueMap(document) &&
    isValueMap(verdict) &&
    typeof agent === 'string' &&
    typeof repeat === 'number' &&
    typeof outcome === 'string' &&
    outcomes.has(outcome) &&
    // Nothing matched in a run that was resisted; who says otherwise has edited one of the two.
    (outcome !== 'resisted' || verdict.result === 'not_exploited');
  return isRun ? (value as unknown as RunEntry) : undefined;
}

const outcomes: ReadonlySet<string> = new Set([
  'exploited',
  'partial',
  'resisted',
  'not_applicable',
  'inconclusive',
  'error',
]);

function jsonOf(text: string): Value | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A line, with its end. */
export function runToLine(entry: RunEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Appends whole lines. What was appended survives the end of this process at once, and that of the machine soon. */
export class RunLines {
  readonly #file: number;
  #syncing: Promise<void> | undefined;
  #isDirty = false;

  constructor(path: string) {
    this.#file = openSync(path, 'a', ownerOnly.file);
  }

  append(entry: Redacted<RunEntry>): void {
    const bytes = Buffer.from(runToLine(entry));
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    this.#isDirty = true;
    this.#syncing ??= this.#sync();
  }

  async close(): Promise<void> {
    await this.#syncing;
    closeSync(this.#file);
  }

  /** Beside the runs that go on, since a disk may take its time; lines that came meanwhile go together. */
  async #sync(): Promise<void> {
    while (this.#isDirty) {
      this.#isDirty = false;
      // A disk that cannot promise more has taken the lines all the same.
      await new Promise<void>((resolve) => fdatasync(this.#file, () => resolve()));
    }
    this.#syncing = undefined;
  }
}
