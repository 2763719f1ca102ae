import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from './judged-run.ts';
import { randomFrom } from './random.ts';

const documents = ['OATS-001', 'OATS-003'];
const repeats = 6;
const total = documents.length * repeats;
/** After this many kills a suite may finish. */
const mostKills = 10;

/** The suites to kill: a seed, the first number, and the number of kills. */
export interface KillRange {
  readonly seed: number;
  /** The number of the first suite. */
  readonly from: number;
  readonly count: number;
}

/**
 * Kills suites at random instants and resumes them. No finished run may be lost, and in the end all runs must be there.
 */
export async function fuzzKills(root: string, { seed, from, count }: KillRange): Promise<Finding> {
  const violations: string[] = [];
  let [kills, suite] = [0, from];
  // The kills must fall into the time of a suite, which depends on the machine.
  const wholeMs = await timed(() => inFolder((out) => play(root, out, undefined)));
  for (; kills < count; suite++) {
    const random = randomFrom(seed, suite);
    const note = (what: string): void => void violations.push(`suite ${suite}: ${what}`);
    await inFolder(async (out) => {
      let finished: readonly string[] = [];
      for (let tries = 0; ; tries++) {
        const isLast = tries === mostKills || kills >= count;
        // A suite with few runs left ends sooner, but starting takes the same time.
        const longestMs = wholeMs * (0.4 + 0.6 * (1 - finished.length / total));
        const { stdout, code } = await play(root, out, isLast ? undefined : random.int(longestMs));
        if (code === null) kills += 1;
        const now = linesIn(join(out, 'runs.jsonl'));
        const lost = finished.filter((line) => !now.includes(line));
        if (lost.length > 0) note(`${lost.length} finished runs were lost`);
        for (const line of now) if (!hasWholeTrace(out, line)) note(`no whole trace of ${line.slice(0, 200)}`);
        finished = now;
        if (code === null) continue;
        if (now.length !== total) note(`${now.length} of ${total} runs (exit ${code})`);
        if (code !== 1) note(`exit ${code}`);
        if (!isJson(stdout)) note('standard output is not one JSON text');
        break;
      }
    });
  }
  const name = `kill -9 and resume (suites ${from} to ${suite - 1})`;
  return { name, count: kills, unit: 'kills', violations };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function inFolder<T>(work: (out: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-fuzz-'));
  try {
    return await work(join(folder, 'r'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Played {
  readonly stdout: string;
  /** Null if the process was killed. */
  readonly code: number | null;
}

function play(root: string, out: string, killAfterMs: number | undefined): Promise<Played> {
  const said = ['--agent', 'gullible', '--repeat', String(repeats), '-j', '2', '--resume', out, '--json'];
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.js'), 'run', ...documents, ...said]);
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.resume();
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise((resolve) =>
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ stdout, code });
    }),
  );
}

/** The complete lines. A half-written last line belongs to a run that was in progress. */
function linesIn(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** The trace of a finished run must say how the run ended. */
function hasWholeTrace(out: string, line: string): boolean {
  const { trace } = JSON.parse(line);
  const last = linesIn(join(out, String(trace))).at(-1) ?? '{}';
  return isJson(last) && JSON.parse(last).kind === 'end';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
