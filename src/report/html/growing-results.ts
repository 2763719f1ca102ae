import { closeSync, existsSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openRegular } from '../../files/regular-file.ts';
import { isValueMap, type ValueMap } from '../../format/model/value.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { buildIndex, createCatalogue } from './build-index.ts';
import { computeKeepLimits } from './kept-lines.ts';
import type { DocumentPart, MessagesPart, PageIndex, RunPart } from './page-data.ts';
import { parseJsonOrNothing, readJsonFile, readReportPlan } from './read-report-results.ts';
import { readRunPart } from './run-part.ts';

interface ReadRun {
  readonly part: RunPart;
  readonly messages: readonly MessagesPart[];
}

const chunkBytes = 256 * 1024;
const mostKept = 8;
const eachTrace = 8 * 1024 * 1024;

/**
 * Results while they come in. Runs are numbered in the order in which they finished and keep their numbers, so that an
 * open page keeps showing the same run.
 */
export class GrowingResults {
  readonly #folder: string;
  readonly #redactor: Redactor;
  readonly #catalogue: ReturnType<typeof createCatalogue>;
  readonly #plan: ValueMap;
  readonly #runs: ValueMap[] = [];
  readonly #kept = new Map<number, ReadRun>();
  #read = 0;
  #rest: Buffer = Buffer.alloc(0);
  /** The results that are known only at the end. */
  #end: ValueMap | undefined;

  constructor(folder: string, redactor: Redactor) {
    this.#folder = folder;
    this.#redactor = redactor;
    this.#catalogue = createCatalogue(folder, redactor);
    this.#plan = readReportPlan(folder);
  }

  /** Reads new lines. Returns a number that changes when there is more to show. */
  poll(): number {
    const path = join(this.#folder, 'runs.jsonl');
    if (existsSync(path)) this.#readLines(path);
    this.#end ??= this.#readEnd();
    return this.#runs.length + (this.#end === undefined ? 0 : 1);
  }

  index(): PageIndex {
    const results = { ...this.#plan, ...this.#end, runs: this.#runs };
    return buildIndex(results, this.#redactor, this.#catalogue).index;
  }

  document(number: number): DocumentPart | undefined {
    return this.#catalogue.parts[number];
  }

  run(number: number): RunPart | undefined {
    return this.#runOf(number)?.part;
  }

  messages(run: number, part: number): MessagesPart | undefined {
    return this.#runOf(run)?.messages[part];
  }

  #runOf(number: number): ReadRun | undefined {
    const known = this.#kept.get(number);
    const entry = this.#runs[number];
    if (known !== undefined || entry === undefined) return known;
    const messages: MessagesPart[] = [];
    const part = readRunPart(entry, {
      folder: this.#folder,
      redactor: this.#redactor,
      limits: computeKeepLimits(eachTrace),
      messages: (each) => messages.push(each),
    });
    if (this.#kept.size >= mostKept) this.#kept.delete(this.#kept.keys().next().value ?? -1);
    const read = { part, messages };
    this.#kept.set(number, read);
    return read;
  }

  #readLines(path: string): void {
    const descriptor = openRegular(path);
    try {
      for (;;) {
        const chunk = Buffer.allocUnsafe(chunkBytes);
        const length = readSync(descriptor, chunk, 0, chunkBytes, this.#read);
        if (length === 0) return;
        this.#read += length;
        const text = Buffer.concat([this.#rest, chunk.subarray(0, length)]);
        // A line counts only once its line break is written.
        const end = text.lastIndexOf(0x0a) + 1;
        this.#rest = text.subarray(end);
        for (const line of text.subarray(0, end).toString('utf8').split('\n')) {
          const run = line === '' ? undefined : parseJsonOrNothing(line);
          if (isValueMap(run)) this.#runs.push(run);
        }
      }
    } finally {
      closeSync(descriptor);
    }
  }

  #readEnd(): ValueMap | undefined {
    const results = readJsonFile(this.#folder, 'results.json');
    if (!isValueMap(results)) return undefined;
    const { runs: _known, ...end } = results;
    return end;
  }
}
