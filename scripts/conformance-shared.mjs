// The public fixtures are not part of the repository; where they lie beside it, they are run too.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const fixtures = fileURLToPath(new URL('../../shared/conformance', import.meta.url));
if (existsSync(fixtures)) {
  const run = spawnSync('npm', ['run', '--silent', 'conformance', '--', fixtures], { stdio: 'inherit' });
  process.exitCode = run.status ?? 1;
} else process.stdout.write(`no public fixtures beside this repository; skipped\n`);
