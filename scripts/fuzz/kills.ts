import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from './judged-run.ts';
import type { Random } from './random.ts';

const documents = ['OATS-001', 'OATS-002', 'OATS-003'];
const repeats = 3;
/** From before the plan is written to the middle of the runs, on machines of every speed. */
const longestMs = 2_500;
/** Then it may finish. */
const mostKills = 6;

/** Kills suites at random instants and resumes them: what had finished is never lost, and in the end all is there. */
export async function fuzzKills(root: string, count: number, random: Random): Promise<Finding> {
  const violations: string[] = [];
  let kills = 0;
  let suites = 0;
  while (kills < count) {
    const folder = mkdtempSync(join(tmpdir(), 'oatf-fuzz-'));
    suites += 1;
    try {
      const out = join(folder, 'r');
      let finished: readonly string[] = [];
      for (let tries = 0; ; tries++) {
        const isLast = tries === mostKills || kills >= count;
        const delay = isLast ? undefined : random.int(longestMs);
        const { stdout, code } = await play(root, out, delay);
        if (code === null) kills += 1;
        const now = linesIn(join(out, 'runs.jsonl'));
        const lost = finished.filter((line) => !now.includes(line));
        if (lost.length > 0) violations.push(`suite ${suites}: ${lost.length} finished runs were lost`);
        finished = now;
        if (code === null) continue;
        const total = documents.length * repeats;
        if (now.length !== total)
          violations.push(`suite ${suites}: ${now.length} of ${total} runs (exit ${code})`);
        if (code !== 1) violations.push(`suite ${suites}: exit ${code}`);
        if (!isJson(stdout)) violations.push(`suite ${suites}: standard output is not one JSON text`);
        break;
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { name: `kill -9 and resume (${suites} suites)`, count: kills, unit: 'kills', violations };
}

interface Played {
  readonly stdout: string;
  /** Nothing where it was killed. */
  readonly code: number | null;
}

function play(root: string, out: string, killAfterMs: number | undefined): Promise<Played> {
  const args = [
    'run',
    ...documents,
    '--agent',
    'gullible',
    '--repeat',
    String(repeats),
    '--resume',
    out,
    '--json',
  ];
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.js'), ...args, '-j', '2']);
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
