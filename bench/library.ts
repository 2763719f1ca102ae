import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Figure, type Measured, middle, ratio } from './measure.ts';

const rounds = 5;

/**
 * How much time the wait at the end of runs adds. Built-in agents declare that nothing is pending, so it should add
 * nothing.
 */
export function benchLibrary(): Figure[] {
  const path = fileURLToPath(new URL('./peers/library-runs.mjs', import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [path, String(rounds)], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  const times = stdout
    .trim()
    .split('\n')
    .map((line): Measured => JSON.parse(line));
  const measured = {
    ours: middle(times.map(({ ours }) => ours)),
    baseline: middle(times.map(({ baseline }) => baseline)),
  };
  return [ratio('the library against both built-in agents, with the wait for the end of each run', measured, 1.3)];
}
