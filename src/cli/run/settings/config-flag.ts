import { resolve } from 'node:path';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { formatPath } from '../../../format/model/path.ts';
import { selectRedactor } from '../../../secrets/redactor.ts';
import { findConfig } from '../../../suite/config/find-config.ts';
import type { FailedConfig, LoadedConfig } from '../../../suite/config/load-config.ts';
import type { LocatedProblem } from '../../../suite/config/read-yaml-config.ts';
import type { CommandOutcome } from '../../command-outcome.ts';
import { complain, type Io, type Sink } from '../../io.ts';
import { formatCodeFrame } from '../../terminal/code-frame.ts';
import { shortenFilePath } from '../results/out-folder.ts';

/**
 * Reads the file that `--config` or OATF_CONFIG names, or the one that is found; nothing if there is none or none is
 * wanted.
 */
export async function readConfig(
  typed: string | false | undefined,
  io: Pick<Io, 'environment' | 'cwd' | 'hostCode' | 'endWhenDone'>,
): Promise<LoadedConfig | FailedConfig | undefined> {
  if (typed === false) return undefined;
  const named = typed ?? readConfigVariable(io);
  // The reader of configurations is loaded only if there is one.
  if (named === undefined && findConfig(io.cwd).kind === 'none') return undefined;
  const { findAndLoadConfig, loadConfig } = await import('../../../suite/config/load-config.ts');
  const read = await (named === undefined
    ? findAndLoadConfig(io.cwd, io.hostCode)
    : loadConfig(resolve(io.cwd, named), io.hostCode));
  if (read?.isCode) io.endWhenDone();
  return read;
}

function readConfigVariable({ environment }: Pick<Io, 'environment'>): string | undefined {
  return environment.OATF_CONFIG || undefined;
}

/** The same for a command that needs a valid file. */
export async function readConfigFlag(
  typed: string | false | undefined,
  io: Io,
): Promise<LoadedConfig | CommandOutcome | undefined> {
  const read = await readConfig(typed, io);
  if (read === undefined || read.ok) return read;
  const isNamed = typed !== undefined || readConfigVariable(io) !== undefined;
  const by = isNamed && read.reason === 'unreadable' ? (typed ? '--config ' : 'OATF_CONFIG=') : '';
  return complainAboutConfig(read, by, io);
}

async function complainAboutConfig(failed: FailedConfig, by: string, io: Io): Promise<CommandOutcome> {
  const { reason, path, problems } = failed;
  const file = `${by}${escapeInvisible(shortenFilePath(path, io.cwd))}`;
  const [first] = problems;
  const isWhole = problems.length === 1 && first?.path.length === 0 && first.range === undefined;
  if (!isWhole)
    for (const problem of problems)
      await io.stderr.write(`${describeConfigProblem(file, problem, failed.text ?? '', io.stderr)}\n`);
  return isWhole
    ? complain(io, reason, `${file}: ${selectRedactor(false).text(first.message)}`, first.hint && first.hint)
    : complain(io, reason, `${file}: the configuration is not valid`);
}

/** One problem: `file:line:column` if there is a text, the lines around it, and a hint. */
export function describeConfigProblem(
  file: string,
  { path, message, hint, range }: LocatedProblem,
  text: string,
  { colours, columns }: Pick<Sink, 'colours' | 'columns'>,
): string {
  const place = range === undefined ? `${file}:` : `${file}:${range.start.line}:${range.start.column}:`;
  const where = path.length === 0 ? '' : `${formatPath(path)}: `;
  const frame = range === undefined ? '' : formatConfigFrame(text, range, columns, colours);
  const help = hint === undefined ? '' : `  ${colours.cyan('hint:')} ${escapeInvisible(hint)}\n`;
  return `${colours.bold(place)} ${colours.red('error:')} ${escapeInvisible(`${where}${message}`)}\n${frame}${help}`;
}

/** The file may hold a secret. A line with one is not shown. */
function formatConfigFrame(
  text: string,
  ...rest: [Parameters<typeof formatCodeFrame>[1], number, Sink['colours']]
): string {
  const lines = selectRedactor(false).configLines(text);
  const at = rest[0].start.line - 1;
  return lines[at] === text.split('\n')[at] ? formatCodeFrame(lines, ...rest) : '';
}
