import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../support/bundle.ts';

export interface HostileResult {
  readonly outcome: string;
  /** The time from the first step of the case to the last, without the start of the process. */
  readonly milliseconds: number;
  /** The most memory that the process ever had, including its start. */
  readonly megabytes: number;
}

export interface HostileRunner {
  /** Runs a case in a process of its own. */
  run(id: string): Promise<HostileResult>;
  /** Runs a case in a process that has run others. If it needs more memory there, it is run again in a process of its own. */
  runAfterOthers(id: string, maximumMegabytes: number): Promise<HostileResult>;
  close(): Promise<void>;
}

/**
 * Node decides when to collect garbage, and newer versions give the young generation several times more room. With the
 * room of Node 20, the measured memory is that of the case. It has that room at once: as long as it grows, all that is kept is
 * copied several times.
 */
const flags = ['--expose-gc', '--min-semi-space-size=16', '--max-semi-space-size=16'];
/** A process that has used more than this is not used again. */
const megabytesToGoOn = 192;

export async function startHostileRunner(): Promise<HostileRunner> {
  const folder = await mkdtemp(join(tmpdir(), 'oatf-hostile-'));
  const file = join(folder, 'child.cjs');
  await writeFile(file, await bundle('test/hostile/child.ts', 'node'));
  const start = (): ChildProcessWithoutNullStreams => {
    const child = spawn(process.execPath, [...flags, file]);
    // A process that has already ended is reported by its `close` event.
    child.stdin.on('error', () => {});
    return child;
  };
  const waiting: ChildProcessWithoutNullStreams[] = [];
  const run = async (id: string): Promise<HostileResult> => {
    const child = start();
    const result = await resultOf(child, id);
    child.stdin.end();
    return result;
  };
  return {
    run,
    async runAfterOthers(id, maximumMegabytes) {
      const child = waiting.pop() ?? start();
      const result = await resultOf(child, id);
      const { megabytes } = result;
      if (megabytes > 0 && megabytes < megabytesToGoOn) waiting.push(child);
      else child.stdin.end();
      return megabytes > 0 && megabytes <= maximumMegabytes ? result : run(id);
    },
    async close() {
      const ends = waiting.map((child) => once(child, 'close'));
      for (const child of waiting) child.stdin.end();
      await Promise.all(ends);
      await rm(folder, { recursive: true });
    },
  };
}

/** The result that the process reports; 0 megabytes if it ends before that. */
function resultOf(child: ChildProcessWithoutNullStreams, id: string): Promise<HostileResult> {
  return new Promise((resolve) => {
    let words = '';
    let complaint = '';
    const hear = (chunk: Buffer): void => {
      words += chunk;
      if (words.endsWith('\n')) end(JSON.parse(words) as HostileResult);
    };
    const complain = (chunk: Buffer): void => {
      complaint += chunk;
    };
    const crash = (code: number | null, signal: string | null): void =>
      end({
        outcome: `crashed: ${signal ?? code} ${complaint.slice(0, 2_000)}`,
        milliseconds: 0,
        megabytes: 0,
      });
    const end = (result: HostileResult): void => {
      child.stdout.off('data', hear);
      child.stderr.off('data', complain);
      child.off('close', crash);
      resolve(result);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', complain);
    child.on('close', crash);
    child.stdin.write(`${id}\n`);
  });
}
