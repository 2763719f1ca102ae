import { closeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createStored, ownerOnly, writeAll } from '../../files/stored-file.ts';
import { stringifyJson } from '../../format/model/json-text-values.ts';
import type { TraceRecord } from '../../format/model/trace-record.ts';
import type { Value } from '../../format/model/value.ts';
import { formatCompactJson } from '../../format/primitives/compact-json.ts';
import type { Redacted } from '../../secrets/redactor.ts';
import { makeFolder } from './make-folder.ts';

const bufferedCharacters = 16 * 1024;
const flushEveryMs = 50;

/**
 * Appends records to a file as they happen. They are gathered for a moment and written together. No record is kept, so
 * a long run does not grow in memory, and a slow disk slows the run instead of filling the memory.
 */
export class TraceFile {
  readonly #place: string | (() => string | undefined);
  #file: number | undefined;
  #pending = '';
  #hasFailed = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * `failed` is called when the disk is full or missing; from then on nothing is written. Records wait while there is
   * no path for them; `close` drops them if there never was one.
   */
  constructor(
    place: string | (() => string | undefined),
    readonly failed: (message: string) => void,
  ) {
    this.#place = place;
    this.#open();
  }

  /** Returns the size of the line in characters. It is smaller than the size in bytes, but near enough for a limit. */
  write(record: Redacted<TraceRecord>): number {
    const line = `${formatTraceLine(record)}\n`;
    this.#pending += line;
    if (this.#pending.length >= bufferedCharacters) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), flushEveryMs);
    return line.length;
  }

  close(): void {
    this.flush();
    if (this.#file !== undefined) closeSync(this.#file);
  }

  /** Opens the file, once its path is known. */
  #open(): number | undefined {
    if (this.#file !== undefined) return this.#file;
    const path = typeof this.#place === 'string' ? this.#place : this.#place();
    if (path === undefined) return undefined;
    makeFolder(dirname(path), ownerOnly.folder);
    this.#file = createStored(dirname(path), basename(path));
    return this.#file;
  }

  /** Writes what was gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending === '') return;
    try {
      const file = this.#hasFailed ? undefined : this.#open();
      if (file === undefined && !this.#hasFailed) return;
      const text = this.#pending;
      this.#pending = '';
      if (file !== undefined) writeAll(file, text);
    } catch (thrown) {
      this.#hasFailed = true;
      this.#pending = '';
      this.failed(`the trace cannot be written: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
}

/** The platform's own writer is the fastest, but overflows on a message nested thousands of levels deep. */
function formatTraceLine(record: TraceRecord): string {
  try {
    return stringifyJson(record);
  } catch {
    return formatCompactJson(record as unknown as Value, 'own');
  }
}
