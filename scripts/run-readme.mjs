// Runs the commands of the README as a new user would: each line that begins with `npm`, in a clean clone of its own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const commands = readFileSync(join(root, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('npm '));
if (commands.length === 0) throw new Error('the README has no line that begins with npm');

// The public fixtures are beside the checkout, not beside its clones.
const fixtures = process.env.OATF_FIXTURES ?? join(root, '../shared');
const env = existsSync(fixtures) ? { ...process.env, OATF_FIXTURES: fixtures } : process.env;

for (const command of commands) {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-readme-'));
  try {
    run('git', ['clone', '--quiet', root, folder], root);
    console.log(`\nIn a clean clone: ${command}`);
    run('bash', ['-c', command], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program, args, cwd) {
  const { status } = spawnSync(program, args, { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}
