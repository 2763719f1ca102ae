import { appendFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeFileFailure } from '../../../files/file-failure.ts';
import { ownerOnly } from '../../../files/stored-file.ts';
import type { Results, RunEntry } from '../../../format/model/results-file.ts';
import type { ReportContext } from '../../../report/reporter.ts';
import { makeFolder } from '../../../suite/play/make-folder.ts';
import type { CommandOutcome } from '../../command-outcome.ts';
import { complain, type Io, type Sink } from '../../io.ts';
import { createReportContext } from './report-context.ts';
import type { WantedReport } from './reporter-flag.ts';

export interface Reports {
  /** Whether a report goes to standard output. */
  readonly takeOutput: boolean;
  /** Reports each run as it ends, for reporters that write a line per run. */
  run(entry: RunEntry): Promise<void>;
  /** Writes all other reports once there are results. Returns how the command fails if a report cannot be written. */
  end(results: Results, folder: string, screen: Sink): Promise<CommandOutcome | undefined>;
  /** Writes the page that every results folder has. */
  page(folder: string): Promise<CommandOutcome | undefined>;
}

export function createReports(wanted: readonly WantedReport[], showSecrets: boolean, io: Io): Reports {
  const lines = wanted.filter(({ kind }) => kind === 'lines');
  const begun = new Set<string>();
  const unwritable = new Map<string, unknown>();
  let isStreamed = false;

  function append(file: string, line: string): void {
    if (unwritable.has(file)) return;
    try {
      // The file of an earlier call is replaced.
      if (begun.has(file)) appendFileSync(file, line);
      else writeNew(file, line);
      begun.add(file);
    } catch (thrown) {
      // The error is reported at the end: a failing report must not stop the remaining runs.
      unwritable.set(file, thrown);
    }
  }

  return {
    takeOutput: wanted.some(({ file, kind }) => file === undefined && kind !== 'page'),
    async run(entry) {
      const line = `${JSON.stringify(entry)}\n`;
      for (const { file } of lines) {
        if (file === undefined) await io.stdout.write(line);
        else append(file, line);
      }
      isStreamed = true;
    },
    async end(results, folder, screen) {
      const context = createReportContext(folder, showSecrets);
      let failure: CommandOutcome | undefined;
      for (const each of wanted) {
        // In a file, the lines are rewritten in order, together with those of earlier calls.
        if (each.kind === 'lines' && each.file === undefined && isStreamed) continue;
        const failed = await attemptWrite(each.file ?? each.name, io, () =>
          writeReport(each, results, folder, context, io),
        );
        failure ??= failed;
      }
      const unannounced = await attemptWrite('GITHUB_STEP_SUMMARY', io, () =>
        announceToGithub(results, context, screen, io),
      );
      return failure ?? unannounced;
    },
    page: (folder) => attemptWrite(pageName, io, () => writePage(folder, join(folder, pageName), showSecrets)),
  };
}

async function writeReport(
  { name, kind, file, report }: WantedReport,
  results: Results,
  folder: string,
  context: ReportContext,
  io: Io,
): Promise<void> {
  if (kind === 'page') {
    // The folder always has a page of its own.
    if (file !== undefined) await writePage(folder, file, context.showSecrets);
    return;
  }
  const text: unknown = await report(results, context);
  if (typeof text !== 'string') throw new Error('its reporter gave no text');
  if (file === undefined) await io.stdout.write(text, name === 'github' ? 'exact' : undefined);
  else writeNew(file, text);
}

const pageName = 'report.html';

async function writePage(folder: string, file: string, showSecrets: boolean): Promise<void> {
  const { writeHtmlReport } = await import('../../../report/html-report.ts');
  const written = writeHtmlReport(folder, file, { showSecrets });
  if (!written.ok) throw new Error(written.message);
}

/** Reports quote agents, so only their owner may read them. A file that already exists keeps its mode. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: ownerOnly.file });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
    makeFolder(dirname(file));
    writeFileSync(file, text, { mode: ownerOnly.file });
  }
}

/** On GitHub Actions, a summary and annotations are written by default. */
async function announceToGithub(results: Results, context: ReportContext, screen: Sink, io: Io): Promise<void> {
  const { GITHUB_ACTIONS: actions, GITHUB_STEP_SUMMARY: summary } = io.environment;
  if (actions !== 'true') return;
  const { writeGithubReport } = await import('../../../report/github-report.ts');
  const { summaryLimit, writeMarkdown } = await import('../../../report/markdown-report.ts');
  if (summary !== undefined && summary !== '') appendFileSync(summary, writeMarkdown(results, context, summaryLimit));
  await screen.write(writeGithubReport(results, context), 'exact');
}

async function attemptWrite(what: string, io: Io, write: () => Promise<void>): Promise<CommandOutcome | undefined> {
  try {
    await write();
    return undefined;
  } catch (thrown) {
    const reason =
      thrown instanceof Error ? ('code' in thrown ? describeFileFailure(thrown) : thrown.message) : String(thrown);
    return complain(io, 'unavailable', `the report ${what} cannot be written: ${reason}`);
  }
}
