import { closeSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { notRegular, openRegular } from '../../../files/regular-file.ts';
import type { LlmTarget } from '../../adapters/targets.ts';
import { dropEmpty, type Environment, type LlmProblem } from './llm-numbers.ts';

type FoundKey = { readonly key: string | undefined };

const longestFile = 16 * 1024;
/** The characters that a header value may contain without quoting. */
const shape = /^[\x21-\x7e]{1,4096}$/;

/** The usual form of variable names. Any other text may be a key in the wrong place, so it is not quoted in messages. */
const namesVariable = /^[A-Z][A-Z0-9]{0,11}(?:_[A-Z0-9]{1,12}){0,6}$/;

/**
 * Reads the key from the first source that is set. A source without a usable key is an error: no other source is tried.
 */
export function readKey(
  environment: Environment,
  { keyFile, keyEnv }: Partial<LlmTarget>,
  folder: string,
  /** The environment variable that other programs also use for the key. */
  keys: string,
): FoundKey | LlmProblem {
  if (keyFile !== undefined && keyEnv !== undefined)
    return { problem: 'there are both keyFile and keyEnv', hint: 'one of them says where the key is' };
  const own = dropEmpty(environment.OATF_LLM_KEY);
  if (own !== undefined) return checkKey(own, 'OATF_LLM_KEY');
  const file = dropEmpty(environment.OATF_LLM_KEY_FILE);
  // A relative path in a variable starts at the working directory.
  if (file !== undefined) return readKeyFile(file, resolve(file));
  if (keyFile !== undefined) return readKeyFile(keyFile, resolve(folder, keyFile));
  if (keyEnv !== undefined) {
    const value = dropEmpty(environment[keyEnv]);
    if (value === undefined)
      return {
        problem: `the variable ${namesVariable.test(keyEnv) ? keyEnv : 'that keyEnv names'} is not set`,
        hint: 'keyEnv names the variable that holds the key, and is not the key itself',
      };
    return checkKey(value, 'what keyEnv names');
  }
  const usual = dropEmpty(environment[keys]);
  return usual === undefined ? { key: undefined } : checkKey(usual, keys);
}

function readKeyFile(given: string, path: string): FoundKey | LlmProblem {
  const hint = 'a file that holds the key and nothing else';
  let text: string;
  try {
    text = readBeginning(path);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    return { problem: `the key file "${given}" cannot be read: ${reasons[code ?? ''] ?? code}`, hint };
  }
  const lines = text.trim().split(/\r?\n/);
  if (lines.length > 1) return { problem: `the key file "${given}" has several lines`, hint };
  if (lines[0] === '') return { problem: `the key file "${given}" is empty`, hint };
  return checkKey(lines[0] ?? '', `the key file "${given}"`);
}

const reasons: { readonly [code: string]: string } = {
  ENOENT: 'there is none',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  [notRegular]: 'it is a pipe, a socket or a device',
};

/** Reads only the beginning: a wrong file may have any size. */
function readBeginning(path: string): string {
  const file = openRegular(path);
  try {
    const bytes = Buffer.alloc(longestFile);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, longestFile, null));
  } finally {
    closeSync(file);
  }
}

/** The messages never quote the key. */
function checkKey(key: string, where: string): FoundKey | LlmProblem {
  if (shape.test(key)) return { key };
  return {
    problem: `${where}: its value cannot be a key`,
    hint: 'a key is one word of plain characters',
  };
}
