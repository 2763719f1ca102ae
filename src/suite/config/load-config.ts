import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { notRegular, readRegular } from '../../files/regular-file.ts';
import { maximumLength } from '../../format/document/maximum-length.ts';
import { createPositions } from '../../format/document/read-yaml.ts';
import type { Config } from './config.ts';
import { findConfigProblems } from './config-shape.ts';
import { configFormats, findConfig, findConfigFormat } from './find-config.ts';
import { importConfig } from './import-config.ts';
import { type LocatedProblem, readYamlConfig } from './read-yaml-config.ts';
import { findTargetsProblems } from './target-problems.ts';

export interface LoadedConfig {
  readonly ok: true;
  readonly path: string;
  /** The folder that its relative paths start from. */
  readonly folder: string;
  readonly config: Config;
  /** Whether it is code, which may keep running after it has loaded. */
  readonly isCode: boolean;
}

export interface FailedConfig {
  readonly ok: false;
  readonly reason: 'unreadable' | 'invalid';
  readonly path: string;
  /** The text of the file, if it helps to show the problem. */
  readonly text?: string;
  readonly problems: readonly LocatedProblem[];
  readonly isCode: boolean;
}

/** Loads the configuration for a folder; undefined if there is none. */
export async function findAndLoadConfig(
  cwd: string,
  beforeCode?: () => void,
): Promise<LoadedConfig | FailedConfig | undefined> {
  const found = findConfig(cwd);
  switch (found.kind) {
    case 'none':
      return undefined;
    case 'wrong': {
      const { path, message, hint } = found;
      return createFailedConfig('invalid', path, [{ path: [], message, hint }]);
    }
    case 'found':
      return loadConfig(found.path, beforeCode);
  }
}

/**
 * Reads and checks a configuration. Never throws because of its contents. Calls `beforeCode` before the file is run as
 * code.
 */
export async function loadConfig(path: string, beforeCode?: () => void): Promise<LoadedConfig | FailedConfig> {
  const format = findConfigFormat(path);
  const unreadable = checkConfigSize(path);
  if (unreadable !== undefined) return unreadable;
  if (format === undefined)
    return createFailedConfig('invalid', path, [
      {
        path: [],
        message: 'configurations cannot be written in this format',
        hint: `its name should end in one of ${configFormats.map((each) => `.${each}`).join(', ')}`,
      },
    ]);
  switch (format) {
    case 'json':
    case 'yaml':
    case 'yml':
      return loadText(path, format === 'json');
    case 'ts':
    case 'mts':
    case 'js':
    case 'mjs':
      beforeCode?.();
      return loadCode(path);
  }
}

function checkConfigSize(path: string): FailedConfig | undefined {
  let size: number;
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return createFailedConfig('unreadable', path, [{ path: [], message: 'is a folder' }]);
    if (!stats.isFile()) return createFailedConfig('unreadable', path, [{ path: [], message: noFile }]);
    size = stats.size;
  } catch (thrown) {
    return createFailedConfig('unreadable', path, [{ path: [], message: describeSystemError(thrown) }]);
  }
  const megabytes = maximumLength / 1024 / 1024;
  if (size <= maximumLength) return undefined;
  return createFailedConfig('invalid', path, [{ path: [], message: `is longer than ${megabytes} MiB` }]);
}

function loadText(path: string, isJson: boolean): LoadedConfig | FailedConfig {
  let text: string;
  try {
    text = readRegular(path).replace(/^\ufeff/, '');
  } catch (thrown) {
    return createFailedConfig('unreadable', path, [{ path: [], message: describeSystemError(thrown) }]);
  }
  const flaw = isJson ? findJsonProblem(text) : undefined;
  if (flaw !== undefined) return { ...createFailedConfig('invalid', path, [flaw]), text };
  const { value, problems, locate } = readYamlConfig(text);
  // If the text cannot be read, its values are not reliable enough to check.
  const all = problems.length > 0 ? problems : findLocatedProblems(value).map(locate);
  if (all.length > 0) return { ...createFailedConfig('invalid', path, all), text };
  return createLoadedConfig(path, value as Config, false);
}

