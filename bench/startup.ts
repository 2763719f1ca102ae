import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Figure, inTurns, ratio } from './measure.ts';

const rounds = 40;
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** `oatf --version` against an empty Node program. */
export function benchStartup(): Figure[] {
  const version = inTurns(
    rounds,
    () => run([cli, '--version']),
    () => run(['--eval', '']),
  );
  return [ratio('oatf --version', version, 1.3)];
}

function run(args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args);
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
}
