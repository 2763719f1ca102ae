import { lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const base = 'oatf.config';

/** What a configuration may be written in. */
export const configFormats = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'] as const;
export type ConfigFormat = (typeof configFormats)[number];

/** Somebody may well expect one of these to be read. */
const unread = ['cts', 'cjs', 'jsonc', 'json5', 'toml'];

export type FoundConfig =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly path: string; readonly message: string; readonly hint: string };

/** The configuration of a folder: in it, or in the nearest one around it. */
export function findConfig(cwd: string): FoundConfig {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = configIn(folder, cwd);
    if (found.kind !== 'none') return found;
    // Whoever works here may have meant it; further up it is likely to be somebody else's.
    const stray = folder === cwd ? strayIn(folder) : undefined;
    if (stray !== undefined) return stray;
    if (dirname(folder) === folder) return found;
  }
}

/** The names of the configurations in a folder. */
export function configNamesIn(folder: string): readonly string[] {
  return configFormats.map((format) => `${base}.${format}`).filter((name) => isFile(join(folder, name)));
}

function configIn(folder: string, cwd: string): FoundConfig {
  const names = configNamesIn(folder);
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
        message: 'it belongs to somebody else, and a configuration can run programs',
        hint: 'say that you mean it with --config FILE, or do without: --no-config',
      }
    : { kind: 'found', path };
}

/** What somebody may well have meant to be a configuration. */
function strayIn(folder: string): FoundConfig | undefined {
  const stray = unread.map((format) => `${base}.${format}`).find((each) => isFile(join(folder, each)));
  if (stray === undefined) return undefined;
  return {
    kind: 'wrong',
    path: join(folder, stray),
    message: 'configurations are not written in this',
    hint: `name it ${base} with one of ${configFormats.map((format) => `.${format}`).join(', ')}`,
  };
}

export function configFormatOf(path: string): ConfigFormat | undefined {
  return configFormats.find((format) => path.endsWith(`.${format}`));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // A folder that may not be looked into has none for us.
    return false;
  }
}

/**
 * A configuration runs code. One that somebody else could have put on the way, as anybody can in /tmp, is not taken unasked;
 * nor is a link of theirs, though it may lead to a file of our own. Whoever works in a folder trusts its owner: in containers
 * that is often not the one who works.
 */
function isForeign(path: string, cwd: string): boolean {
  const own = process.getuid?.();
  if (own === undefined) return false;
  const trusted = [own, 0, statSync(cwd).uid];
  return [lstatSync(path), statSync(path)].some(({ uid }) => !trusted.includes(uid));
}
