import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeFileFailure } from '../../files/file-failure.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { count } from '../../report/count-text.ts';
import { type HtmlReport, writeHtmlReport } from '../../report/html-report.ts';
import { type CommandOutcome, ok } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { complain, type Io } from '../io.ts';
import { findNewestResults, hasResults, resultsFolder, shortenPath } from '../run/results/out-folder.ts';
import { findRunSettler } from '../run/results/settle-runs.ts';

export const runReportCommand: Command<'report'> = async ({ dir, out, open, showSecrets }, io) => {
  const folder = dir === undefined ? findNewestResults(join(io.cwd, resultsFolder)) : resolve(io.cwd, dir);
  if (folder === undefined)
    return complain(io, 'usage', 'report: there are no results below oatf-results/', 'name their folder');
  const shown = escapeInvisible(shortenPath(folder, io.cwd));
  if (!existsSync(folder)) return complain(io, 'unreadable', `${shown}: no such file or folder`);
  if (!statSync(folder).isDirectory() || !hasResults(folder))
    return complain(
      io,
      'unreadable',
      `${shown}: there are no results in it`,
      'a folder of results has results.json or runs.jsonl in it',
    );
  const file = out === undefined ? join(folder, 'report.html') : resolve(io.cwd, out);
  const made = makeReport(folder, file, showSecrets);
  const place = escapeInvisible(shortenPath(file, io.cwd));
  if ('failure' in made) return complain(io, 'unavailable', `${place}: cannot be written: ${made.failure}`);
  if (!made.ok) return complain(io, made.kind, `${shown}: ${made.message}`);
  await io.stdout.write(`${place}\n`);
  if (made.leftOut > 0)
    await io.stderr.write(
      `oatf: hint: ${count(made.leftOut, 'record of a long trace is', 'records of long traces are')} not on the page; it marks the places, and traces/ has all records\n`,
    );
  return open ? openInBrowser(file, io) : ok;
};

function makeReport(folder: string, file: string, showSecrets: boolean): HtmlReport | { readonly failure: string } {
  try {
    return writeHtmlReport(folder, file, { showSecrets, settle: findRunSettler(folder) });
  } catch (thrown) {
    return { failure: describeFileFailure(thrown) };
  }
}

const openers: { readonly [platform: string]: readonly [string, ...string[]] } = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

async function openInBrowser(file: string, io: Io): Promise<CommandOutcome> {
  const [command, ...before] = openers[process.platform] ?? ['xdg-open'];
  const url = pathToFileURL(file).href;
  const failed = await new Promise<boolean>((settled) => {
    const opener = spawn(command, [...before, url], { stdio: 'ignore', detached: true });
    opener.once('error', () => settled(true));
    opener.once('spawn', () => {
      opener.unref();
      settled(false);
    });
  });
  if (failed)
    return complain(io, 'unavailable', `report: the page cannot be opened: ${command} was not found`, `open ${url}`);
  return ok;
}
