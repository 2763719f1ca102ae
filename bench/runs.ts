import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Figure } from './measure.ts';

const slack = 1.3;

/** A thousand runs in one process: memory and open handles after a hundred runs, against those at the end. */
export async function benchRuns(): Promise<Figure[]> {
  const path = fileURLToPath(new URL('./peers/many-runs.mjs', import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const samples: { readonly megabytes: number; readonly handles: number }[] = [];
  for await (const line of createInterface({ input: child.stdout })) samples.push(JSON.parse(line));
  const [early, late] = [samples[0], samples.at(-1)];
  if (early === undefined || late === undefined) throw new Error('the runs have ended early');
  return [
    {
      name: 'memory after 1 000 runs in one process',
      value: `${(late.megabytes / early.megabytes).toFixed(2)} × (${late.megabytes} MB of heap against ${early.megabytes} MB after 100)`,
      bound: `≤ ${slack} ×`,
      ok: late.megabytes / early.megabytes <= slack,
    },
    {
      name: 'handles open after 1 000 runs in one process',
      value: `${late.handles} against ${early.handles} after 100`,
      bound: 'no more',
      ok: late.handles <= early.handles,
    },
  ];
}
