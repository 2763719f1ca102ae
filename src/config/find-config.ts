import { statSync } from 'node:fs';
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
    const found = configIn(folder);
    if (found.kind !== 'none' || dirname(folder) === folder) return found;
  }
}

/** The names of the configurations in a folder. */
export function configNamesIn(folder: string): readonly string[] {
  return configFormats.map((format) => `${base}.${format}`).filter((name) => isFile(join(folder, name)));
}

function configIn(folder: string): FoundConfig {
  const names = configNamesIn(folder);
  const [name, second] = names;
  if (name === undefined) {
    const stray = unread.map((format) => `${base}.${format}`).find((each) => isFile(join(folder, each)));
    if (stray === undefined) return { kind: 'none' };
    return {
      kind: 'wrong',
      path: join(folder, stray),
      message: 'configurations are not written in this',
      hint: `name it ${base} with one of ${configFormats.map((format) => `.${format}`).join(', ')}`,
    };
  }
  const path = join(folder, name);
  if (second !== undefined)
    return {
      kind: 'wrong',
      path,
      message: `there are several configurations in this folder: ${names.join(', ')}`,
      hint: 'keep one, or say which with --config FILE',
    };
  return isPlantable(folder, path)
    ? {
        kind: 'wrong',
        path,
        message: 'it is somebody else’s, in a folder that everybody can write to',
        hint: 'say that you mean it with --config FILE, or do without: --no-config',
      }
    : { kind: 'found', path };
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

/** A configuration runs code. One that anybody could have put on the way, such as in /tmp, is not taken unasked. */
function isPlantable(folder: string, path: string): boolean {
  const own = process.getuid?.();
  const isOpen = (statSync(folder).mode & 0o002) !== 0;
  return own !== undefined && isOpen && statSync(path).uid !== own;
}
