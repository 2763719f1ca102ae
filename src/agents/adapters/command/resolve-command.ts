import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { createEnvironment } from '../../../attack/transport/program/environment.ts';
import { findPlaceholders } from '../placeholders.ts';
import type { CommandTarget, TargetContext } from '../targets.ts';

/**
 * Resolves relative paths in a command against the configuration's folder, because a program in a new folder would not
 * find an `agent.mjs` next to the configuration. Only a word that looks like a path of an existing file is resolved:
 * `run` and `exec` stay as they are, whatever files there are.
 */
export function resolveCommandWords(
  words: readonly string[],
  { cwd, files = {} }: CommandTarget,
  { folder }: TargetContext,
): readonly string[] {
  if (cwd !== undefined) return words;
  return words.map((word, index) => {
    const isPath = index === 0 ? word.includes('/') : /[./\\]/.test(word);
    if (!isPath || isAbsolute(word) || findPlaceholders(word).length > 0 || Object.hasOwn(files, word)) return word;
    const path = resolve(folder, word);
    return isFile(path) ? path : word;
  });
}

/**
 * Finds out before any run why the programs of a target cannot be run. A program whose name a run decides, and one that is
 * looked up within the folder of a run, are checked at launch.
 */
export function findMissingProgram(
  programs: readonly (readonly string[])[],
  target: CommandTarget,
  context: TargetContext,
): string | undefined {
  const { cwd, env = {}, files = {} } = target;
  const { PATH } = createEnvironment({ env });
  const isOfRun = (text = ''): boolean => findPlaceholders(text).length > 0;
  for (const words of programs) {
    const [program = ''] = resolveCommandWords(words, target, context);
    const mayBeWritten = cwd === undefined && Object.keys(files).length > 0 && program.includes('/');
    if (isOfRun(program) || isOfRun(PATH) || mayBeWritten) continue;
    const problem = findProgramProblem(program, resolve(context.folder, cwd ?? '.'), PATH);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Finds out why a program cannot be run, as far as possible without running it. */
export function findProgramProblem(program: string, cwd: string, path: string | undefined): string | undefined {
  if (readPathKind(cwd) !== 'folder') return `there is no folder "${cwd}" to run "${program}" in`;
  // On Windows a program has several possible file names, so it is not checked.
  if (process.platform === 'win32') return undefined;
  const places = program.includes('/')
    ? [resolve(cwd, program)]
    : (path ?? '/usr/local/bin:/bin:/usr/bin').split(delimiter).map((folder) => resolve(cwd, join(folder, program)));
  const files = places.filter(isFile);
  if (files.length === 0) return `there is no program "${program}"`;
  return files.some(mayBeRun) ? undefined : `"${program}" is not executable`;
}

function isFile(path: string): boolean {
  return readPathKind(path) === 'file';
}

function readPathKind(path: string): 'file' | 'folder' | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : undefined;
  } catch {
    // Most words are not paths, and some could not be.
    return undefined;
  }
}

function mayBeRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
