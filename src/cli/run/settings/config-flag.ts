import { resolve } from 'node:path';
import { findConfig } from '../../../config/find-config.ts';
import type { FailedConfig, LoadedConfig } from '../../../config/load-config.ts';
import type { LocatedProblem } from '../../../config/read-yaml-config.ts';
import { formatPath } from '../../../model/path.ts';
import { visible } from '../../../report/visible.ts';
import { redactorFor } from '../../../secrets/redactor.ts';
import { complain, type Io, type Sink } from '../../io.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { codeFrame } from '../../terminal/code-frame.ts';
import { shownFile } from '../results/out-folder.ts';

/**
 * Reads the file that `--config` or OATF_CONFIG names, or the one that is found; nothing if there is none or none is
 * wanted.
 */
export async function readConfig(
  typed: string | false | undefined,
  io: Pick<Io, 'environment' | 'cwd' | 'hostCode'>,
): Promise<LoadedConfig | FailedConfig | undefined> {
  if (typed === false) return undefined;
  const named = typed ?? variableIn(io);
  // The reader of configurations is loaded only if there is one.
  if (named === undefined && findConfig(io.cwd).kind === 'none') return undefined;
  const { findAndLoadConfig, loadConfig } = await import('../../../config/load-config.ts');
  return named === undefined
    ? findAndLoadConfig(io.cwd, io.hostCode)
    : loadConfig(resolve(io.cwd, named), io.hostCode);
}

function variableIn({ environment }: Pick<Io, 'environment'>): string | undefined {
  return environment.OATF_CONFIG || undefined;
}

/** The same for a command that needs a valid file. */
export async function readConfigFlag(
  typed: string | false | undefined,
  io: Io,
): Promise<LoadedConfig | CommandOutcome | undefined> {
  const read = await readConfig(typed, io);
  if (read === undefined || read.ok) return read;
  const isNamed = typed !== undefined || variableIn(io) !== undefined;
  const by = isNamed && read.reason === 'unreadable' ? (typed ? '--config ' : 'OATF_CONFIG=') : '';
  return complainOfConfig(read, by, io);
}

async function complainOfConfig(failed: FailedConfig, by: string, io: Io): Promise<CommandOutcome> {
  const { reason, path, problems, isCode } = failed;
  const file = `${by}${visible(shownFile(path, io.cwd))}`;
  const [first] = problems;
  const isWhole = problems.length === 1 && first?.path.length === 0 && first.range === undefined;
  if (!isWhole)
    for (const problem of problems)
      await io.stderr.write(`${describeConfigProblem(file, problem, failed.text ?? '', io.stderr)}\n`);
  const outcome = isWhole
    ? await complain(
        io,
        reason,
        `${file}: ${visible(redactorFor(false).text(first.message))}`,
        first.hint && visible(first.hint),
      )
    : await complain(io, reason, `${file}: the configuration is not valid`);
  return { ...outcome, ...(isCode && { mayLinger: true }) };
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
  const frame = range === undefined ? '' : frameOf(text, range, columns, colours);
  const help = hint === undefined ? '' : `  ${colours.cyan('hint:')} ${visible(hint)}\n`;
  return `${colours.bold(place)} ${colours.red('error:')} ${visible(`${where}${message}`)}\n${frame}${help}`;
}

/** The file may hold a secret. A line with one is not shown. */
function frameOf(text: string, ...rest: [Parameters<typeof codeFrame>[1], number, Sink['colours']]): string {
  const lines = redactorFor(false).configLines(text);
  const at = rest[0].start.line - 1;
  return lines[at] === text.split('\n')[at] ? codeFrame(lines, ...rest) : '';
}
