import { lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const base = 'oatf.config';

/** The file extensions of configurations. */
export const configFormats = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'] as const;
export type ConfigFormat = (typeof configFormats)[number];

/** Formats that are not supported, but that a user might expect to work. */
const unread = ['cts', 'cjs', 'jsonc', 'json5', 'toml'];

export type FoundConfig =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly path: string; readonly message: string; readonly hint: string };

/** Finds the configuration of a folder: in the folder itself, or in the nearest parent that has one. */
export function findConfig(cwd: string): FoundConfig {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = findFolderConfig(folder, cwd);
    if (found.kind !== 'none') return found;
    // An unsupported file in the working folder was probably meant. Further up it more likely belongs to another
    // project.
    const stray = folder === cwd ? findStrayConfig(folder) : undefined;
    if (stray !== undefined) return stray;
    if (dirname(folder) === folder) return found;
  }
}

export function listConfigNames(folder: string): readonly string[] {
  return configFormats.map((format) => `${base}.${format}`).filter((name) => isFile(join(folder, name)));
}

function findFolderConfig(folder: string, cwd: string): FoundConfig {
  const names = listConfigNames(folder);
  const [name, second] = names;
  if (name === undefined) return { kind: 'none' };
  const path = join(folder, name);
  if (second !== undefined)
    return {
      kind: 'wrong',
      path,
      message: `there are several configurations in this folder: ${names.join(', ')}`,
      hint: 'keep one, or say which with --config FILE',
    };
  return isForeign(path, cwd)
    ? {
        kind: 'wrong',
        path,
        message: 'it belongs to another user, and a configuration can run programs',
        hint: 'use it with --config FILE, or ignore it with --no-config',
      }
    : { kind: 'found', path };
}

/** Finds a file that was probably meant to be a configuration, but has an unsupported format. */
function findStrayConfig(folder: string): FoundConfig | undefined {
  const stray = unread.map((format) => `${base}.${format}`).find((each) => isFile(join(folder, each)));
  if (stray === undefined) return undefined;
  return {
    kind: 'wrong',
    path: join(folder, stray),
    message: 'configurations cannot be written in this format',
    hint: `name it ${base} with one of ${configFormats.map((format) => `.${format}`).join(', ')}`,
  };
}

export function findConfigFormat(path: string): ConfigFormat | undefined {
  return configFormats.find((format) => path.endsWith(`.${format}`));
}

export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // A folder that cannot be read counts as one without a configuration.
    return false;
  }
}

/**
 * Whether a configuration belongs to an untrusted user. A configuration runs code, so one that another user could have
 * put in a parent folder (/tmp, for example) is not loaded without --config. The same holds for another user's link,
 * even if it leads to a file of our own. The owner of the working folder is trusted: in containers that is often a
 * different user.
 */
function isForeign(path: string, cwd: string): boolean {
  const own = process.getuid?.();
  if (own === undefined) return false;
  const trusted = [own, 0, statSync(cwd).uid];
  return [lstatSync(path), statSync(path)].some(({ uid }) => !trusted.includes(uid));
}
