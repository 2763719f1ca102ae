import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Gone after the tests. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-served-'));
  folders.push(folder);
  return folder;
}
