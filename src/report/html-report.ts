import { beginDraft, writeAll } from '../files/stored-file.ts';
import { selectRedactor } from '../secrets/redactor.ts';
import { buildIndex, createCatalogue } from './html/build-index.ts';
import { computeKeepLimits } from './html/kept-lines.ts';
import { partIds } from './html/page-data.ts';
import { readReportResults, type SettleRuns } from './html/read-report-results.ts';
import { readRunPart } from './html/run-part.ts';
import { createBlocks, encodePart, formatJsonElement, readTemplate } from './html/template.ts';

export interface HtmlReportOptions {
  /** Whether well-known shapes of secrets are shown. Default: they are masked. */
  readonly showSecrets?: boolean | undefined;
  /** Gives runs the outcomes that only the suite can tell, if there is no `results.json` yet. */
  readonly settle?: SettleRuns | undefined;
  /** The limit for all traces together, in characters. Each run gets a share of it. */
  readonly characters?: number | undefined;
}

export type HtmlReport =
  | {
      readonly ok: true;
      readonly runs: number;
      readonly bytes: number;
      /** The number of records that are only in the trace files. */
      readonly leftOut: number;
    }
  | { readonly ok: false; readonly kind: 'unreadable' | 'invalid'; readonly message: string };

const allTraces = 128 * 1024 * 1024;

/**
 * Writes the report page of a results folder. The page is written run by run, so that memory holds one trace at a time,
 * and it appears under its name only when complete. Errors of the file system are thrown as they are.
 */
export function writeHtmlReport(folder: string, file: string, options: HtmlReportOptions = {}): HtmlReport {
  const { showSecrets = false, settle, characters = allTraces } = options;
  const redactor = selectRedactor(showSecrets);
  const read = readReportResults(folder, settle);
  if (!read.ok) return read;
  const { index, documents, runs } = buildIndex(read.results, redactor, createCatalogue(folder, redactor));
  const template = readTemplate();
  const limits = computeKeepLimits(Math.floor(characters / Math.max(1, runs.length)));
  const draft = beginDraft(file);
  const page = createWriter(draft.file);
  let leftOut = 0;
  try {
    page.write(template.beforeIndex);
    page.write(formatJsonElement(partIds.index, index));
    page.write(template.afterIndex);
    const parts = createBlocks(page.write);
    for (const [number, part] of documents.entries())
      if (part !== undefined) parts.add(partIds.document(number), encodePart(part));
    for (const [number, run] of runs.entries()) {
      let count = 0;
      const { trace, ...rest } = readRunPart(run, {
        folder,
        redactor,
        limits,
        messages: (part) => parts.add(partIds.messages(number, count++), encodePart(part)),
      });
      for (const [, records] of trace.gaps) leftOut += records;
      parts.add(partIds.run(number), encodePart({ ...rest, trace }));
    }
    parts.finish();
    page.write(template.end);
    const bytes = page.finish();
    draft.keep();
    return { ok: true, runs: runs.length, bytes, leftOut };
  } catch (thrown) {
    draft.drop();
    throw thrown;
  }
}

const bufferedCharacters = 512 * 1024;

function createWriter(file: number) {
  let pending: string[] = [];
  let [size, bytes] = [0, 0];

  function flush(): void {
    bytes += writeAll(file, pending.join(''));
    pending = [];
    size = 0;
  }

  function write(text: string): void {
    pending.push(text);
    size += text.length;
    if (size >= bufferedCharacters) flush();
  }

  return {
    write,
    finish(): number {
      flush();
      return bytes;
    },
  };
}
