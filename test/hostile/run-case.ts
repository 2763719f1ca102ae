import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../support/bundle.ts';

export interface HostileResult {
  readonly outcome: string;
  /** The time from the first step of the case to the last, without the start of the process. */
  readonly milliseconds: number;
  /** The most memory that the process ever had, including its start. */
  readonly megabytes: number;
}

export interface HostileRunner {
  run(id: string): Promise<HostileResult>;
  close(): Promise<void>;
}

const execute = promisify(execFile);

/**
 * Node decides when to collect garbage, and newer versions give the young generation several times more room. With the
 * room of Node 20, the measured memory is that of the case.
 */
const flags = ['--expose-gc', '--max-semi-space-size=16'];

export async function startHostileRunner(): Promise<HostileRunner> {
  const folder = await mkdtemp(join(tmpdir(), 'oatf-hostile-'));
  const file = join(folder, 'child.cjs');
  await writeFile(file, await bundle('test/hostile/child.ts', 'node'));
  return {
    async run(id) {
      try {
        const { stdout } = await execute(process.execPath, [...flags, file, id]);
        return JSON.parse(stdout) as HostileResult;
      } catch (thrown) {
        return { outcome: `crashed: ${String(thrown).slice(0, 2_000)}`, milliseconds: 0, megabytes: 0 };
      }
    },
    close: () => rm(folder, { recursive: true }),
  };
}
