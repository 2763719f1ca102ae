import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageFolder } from '../suite/library/library.ts';

/** Reads a text that this package contains, as source and as installed. */
export function readPackageFile(...path: readonly string[]): string {
  const folder = findPackageFolder();
  if (folder === undefined) throw new Error('the folder of this package is not found');
  return readFileSync(join(folder, ...path), 'utf8');
}
