import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Figure } from './measure.ts';

const runs = 1_000;
const concurrency = 8;
const ownMs = 200;
const mostOfIdeal = 1.3;
/** The entries of runs are kept for the results, so each run may take a little memory. */
const mostPerRun = 0.01;

/**
 * A thousand runs against an agent that takes a fifth of a second and cannot say that it is done, so that each run is
 * watched for another two quiet seconds. Measures our share of the time, and the memory.
 */
export function benchSuite(): Figure[] {
  const path = fileURLToPath(new URL('./peers/suite-runs.ts', import.meta.url));
  const args = ['--expose-gc', '--import', 'tsx', path, ...[runs, concurrency, ownMs].map(String)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  const { milliseconds, early, late } = JSON.parse(stdout);
  const ideal = (runs * ownMs) / concurrency;
  const growth = (late - early) / (runs * 0.9);
  return [
    {
      name: `${runs} runs at ${concurrency} at a time, of an agent that takes ${ownMs} ms`,
      value: `${(milliseconds / ideal).toFixed(2)} × (${(milliseconds / 1_000).toFixed(1)} s against ${(ideal / 1_000).toFixed(1)} s)`,
      bound: `≤ ${mostOfIdeal} ×`,
      ok: milliseconds / ideal <= mostOfIdeal,
    },
    {
      name: 'memory that a run leaves behind: its entry',
      value: `${(growth * 1_000).toFixed(1)} kB (${late.toFixed(1)} MB of heap against ${early.toFixed(1)} MB after a tenth)`,
      bound: `≤ ${mostPerRun * 1_000} kB`,
      ok: growth <= mostPerRun,
    },
  ];
}
