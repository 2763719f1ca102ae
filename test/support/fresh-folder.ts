import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A new folder with these files, removed after all tests. */
export function freshFolder(files: Iterable<readonly [name: string, text: string]> = []): string {
  const folder = mkdtempSync(join(process.env.OATF_TEST_FOLDER ?? tmpdir(), 'folder-'));
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
