import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tellFixtures } from './public-fixtures.ts';

/**
 * Runs before all tests: reports which fixtures were found, and makes a temporary folder that is removed after the last
 * test.
 */
export function setup(): () => void {
  console.log(tellFixtures());
  const folder = mkdtempSync(join(tmpdir(), 'oatf-tests-'));
  process.env.OATF_TEST_FOLDER = folder;
  // Node reads these certificates at every start, which takes longer than the rest of it. No test leaves this machine.
  delete process.env.NODE_EXTRA_CA_CERTS;
  return () => rmSync(folder, { recursive: true, force: true });
}
