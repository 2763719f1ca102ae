import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tellFixtures } from './public-fixtures.ts';

/** Before all tests: what they find, and a folder for theirs that is gone when the last of them is. */
export function setup(): () => void {
  console.log(tellFixtures());
  const folder = mkdtempSync(join(tmpdir(), 'oatf-tests-'));
  process.env.OATF_TEST_FOLDER = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
