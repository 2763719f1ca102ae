import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { placeholdersIn } from '../placeholders.ts';
import type { CommandTarget, TargetContext } from '../targets.ts';

/**
 * A program that runs in a fresh folder would not find `agent.mjs` beside the configuration. So a word that is the
 * relative path of a file there is that file; `run` or `exec` are words, whatever files there are.
 */
export function located(
  words: readonly string[],
  { cwd, files = {} }: CommandTarget,
  { folder }: TargetContext,
): readonly string[] {
  if (cwd !== undefined) return words;
  return words.map((word, index) => {
    const isPath = index === 0 ? word.includes('/') : /[./\\]/.test(word);
    if (!isPath || isAbsolute(word) || placeholdersIn(word).length > 0 || Object.hasOwn(files, word))
      return word;
    const path = resolve(folder, word);
    return isFile(path) ? path : word;
  });
}

/** Why a program cannot be run, as far as that can be told without running it. */
export function problemOfProgram(program: string, cwd: string, path: string | undefined): string | undefined {
  if (kindOf(cwd) !== 'folder') return `there is no folder "${cwd}" to run "${program}" in`;
  // There a program has several names.
  if (process.platform === 'win32') return undefined;
  const places = program.includes('/')
    ? [resolve(cwd, program)]
    : (path ?? '/usr/local/bin:/bin:/usr/bin')
        .split(delimiter)
        .map((folder) => resolve(cwd, join(folder, program)));
  const files = places.filter(isFile);
  if (files.length === 0) return `there is no program "${program}"`;
  return files.some(mayBeRun) ? undefined : `"${program}" is no program that may be run`;
}

function isFile(path: string): boolean {
  return kindOf(path) === 'file';
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : undefined;
  } catch {
    // Most words are no paths, and some could not be.
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
