import { lstatSync, rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import type { CommandTarget } from '../targets.ts';

export interface RunFolders {
  /** The folder that holds the others, without links in its path. */
  readonly root: string;
  /** The folder in which the program runs, unless the target names one. */
  readonly work: string;
  /**
   * The folder for files that we write for the program. It is separate, so that the program finds only its own files in
   * `work`.
   */
  readonly given: string;
  remove(): Promise<void>;
}

export async function makeFolders(): Promise<RunFolders> {
  // mkdtemp makes the folder private: prompts and settings can be confidential.
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'oatf-agent-')));
  const work = join(folder, 'work');
  const given = join(folder, 'given');
  for (const each of [work, given]) await mkdir(each, { mode: 0o700 });
  const removeAtOnce = (): void => removeNow(folder);
  // The last resort: an immediate exit leaves no time for the asynchronous removal.
  process.setMaxListeners(process.getMaxListeners() + 1);
  process.on('exit', removeAtOnce);
  return {
    root: folder,
    work,
    given,
    async remove() {
      await removeFolder(folder);
      process.off('exit', removeAtOnce);
      process.setMaxListeners(process.getMaxListeners() - 1);
    },
  };
}

/** Writes a new file; fails if it exists. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
}

export function findFileProblems({ files = {}, cwd }: CommandTarget): readonly string[] {
  const paths = Object.keys(files);
  const both = 'files: they are written into a new folder, but `cwd` names an existing one; leave out one of the two';
  return [
    ...(cwd !== undefined && paths.length > 0 ? [both] : []),
    ...paths
      .filter((path) => !staysWithin(path))
      .map((path) => `files: ${JSON.stringify(path)} is not the path of a file within the new folder`),
  ];
}

function staysWithin(path: string): boolean {
  const plain = normalize(path);
  if (path.includes('\0') || isAbsolute(path) || plain === '.' || plain.endsWith(sep)) return false;
  return plain !== '..' && !plain.startsWith(`..${sep}`);
}

const options = { recursive: true, force: true, maxRetries: 3 };

function removeNow(folder: string): void {
  try {
    rmSync(folder, options);
  } catch {
    // A program can remove its own permissions on a folder, and there is no time to restore them here.
  }
}

async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, options);
  } catch {
    // A program can remove its own permissions on a folder.
    await unlock(folder);
    await rm(folder, options).catch(() => {});
  }
}

async function unlock(folder: string): Promise<void> {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  await chmod(folder, 0o700).catch(() => {});
  for (const name of await readdir(folder).catch(() => [])) await unlock(join(folder, name));
}
