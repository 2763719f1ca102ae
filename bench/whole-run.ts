import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Figure, ratio } from './measure.ts';

/** An attack from the launch of the agent to the verdict, against the same exchange by a bare script. */
export function benchWholeRun(): Figure[] {
  const path = fileURLToPath(new URL('./peers/whole-run.mjs', import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [path], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return [ratio('a whole run against a built-in agent', JSON.parse(stdout), 1.8)];
}
