import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readRegular } from '../../files/regular-file.ts';
import type { Surroundings } from './config-text.ts';

/** What the folder of a new configuration is like. */
export function surroundingsOf(folder: string): Surroundings {
  return { isModule: isModuleIn(folder), installed: installedFor(folder) };
}

/** What editors read has to be there: the package itself may well not be. */
function installedFor(folder: string): string | undefined {
  const found = upwards(folder, (at) => {
    const path = join(at, 'node_modules', 'oatf');
    return existsSync(join(path, 'dist', 'config.schema.json')) ? path : undefined;
  });
  return found === undefined ? undefined : relative(folder, found);
}

function isModuleIn(folder: string): boolean {
  const manifest = upwards(folder, (at) => {
    const path = join(at, 'package.json');
    return existsSync(path) ? path : undefined;
  });
  if (manifest === undefined) return false;
  try {
    return JSON.parse(readRegular(manifest)).type === 'module';
  } catch {
    // What is wrong with it is for others to say.
    return false;
  }
}

function upwards<T>(folder: string, look: (at: string) => T | undefined): T | undefined {
  const found = look(folder);
  if (found !== undefined || dirname(folder) === folder) return found;
  return upwards(dirname(folder), look);
}
