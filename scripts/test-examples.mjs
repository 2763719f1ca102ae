// Runs the example projects of examples/testing as users would: each in its own folder, installed from its lock file, with
// this package as it would be published. Build first. NAME selects examples; the default is all of them.
// node scripts/test-examples.mjs [NAME…]
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const examples = join(root, 'examples', 'testing');
const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
const longestMs = 5 * 60_000;

/** Resolves with the exit code, and with what was printed. */
function run(command, args, cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: longestMs });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    const end = (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') });
    child.on('error', (error) => end(error.message));
    child.on('close', (code, signal) => end(code ?? signal));
  });
}

/** Runs the steps until one fails. */
async function runAll(steps, cwd) {
  for (const [command, ...args] of steps) {
    const { code, output } = await run(command, args, cwd);
    if (code !== 0) return `${command} ${args.join(' ')} ended with ${code}\n${output}`;
  }
  return undefined;
}

async function main(names) {
  const known = readdirSync(examples, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) return [`there is no example "${unknown}"; there are ${known.join(', ')}`];
  if (!existsSync(join(root, 'dist', 'testing.js'))) return ['dist/testing.js is not there; npm run build makes it'];
  const folder = mkdtempSync(join(tmpdir(), 'oatf-examples-'));
  try {
    const packing = ['npm', 'pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
    const unpacked = await runAll([packing], root);
    if (unpacked !== undefined) return [unpacked];
    const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
    const failures = [];
    for (const name of names.length === 0 ? known : names) {
      const project = join(folder, name);
      const isOurs = (path) => basename(path) !== 'node_modules';
      cpSync(join(examples, name), project, { recursive: true, filter: isOurs });
      const began = performance.now();
      const failure = await runAll(
        [
          ['npm', 'ci', ...quietly],
          ['npm', 'install', '--no-save', ...quietly, tarball],
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
