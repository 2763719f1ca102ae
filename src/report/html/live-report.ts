import { randomBytes } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isStored, openStored } from '../../files/stored-file.ts';
import type { ValueMap } from '../../format/model/value.ts';
import { type Redactor, selectRedactor } from '../../secrets/redactor.ts';
import { buildIndex, createCatalogue } from './build-index.ts';
import { computeKeepLimits } from './kept-lines.ts';
import { type DocumentPart, type MessagesPart, type PageIndex, partIds, type RunPart } from './page-data.ts';
import { parseReportRun, readReportEnd, readReportPlan, type SettleRuns } from './read-report-results.ts';
import { readRunPart } from './run-part.ts';
import { formatJsonElement, readLiveTemplate } from './template.ts';

export interface LiveReport {
  /** The address of the page. It contains a random part, so it cannot be guessed. */
  readonly url: string;
  close(): Promise<void>;
}

export interface LiveReportOptions {
  readonly showSecrets?: boolean | undefined;
  /** Gives runs the outcomes that only the suite can tell. */
  readonly settle?: SettleRuns | undefined;
}

const lookEveryMs = 500;
const plainText = 'text/plain; charset=utf-8';

/** Serves the report of a results folder while a suite fills it. It polls the folder, so the suite need not notify it. */
export async function serveReport(folder: string, options: LiveReportOptions = {}): Promise<LiveReport> {
  const results = new GrowingResults(folder, selectRedactor(options.showSecrets ?? false), options.settle);
  const template = readLiveTemplate();
  const base = `/${randomBytes(16).toString('hex')}/`;
  const listeners = new Set<ServerResponse>();
  let host = '';
  /** The last state that listeners know. */
  let sent = -1;

  const server = createServer((request, response) => {
    const path = readPath(request);
    if (path === undefined) return answerPageRequest(response, 404, plainText, 'not found');
    if (path === 'events') return listen(response);
    results.poll();
    if (path === '') return answerPageRequest(response, 200, 'text/html; charset=utf-8', page());
    const part = partAt(path);
    if (part === undefined) return answerPageRequest(response, 404, plainText, 'not found');
    answerPageRequest(response, 200, 'application/json', JSON.stringify(part));
  });

  /** Only a client that knows the random path, under the expected host name, is served: other web pages must not read it. */
  function readPath({ url = '', method, headers }: IncomingMessage): string | undefined {
    const isOurs = method === 'GET' && headers.host === host && url.startsWith(base);
    return isOurs ? url.slice(base.length) : undefined;
  }

  function page(): string {
    const index = formatJsonElement(partIds.index, results.index(), ' data-live=""');
    return template.beforeIndex + index + template.afterIndex + template.end;
  }

  function partAt(path: string): unknown {
    if (path === partIds.index) return results.index();
    const [, kind, first = '', second] = /^(document|run)-(\d{1,9})(?:-(\d{1,9}))?$/.exec(path) ?? [];
    if (kind === 'document') return results.document(Number(first));
    if (kind !== 'run') return undefined;
    return second === undefined ? results.run(Number(first)) : results.messages(Number(first), Number(second));
  }

  function listen(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': here\n\n');
    listeners.add(response);
    response.once('close', () => listeners.delete(response));
  }

  const timer = setInterval(() => {
    if (listeners.size === 0) return;
    const state = results.poll();
    if (state === sent) return;
    sent = state;
    for (const listener of listeners) listener.write('data: more\n\n');
  }, lookEveryMs);
  timer.unref();

  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', listening);
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}${base}`,
    close() {
      clearInterval(timer);
      for (const listener of listeners) listener.end();
      return new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      });
    },
  };
}

function answerPageRequest(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  response.end(text);
}

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
class GrowingResults {
  readonly #folder: string;
  readonly #redactor: Redactor;
  readonly #catalogue: ReturnType<typeof createCatalogue>;
  readonly #plan: ValueMap;
  /** As their lines say. */
  readonly #lines: ValueMap[] = [];
  /** With the outcomes of the suite. */
  #runs: readonly ValueMap[] = [];
  readonly #settle: SettleRuns;
  readonly #kept = new Map<number, ReadRun>();
  #read = 0;
  #rest: Buffer = Buffer.alloc(0);
  /** The results that are known only at the end. */
  #end: ValueMap | undefined;

  constructor(folder: string, redactor: Redactor, settle: SettleRuns = (runs) => runs) {
    this.#settle = settle;
    this.#folder = folder;
    this.#redactor = redactor;
    this.#catalogue = createCatalogue(folder, redactor);
    this.#plan = readReportPlan(folder);
  }

  /** Reads new lines. Returns a number that changes when there is more to show. */
  poll(): number {
    if (isStored(this.#folder, 'runs.jsonl')) this.#readLines();
    if (this.#lines.length > this.#runs.length) {
      const settled = this.#settle([...this.#lines]);
      for (const run of this.#kept.keys()) if (settled[run] !== this.#runs[run]) this.#kept.delete(run);
      this.#runs = settled;
    }
    this.#end ??= readReportEnd(this.#folder);
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

  #readLines(): void {
    const descriptor = openStored(this.#folder, 'runs.jsonl');
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
          const run = line === '' ? undefined : parseReportRun(line);
          if (run !== undefined) this.#lines.push(run);
        }
      }
    } finally {
      closeSync(descriptor);
    }
  }
}
