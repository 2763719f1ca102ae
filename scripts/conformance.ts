import { existsSync } from 'node:fs';
import { runConformance } from '../test/support/conformance/run-tree.ts';
import { publicFixture, tellFixtures } from '../test/support/public-fixtures.ts';

const given = process.argv.slice(2);
const exact = given.includes('--exact');
const [named] = given.filter((argument) => argument !== '--exact');
const folder = named ?? publicFixture('conformance');

if (folder === undefined) process.stdout.write(`${tellFixtures()}\n`);
else if (!existsSync(folder)) {
  process.stderr.write('usage: npm run conformance -- [--exact] [DIR]\nDIR holds parse/, validate/, normalize/, …\n');
  process.exitCode = 64;
} else {
  const results = runConformance(folder, { exact });
  const failures = results.filter(({ failure }) => failure !== undefined);
  for (const { id, name, failure } of failures) process.stdout.write(`${id}: ${name}: ${failure}\n`);
  process.stdout.write(`${results.length - failures.length} passed, ${failures.length} failed\n`);
  process.exitCode = failures.length > 0 || results.length === 0 ? 1 : 0;
}
