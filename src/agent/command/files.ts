import { lstatSync, rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import type { CommandTarget } from '../targets.ts';

/** The folders of a run: gone when it is. */
export interface RunFolders {
  /** Where the program runs, unless the target says where. */
  readonly work: string;
  /** What we write for the program to read; beside its own folder, so that it finds nothing there that it did not ask for. */
  readonly told: string;
  remove(): Promise<void>;
}

export async function makeFolders(): Promise<RunFolders> {
  // Nobody else may look into it: prompts and settings can hold what is private.
  const folder = await mkdtemp(join(tmpdir(), 'oatf-agent-'));
  const work = join(folder, 'work');
  const told = join(folder, 'told');
  for (const each of [work, told]) await mkdir(each, { mode: 0o700 });
  const removeAtOnce = (): void => removeNow(folder);
  // The last resort: whoever ends us at once leaves no time for more.
  process.setMaxListeners(process.getMaxListeners() + 1);
  process.on('exit', removeAtOnce);
  return {
    work,
    told,
    async remove() {
      await removeFolder(folder);
      process.off('exit', removeAtOnce);
      process.setMaxListeners(process.getMaxListeners() - 1);
    },
  };
}

/** Writes a file that is not there yet. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
}

export function problemsOfFiles({ files = {}, cwd }: CommandTarget): readonly string[] {
  const paths = Object.keys(files);
  const both =
    'files: they are written into a fresh folder, and `cwd` names one of yours; leave one of the two out';
  return [
    ...(cwd !== undefined && paths.length > 0 ? [both] : []),
    ...paths
      .filter((path) => !staysWithin(path))
      .map((path) => `files: ${JSON.stringify(path)} is not the path of a file within the fresh folder`),
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
    // A program can lock a folder of its own against its owner, and there is no time to open it.
  }
}

async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, options);
  } catch {
    // A program can lock a folder of its own against its owner.
    await unlock(folder);
    await rm(folder, options).catch(() => {});
  }
}

async function unlock(folder: string): Promise<void> {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  await chmod(folder, 0o700).catch(() => {});
  for (const name of await readdir(folder).catch(() => [])) await unlock(join(folder, name));
}
