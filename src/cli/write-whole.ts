import { accessSync, constants, fchmodSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeFileFailure } from '../files/file-failure.ts';
import { beginDraft, type FileDraft, ownerOnly, writeAll } from '../files/stored-file.ts';
import type { CommandOutcome } from './command-outcome.ts';
import { complain, type Io } from './io.ts';

/**
 * Writes a file so that a reader finds either the old text or the new one, never a part. An existing file keeps its mode;
 * `mode` is that of a new one. Returns the reason if it failed.
 */
export function writeWhole(path: string, text: string, mode = 0o666): string | undefined {
  let draft: FileDraft | undefined;
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
    draft = beginDraft(target, existing === undefined ? mode : ownerOnly.file);
    writeAll(draft.file, text);
    if (existing !== undefined) fchmodSync(draft.file, existing.mode & 0o7777);
    draft.keep();
    return undefined;
  } catch (thrown) {
    draft?.drop();
    return describeFileFailure(thrown);
  }
}

/** Writes a text to a file, or to standard output if none is named. Returns how the command fails. */
export async function writeOutput(
  file: string | undefined,
  text: string,
  io: Io,
  mode?: number,
): Promise<CommandOutcome | undefined> {
  const failure =
    file === undefined || file === '-'
      ? void (await io.stdout.write(text, 'exact'))
      : writeWhole(resolve(io.cwd, file), text, mode);
  return failure === undefined ? undefined : complain(io, 'unavailable', `${file}: cannot be written: ${failure}`);
}
