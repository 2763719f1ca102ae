import { closeSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeFileFailure } from '../../../files/file-failure.ts';
import { openRegular } from '../../../files/regular-file.ts';
import { type ReporterName, reporterNames } from '../../../format/model/reporter-names.ts';
import { findNearest } from '../../../format/registry/suggestions.ts';
import type { Reporter } from '../../../report/reporter.ts';
import type { Io } from '../../io.ts';
import { refuseFlag, type WrongUsage } from '../settings/wrong-usage.ts';

export interface WantedReport {
  readonly name: string;
  /** The output file. Default: standard output. */
  readonly file?: string;
  readonly kind: 'text' | 'lines' | 'page';
  readonly report: Reporter;
}

/** A page is written into the results folder unless another file is named. */
const page = 'html';

/** Reads `--reporter`. Modules are loaded now, so that a mistake in one shows before anything runs. */
export async function readReporters(
  typed: readonly string[],
  json: boolean,
  io: Pick<Io, 'cwd' | 'hostCode'>,
): Promise<readonly WantedReport[] | WrongUsage> {
  const wanted: WantedReport[] = [];
  for (const text of typed) {
    const split = splitReporter(text);
    if ('message' in split) return split;
    const { name, file } = split;
    const report = await loadReporter(name, text, io);
    if (typeof report !== 'function') return report;
    const kind = name === page ? 'page' : name === 'jsonl' ? 'lines' : 'text';
    wanted.push({ name, kind, report, ...(file !== undefined && { file: resolve(io.cwd, file) }) });
  }
  const printed = wanted.filter(({ file, kind }) => file === undefined && kind !== 'page').map(({ name }) => name);
  const [first, second] = json ? ['--json', ...printed] : printed;
  if (first !== undefined && second !== undefined)
    return refuseFlag(
      'reporter',
      second,
      `standard output is taken by ${first}`,
      `give it a file, as in ${second}=FILE`,
    );
  return wanted;
}

/** `NAME` or `NAME=FILE`. */
export function splitReporter(text: string): { readonly name: string; readonly file: string | undefined } | WrongUsage {
  const at = text.indexOf('=');
  const file = at < 0 ? undefined : text.slice(at + 1);
  if (file === '')
    return refuseFlag('reporter', text, 'no file is named after the equals sign', 'such as junit=junit.xml');
  return { name: at < 0 ? text : text.slice(0, at), file };
}

async function loadReporter(
  name: string,
  typed: string,
  { cwd, hostCode }: Pick<Io, 'cwd' | 'hostCode'>,
): Promise<Reporter | WrongUsage> {
  // The page does not fit into memory, so it is written elsewhere, in pieces.
  if (name === page) return () => '';
  if (isBuiltInReporter(name)) return (await import('../../../report/reporters.ts')).reporters[name];
  const path = resolve(cwd, name);
  if (!/[./\\]/.test(name) || !existsSync(path)) {
    const near = findNearest(name, reporterNames);
    return refuseFlag(
      'reporter',
      typed,
      'there is no such reporter',
      near === undefined ? `it can be ${reporterNames.join(', ')} or the path of a module` : `did you mean ${near}?`,
    );
  }
  try {
    // Loading something that is not a regular file, such as a pipe, could wait forever.
    closeSync(openRegular(path));
  } catch (thrown) {
    return refuseFlag(
      'reporter',
      typed,
      describeFileFailure(thrown),
      `it can be ${reporterNames.join(', ')} or the path of a module`,
    );
  }
  hostCode();
  try {
    const { reporter } = await import(pathToFileURL(path).href);
    if (typeof reporter === 'function') return reporter;
    return refuseFlag(
      'reporter',
      typed,
      'this module exports no function named reporter',
      'export function reporter(results, context)',
    );
  } catch (thrown) {
    return refuseFlag(
      'reporter',
      typed,
      `this module cannot be loaded: ${String(thrown)}`,
      'try to load it with node alone',
    );
  }
}

function isBuiltInReporter(name: string): name is ReporterName {
  return name !== page && reporterNames.some((known) => known === name);
}
