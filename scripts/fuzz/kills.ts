import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from './judged-run.ts';
import { randomFrom } from './random.ts';

const documents = ['OATS-001', 'OATS-003'];
const repeats = 6;
const total = documents.length * repeats;
/** Then it may finish. */
const mostKills = 10;

/** Which of the suites that a seed gives, and how many kills. */
export interface KillRange {
  readonly seed: number;
  /** The number of the first suite. */
  readonly from: number;
  readonly count: number;
}

/** Kills suites at random instants and resumes them: what had finished is never lost, and in the end all is there. */
export async function fuzzKills(root: string, { seed, from, count }: KillRange): Promise<Finding> {
  const violations: string[] = [];
  let [kills, suite] = [0, from];
  // How long it takes depends on the machine, and so does when there is something to kill.
  const wholeMs = await timed(() => inFolder((out) => play(root, out, undefined)));
  for (; kills < count; suite++) {
    const random = randomFrom(seed, suite);
    const note = (what: string): void => void violations.push(`suite ${suite}: ${what}`);
    await inFolder(async (out) => {
      let finished: readonly string[] = [];
      for (let tries = 0; ; tries++) {
        const isLast = tries === mostKills || kills >= count;
        // The less is left, the sooner it is over; to begin takes its time all the same.
        const longestMs = wholeMs * (0.4 + 0.6 * (1 - finished.length / total));
        const { stdout, code } = await play(root, out, isLast ? undefined : random.int(longestMs));
        if (code === null) kills += 1;
        const now = linesIn(join(out, 'runs.jsonl'));
        const lost = finished.filter((line) => !now.includes(line));
        if (lost.length > 0) note(`${lost.length} finished runs were lost`);
        for (const line of now)
          if (!hasWholeTrace(out, line)) note(`no whole trace of ${line.slice(0, 200)}`);
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
  /** Nothing where it was killed. */
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

/** Whole lines: half of one is a run that was under way. */
function linesIn(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** A run that counts as finished has a trace that says how it ended. */
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
