import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readRegular } from '../../files/regular-file.ts';
import type { Surroundings } from './config-text.ts';

/** Describes the folder of a new configuration. */
export function readSurroundings(folder: string): Surroundings {
  return { isModule: isModuleFolder(folder), installed: findInstalledSchema(folder) };
}

/** Checks for the schema that editors read; the package may be incomplete. */
function findInstalledSchema(folder: string): string | undefined {
  const found = searchUpwards(folder, (at) => {
    const path = join(at, 'node_modules', 'oatf');
    return existsSync(join(path, 'dist', 'config.schema.json')) ? path : undefined;
  });
  return found === undefined ? undefined : relative(folder, found);
}

function isModuleFolder(folder: string): boolean {
  const manifest = searchUpwards(folder, (at) => {
    const path = join(at, 'package.json');
    return existsSync(path) ? path : undefined;
  });
  if (manifest === undefined) return false;
  try {
    return JSON.parse(readRegular(manifest)).type === 'module';
  } catch {
    // Other tools report an invalid package.json.
    return false;
  }
}

function searchUpwards<T>(folder: string, look: (at: string) => T | undefined): T | undefined {
  const found = look(folder);
  if (found !== undefined || dirname(folder) === folder) return found;
  return searchUpwards(dirname(folder), look);
}
