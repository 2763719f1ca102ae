// Runs the example projects of examples/testing as users would: each in its own folder, installed from its lock file, with
// this package as it would be published. Build first. NAME selects examples; the default is all of them.
// node scripts/test-examples.mjs [NAME…]
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packInto, quietly, runSteps } from './steps/run-steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const examples = join(root, 'examples', 'testing');

async function main(names) {
  const known = readdirSync(examples, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) return [`there is no example "${unknown}"; there are ${known.join(', ')}`];
  const folder = mkdtempSync(join(tmpdir(), 'oatf-examples-'));
  try {
    const packed = await packInto(folder);
    if ('failure' in packed) return [packed.failure];
    const failures = [];
    for (const name of names.length === 0 ? known : names) {
      const project = join(folder, name);
      const isOurs = (path) => basename(path) !== 'node_modules';
      cpSync(join(examples, name), project, { recursive: true, filter: isOurs });
      const began = performance.now();
      const failure = await runSteps(
        [
          ['npm', 'ci', ...quietly],
          ['npm', 'install', '--no-save', ...quietly, packed.tarball],
          ['npm', 'test'],
        ],
        project,
      );
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      console.log(`${failure === undefined ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`);
      if (failure !== undefined) failures.push(`${name}: ${failure}`);
    }
    return failures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const failures = await main(process.argv.slice(2));
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
