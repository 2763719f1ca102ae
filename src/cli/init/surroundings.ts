import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readRegular } from '../../files/regular-file.ts';
import type { Surroundings } from './config-text.ts';

/** Describes the folder of a new configuration. */
export function surroundingsOf(folder: string): Surroundings {
  return { isModule: isModuleIn(folder), installed: installedFor(folder) };
}

/** Checks for the schema that editors read; the package may be incomplete. */
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
    // Other tools report an invalid package.json.
    return false;
  }
}

function upwards<T>(folder: string, look: (at: string) => T | undefined): T | undefined {
  const found = look(folder);
  if (found !== undefined || dirname(folder) === folder) return found;
  return upwards(dirname(folder), look);
}
