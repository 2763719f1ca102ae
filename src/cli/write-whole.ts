import { accessSync, chmodSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describeFileFailure } from '../suite/library/file-failure.ts';
import type { CommandOutcome } from './command-outcome.ts';
import { complain, type Io } from './io.ts';

/**
 * Writes a file so that a reader finds either the old text or the new one, never a part, and keeps its mode. Returns
 * the reason if it failed.
 */
export function writeWhole(path: string, text: string): string | undefined {
  let draft: string | undefined;
  try {
    const existing = statSync(path, { throwIfNoEntry: false });
    // Renaming onto a link would replace the link, so the target of the link is written.
    const target = existing === undefined ? path : realpathSync(path);
    if (existing !== undefined && !existing.isFile()) {
      writeFileSync(target, text);
      return undefined;
    }
    // A rename does not check whether the replaced file is writable.
    if (existing !== undefined) accessSync(target, constants.W_OK);
    draft = join(dirname(target), `.${basename(target)}.${process.pid}-${Date.now()}.tmp`);
    writeFileSync(draft, text, { flag: 'wx' });
    if (existing !== undefined) chmodSync(draft, existing.mode & 0o7777);
    renameSync(draft, target);
    return undefined;
  } catch (thrown) {
    if (draft !== undefined) rmSync(draft, { force: true });
    return describeFileFailure(thrown);
  }
}

/** Writes a text to a file, or to standard output if none is named. Returns how the command fails. */
export async function writeOutput(file: string | undefined, text: string, io: Io): Promise<CommandOutcome | undefined> {
  const failure =
    file === undefined || file === '-' ? void (await io.stdout.write(text)) : writeWhole(resolve(io.cwd, file), text);
  return failure === undefined ? undefined : complain(io, 'unavailable', `${file}: cannot be written: ${failure}`);
}