function findJsonProblem(text: string): LocatedProblem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const at = findJsonFlaw(text);
    const message = at >= text.trimEnd().length ? 'this JSON ends too early' : 'this is not JSON';
    return { path: [], message, range: createPositions(text)(at, Math.min(at + 1, text.length)) };
  }
}

async function loadCode(path: string): Promise<LoadedConfig | FailedConfig> {
  const imported = await importConfig(path);
  const fail = (problems: readonly LocatedProblem[]): FailedConfig => ({
    ...createFailedConfig('invalid', path, problems),
    isCode: true,
  });
  if (!imported.ok) {
    const { message, hint } = imported;
    return fail([{ path: [], message, ...(hint !== undefined && { hint }) }]);
  }
  try {
    const problems = findLocatedProblems(imported.value);
    return problems.length > 0 ? fail(problems) : createLoadedConfig(path, imported.value as Config, true);
  } catch (thrown) {
    // A getter or a proxy in a code configuration may throw.
    const reason = thrown instanceof Error ? thrown.message : typeof thrown;
    return fail([{ path: [], message: `it cannot be read: ${reason}` }]);
  }
}

function findLocatedProblems(value: unknown): readonly LocatedProblem[] {
  const problems = findConfigProblems(value);
  // A target is checked further only if each of its fields has a valid shape.
  const wrong = new Set(problems.flatMap(({ path: [top, name] }) => (top === 'targets' ? [name] : [])));
  if (wrong.has(undefined) || problems.some(({ path }) => path.length === 0)) return problems;
  const { targets = {} } = value as Config;
  const sound = Object.entries(targets).filter(([name]) => !wrong.has(name));
  return [...problems, ...findTargetsProblems(Object.fromEntries(sound))];
}

function createLoadedConfig(path: string, config: Config, isCode: boolean): LoadedConfig {
  return { ok: true, path, folder: dirname(path), config, isCode };
}

function createFailedConfig(
  reason: FailedConfig['reason'],
  path: string,
  problems: readonly LocatedProblem[],
): FailedConfig {
  return { ok: false, reason, path, problems, isCode: false };
}

const noFile = 'this is a pipe, a socket or a device, not a file';

function describeSystemError(thrown: unknown): string {
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file';
  if (code === notRegular) return noFile;
  return code === 'EACCES' ? 'permission denied' : (code ?? message);
}

const token =
  /[ \t\r\n]*(?:([[{])|([\]}])|([,:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

type Expects = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

/** Finds the offset at which a text stops being JSON. The error of JSON.parse does not always give one. */
export function findJsonFlaw(text: string): number {
  const open: ('{' | '[')[] = [];
  let expects: Expects = 'value';
  const afterValue = (): Expects => (open.length === 0 ? 'nothing' : 'comma or end');
  for (let at = 0; ; at = token.lastIndex) {
    const start = at + (/^[ \t\r\n]*/.exec(text.slice(at, at + 10_000))?.[0].length ?? 0);
    token.lastIndex = at;
    const [, opens, closes, sign, string, scalar] = token.exec(text) ?? [];
    const takesValue: boolean = expects === 'value' || expects === 'value or end';
    if (opens !== undefined && takesValue) {
      open.push(opens as '{' | '[');
      expects = opens === '{' ? 'key or end' : 'value or end';
    } else if (closes !== undefined && expects.endsWith('end') && open.at(-1) === (closes === '}' ? '{' : '[')) {
      open.pop();
      expects = afterValue();
    } else if (string !== undefined && (expects === 'key' || expects === 'key or end')) expects = 'colon';
    else if ((string ?? scalar) !== undefined && takesValue) expects = afterValue();
    else if (sign === ':' && expects === 'colon') expects = 'value';
    else if (sign === ',' && expects === 'comma or end') expects = open.at(-1) === '{' ? 'key' : 'value';
    else return Math.min(start, text.length);
  }
}
