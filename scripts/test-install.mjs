// Installs the package in an empty project, by the commands of docs/guides/install.md, and uses it there: its types, the
// command line, and tests, from ES modules and from CommonJS. The example projects do the same in Vitest and Jest. Build first.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packInto, quietly, runSteps } from './steps/run-steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pinned = (name) => `${name}@${devDependencies[name]}`;

/** The commands of the page from the one that copies the package on; the earlier ones make it, from a clone. */
function readInstallation() {
  const page = readFileSync(join(root, 'docs/guides/install.md'), 'utf8');
  const [, block = ''] = /```sh\n(.*?)```/s.exec(page) ?? [];
  const start = block.indexOf('cp oatf/');
  if (start < 0) throw new Error('docs/guides/install.md does not copy the package into a project');
  return block.slice(start);
}

const npx = ['npx', '--no-install'];
const nodenext = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node'];
const bundler = ['--noEmit', '--strict', '--module', 'preserve', '--moduleResolution', 'bundler', '--types', 'node'];

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-install-'));
  try {
    mkdirSync(join(folder, 'oatf'));
    const packed = await packInto(join(folder, 'oatf'));
    if ('failure' in packed) return packed.failure;
    const project = join(folder, 'my-project');
    cpSync(join(root, 'scripts/install'), project, { recursive: true });
    return (
      (await runSteps([['npm', 'init', '--yes', '--loglevel=error']], project)) ??
      (await runSteps([['bash', '-euc', readInstallation()]], folder)) ??
      (await runSteps(
        [
          ['npm', 'install', '--no-save', ...quietly, pinned('typescript'), pinned('@types/node')],
          [...npx, 'tsc', ...nodenext, 'types.mts', 'types.cts'],
          [...npx, 'tsc', ...bundler, 'types.mts'],
          [...npx, 'oatf', 'run', 'OATS-001', '--agent', 'guarded'],
          ['node', '--test', 'attack.test.mjs', 'attack.test.cjs'],
          // From CommonJS, TypeScript warns of every package that has only ES modules, so that rule is left out.
          ['npx', '--yes', '@arethetypeswrong/cli@0.18.5', 'oatf-0.1.0.tgz', '--profile', 'esm-only'],
        ],
        project,
      ))
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const failure = await main();
if (failure !== undefined) {
  console.error(failure);
  process.exitCode = 1;
} else console.log('ok      the package in an empty project');
