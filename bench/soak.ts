import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Figure } from './measure.ts';

/** The full soak takes an hour; a minute shows fast leaks. */
const seconds = Number(process.env.OATF_BENCH_SOAK_S ?? 60);
/** How much higher than the second third the last third may be; beyond that, something grows. */
const slack = 1.1;

/** Plays suites one after the other in one process: memory, handles and open files must not grow. */
export function benchSoak(): Figure[] {
  const path = fileURLToPath(new URL('./peers/soak-suites.ts', import.meta.url));
  const args = ['--expose-gc', '--import', 'tsx', path, String(seconds)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (stdout === '') throw new Error(stderr);
  const rounds: { runs: number; heap: number; handles: number; files: number }[] = JSON.parse(stdout);
  const runs = rounds.reduce((sum, round) => sum + round.runs, 0);
  const over = `${runs} runs in ${rounds.length} suites, ${seconds} s`;
  const third = Math.ceil(rounds.length / 3);
  const peaks = (of: (round: (typeof rounds)[number]) => number): [number, number] => [
    Math.max(...rounds.slice(third, 2 * third).map(of)),
    Math.max(...rounds.slice(2 * third).map(of)),
  ];
  const [heapBefore, heapAfter] = peaks(({ heap }) => heap);
  const [handlesBefore, handlesAfter] = peaks(({ handles }) => handles);
  const [filesBefore, filesAfter] = peaks(({ files }) => files);
  return [
    {
      name: `memory of a process that plays suites (${over})`,
      value: `${(heapAfter / heapBefore).toFixed(2)} × (${heapBefore.toFixed(0)}, ${heapAfter.toFixed(0)} MB of heap in its last thirds)`,
      bound: `≤ ${slack} ×`,
      ok: heapAfter / heapBefore <= slack,
    },
    {
      name: 'handles and files that it has open between suites',
      value: `${handlesAfter} and ${filesAfter} (${handlesBefore} and ${filesBefore} a third before)`,
      bound: 'no more than before',
      ok: handlesAfter <= handlesBefore && filesAfter <= filesBefore,
    },
  ];
}
