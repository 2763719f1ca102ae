// Commands that the checks of the package run one after another, and the package itself.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
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

/** Runs the steps until one fails, and resolves with what it said. */
export async function runSteps(steps, cwd) {
  for (const [command, ...args] of steps) {
    const { code, output } = await run(command, args, cwd);
    if (code !== 0) return `${command} ${args.join(' ')} ended with ${code}\n${output}`;
  }
  return undefined;
}

/** Packs the package as it was built. */
export async function packInto(folder) {
  if (!existsSync(join(root, 'dist', 'testing.js')))
    return { failure: 'dist/testing.js is not there; npm run build makes it' };
  const packing = ['npm', 'pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  const failure = await runSteps([packing], root);
  if (failure !== undefined) return { failure };
  return { tarball: join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '') };
}
