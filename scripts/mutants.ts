import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { testedModules } from './mutants/modules.ts';
import { type Mutant, mutantsOf, mutated } from './mutants/mutants-of.ts';
import type { TestRequest, TestVerdict } from './mutants/run-tests.ts';

// Changes the program in small ways, and checks that the tests notice. See docs/development/mutants.md.

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    least: { type: 'string', default: '92' },
  },
});
const unknown = positionals.filter((module) => !Object.hasOwn(testedModules, module));
if (unknown.length > 0) {
  process.stderr.write(
    `usage: npm run mutants -- [MODULE…] [--count N] [--seed N] [--only FILE] [--least PERCENT]\nmodules: ${Object.keys(testedModules).join(', ')}\n`,
  );
  process.exit(64);
}

type MutantResult = 'killed' | 'survived';

/** Longer than the tests of any module take on a busy machine. */
const patienceMs = 240_000;

let measured = 0;
for (const module of positionals.length === 0 ? Object.keys(testedModules) : positionals) {
  const results = await measure(module);
  if (results.length === 0) continue;
  measured += results.length;
  const killed = results.filter((result) => result === 'killed').length;
  const rate = (100 * killed) / results.length;
  process.stdout.write(`${module}: ${killed} of ${results.length} killed, ${rate.toFixed(1)} %\n`);
  if (rate < Number(values.least)) process.exitCode = 1;
}
if (measured === 0) process.exitCode = 1;

/** Runs the tests of a module on a sample of its mutants. */
async function measure(module: string): Promise<readonly MutantResult[]> {
  const tests = testedModules[module] ?? [];
  const sample = sampled(allMutants(module), Number(values.count), Number(values.seed));
  if (sample.length === 0) return [];
  let runner = await startTests();
  const untouched = await ask(runner, { tests });
  if (untouched === 'endless' || !untouched.passed)
    throw new Error(
      `the tests of ${module} fail as it is: ${untouched === 'endless' ? 'they do not end' : untouched.by}`,
    );
  const results: MutantResult[] = [];
  for (const mutant of sample) {
    const text = readFileSync(join(root, mutant.file), 'utf8');
    const verdict = await ask(runner, { tests, file: join(root, mutant.file), code: mutated(text, mutant) });
    if (verdict === 'endless') runner = await startTests();
    results.push(note(mutant, verdict));
  }
  end(runner);
  return results;
}

function note(mutant: Mutant, verdict: TestVerdict | 'endless'): MutantResult {
  const result = verdict === 'endless' || !verdict.passed ? 'killed' : 'survived';
  const change = `${mutant.file}:${mutant.line}  ${inLine(mutant.before)}  →  ${inLine(mutant.after)}`;
  const why = verdict === 'endless' ? 'does not end' : (verdict.by ?? '');
  process.stdout.write(`${result.padEnd(8)}  ${change}${why === '' ? '' : `  (${inLine(why)})`}\n`);
  return result;
}

function inLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}

function allMutants(module: string): Mutant[] {
  const folder = join(root, 'src', module);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => relative(root, join(folder, name)))
    .filter((file) => values.only === undefined || file.includes(values.only))
    .sort()
    .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
}

/** The same seed gives the same sample of the same program. */
function sampled(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const shuffled = mutants.map((mutant) => ({ mutant, at: next() })).sort((a, b) => a.at - b.at);
  return shuffled.slice(0, count).map(({ mutant }) => mutant);
}

/** Starts the process that runs the tests, in a group of its own: if the tests never end, the whole group is killed. */
async function startTests(): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('./mutants/run-tests.ts', import.meta.url));
  const child = fork(program, { cwd: root, detached: true, execArgv: ['--import', 'tsx'], stdio: 'ignore' });
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the tests cannot be started: exit code ${code}`)));
  });
  return child;
}

function ask(child: ChildProcess, request: TestRequest): Promise<TestVerdict | 'endless'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle('endless'), patienceMs);
    const settle = (verdict: TestVerdict | 'endless'): void => {
      clearTimeout(timer);
      child.off('message', settle);
      child.off('exit', died);
      if (verdict === 'endless') end(child);
      resolve(verdict);
    };
    const died = (): void => settle('endless');
    child.on('message', settle);
    child.once('exit', died);
    child.send(request);
  });
}

function end({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
