// The commands of the README, run as a new user would: each line that begins with `npm`, in a clean clone of its own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export const readmeCommands = readFileSync(join(root, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('npm '));
if (readmeCommands.length === 0) throw new Error('the README has no line that begins with npm');

/** Throws if the command fails. `variables` are added to the environment. */
export function runInClone(command, variables = {}) {
  // The public fixtures are beside the checkout, not beside its clones.
  const fixtures = process.env.OATF_FIXTURES ?? join(root, '../shared');
  const env = { ...process.env, ...(existsSync(fixtures) && { OATF_FIXTURES: fixtures }), ...variables };
  const folder = mkdtempSync(join(tmpdir(), 'oatf-readme-'));
  const run = (program, args, cwd) => {
    const { status } = spawnSync(program, args, { cwd, env, stdio: 'inherit' });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
  };
  try {
    run('git', ['clone', '--quiet', root, folder], root);
    console.log(`\nIn a clean clone: ${command}`);
    run('bash', ['-c', command], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
