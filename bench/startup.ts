import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Figure, ratio } from './measure.ts';

const rounds = 40;
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** `oatf --version` against an empty Node program, in turns. */
export function benchStartup(): Figure[] {
  const ours: number[] = [];
  const empty: number[] = [];
  for (let round = 0; round < rounds; round++) {
    empty.push(run(['--eval', '']));
    ours.push(run([cli, '--version']));
  }
  return [ratio('oatf --version', middle(ours), middle(empty), 1.3)];
}

function run(args: readonly string[]): number {
  const start = performance.now();
  spawnSync(process.execPath, args);
  return performance.now() - start;
}

function middle(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
