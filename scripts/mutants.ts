import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Mutant, mutantsOf, mutated } from './mutants/mutants-of.ts';
import { rooms } from './mutants/rooms.ts';
import type { Order, Told } from './mutants/run-tests.ts';
import { knownSurvivor } from './mutants/survivors.ts';

// Changes the program in small ways, and checks that the tests notice. See docs/mutants.md.

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    least: { type: 'string', default: '95' },
  },
});
const unknown = positionals.filter((room) => !Object.hasOwn(rooms, room));
if (unknown.length > 0) {
  process.stderr.write(
    `usage: npm run mutants -- [ROOM…] [--count N] [--seed N] [--only FILE] [--least PERCENT]\nrooms: ${Object.keys(rooms).join(', ')}\n`,
  );
  process.exit(64);
}

/** Longer than the tests of any room take on a busy machine. */
const patienceMs = 240_000;

const tally = { killed: 0, survived: 0, equivalent: 0 };
for (const room of positionals.length === 0 ? Object.keys(rooms) : positionals) await measure(room);
const counted = tally.killed + tally.survived;
const rate = counted === 0 ? 0 : (100 * tally.killed) / counted;
process.stdout.write(
  `${tally.killed} of ${counted} killed, ${rate.toFixed(1)} %; ${tally.equivalent} change nothing\n`,
);
process.exitCode = rate >= Number(values.least) ? 0 : 1;

async function measure(room: string): Promise<void> {
  const tests = rooms[room] ?? [];
  const sample = sampled(allMutants(room), Number(values.count), Number(values.seed));
  if (sample.length === 0) return;
  let shown = await startTests();
  const untouched = await ask(shown, { tests });
  if (untouched === 'endless' || !untouched.passed)
    throw new Error(
      `the tests of ${room} fail as it is: ${untouched === 'endless' ? 'they do not end' : untouched.by}`,
    );
  for (const mutant of sample) {
    const text = readFileSync(join(root, mutant.file), 'utf8');
    const told = await ask(shown, { tests, file: join(root, mutant.file), code: mutated(text, mutant) });
    if (told === 'endless') shown = await startTests();
    note(mutant, told);
  }
  end(shown);
}

function note(mutant: Mutant, told: Told | 'endless'): void {
  const isKilled = told === 'endless' || !told.passed;
  const known = knownSurvivor(mutant);
  const standing = isKilled ? 'killed' : known?.isEquivalent ? 'equivalent' : 'survived';
  tally[standing] += 1;
  const change = `${mutant.file}:${mutant.line}  ${inLine(mutant.before)}  →  ${inLine(mutant.after)}`;
  const why = told === 'endless' ? 'does not end' : (told.by ?? known?.reason ?? '');
  process.stdout.write(`${standing.padEnd(10)}  ${change}${why === '' ? '' : `  (${inLine(why)})`}\n`);
}

function inLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}

function allMutants(room: string): Mutant[] {
  const folder = join(root, 'src', room);
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

function ask(child: ChildProcess, order: Order): Promise<Told | 'endless'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle('endless'), patienceMs);
    const settle = (told: Told | 'endless'): void => {
      clearTimeout(timer);
      child.off('message', settle);
      child.off('exit', died);
      if (told === 'endless') end(child);
      resolve(told);
    };
    const died = (): void => settle('endless');
    child.on('message', settle);
    child.once('exit', died);
    child.send(order);
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
