import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fuzzDocuments } from './fuzz/documents.ts';
import type { Finding } from './fuzz/judged-run.ts';
import { fuzzKills } from './fuzz/kills.ts';
import { type Random, randomFrom } from './fuzz/random.ts';
import { type FrameRow, frameRows, nameOf } from './fuzz/rows.ts';
import { fuzzSessions } from './fuzz/sessions.ts';

// Breaks documents and messages at random, and checks that the program copes with them. See docs/development/fuzzing.md.

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    full: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '0' },
    documents: { type: 'string' },
    frames: { type: 'string' },
    sessions: { type: 'string' },
    kills: { type: 'string' },
  },
});
const seed = Number(values.seed);
const small = { documents: 2_000, frames: 2_000, sessions: 100, kills: 5 };
const full = { documents: 1_000_000, frames: 100_000, sessions: 1_000, kills: 1_000 };
const usual = values.full ? full : small;
const size = (name: keyof typeof usual): number => Number(values[name] ?? usual[name]);

/** The most frames of one run. More frames take more runs. */
const batchFrames = 5_000;
/** The most memory of this process, however many frames pass through it. */
const mostMegabytes = 1_500;

const parts: { readonly [name: string]: (random: Random) => Promise<Finding> } = {
  documents: async () => fuzzDocuments(root, { seed, from: Number(values.from), count: size('documents') }),
  ...Object.fromEntries(
    frameRows.map((row) => [nameOf(row), (random: Random) => inBatches(row, size('frames'), random)]),
  ),
  sessions: () => fuzzSessions(size('sessions')),
  kills: () => fuzzKills(root, { seed, from: Number(values.from), count: size('kills') }),
};

/** Plays runs until enough frames were recorded, for one era after the other. */
async function inBatches(row: FrameRow, frames: number, random: Random): Promise<Finding> {
  const name = nameOf(row);
  const violations: string[] = [];
  const counts = new Map(row.eras.map((era) => [era, 0]));
  const each = Math.ceil(frames / row.eras.length);
  for (const era of row.eras) {
    let count = 0;
    for (let tries = 1; count < each; tries++) {
      const batch = await row.play(Math.min(batchFrames, Math.max(100, each - count)), random, era);
      count += batch.recorded;
      violations.push(...batch.violations);
      // Frames that are never read do not test their reader.
      if (batch.recorded === 0 || tries > 50 + (each / batchFrames) * 5) {
        violations.push(`${name}: ${count} of ${each} frames were recorded in ${tries} runs (${era})`);
        break;
      }
    }
    counts.set(era, count);
  }
  const words = [...counts].map(([era, count]) => `${count} ${era}`).join(', ');
  const count = [...counts.values()].reduce((sum, one) => sum + one, 0);
  return {
    name: row.eras.length > 1 ? `${name} (${words})` : name,
    count,
    unit: 'frames recorded',
    violations,
  };
}

const faults: string[] = [];
process.on('uncaughtException', (thrown) => faults.push(`uncaught: ${thrown.stack}`));
process.on('unhandledRejection', (thrown) => faults.push(`unhandled: ${String(thrown)}`));

for (const [name, play] of Object.entries(parts)) {
  if (!name.toLowerCase().includes(values.only.toLowerCase())) continue;
  const started = performance.now();
  const finding = await play(randomFrom(seed));
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  process.stdout.write(`${finding.name}: ${finding.count} ${finding.unit}, ${seconds} s, seed ${seed}\n`);
  for (const violation of [...new Set(finding.violations)].slice(0, 10)) process.stdout.write(`  ${violation}\n`);
  faults.push(...finding.violations);
}
const peak = process.resourceUsage().maxRSS / 2 ** 10;
process.stdout.write(`at most ${Math.round(peak)} MB of memory\n`);
if (peak > mostMegabytes) faults.push(`more than ${mostMegabytes} MB of memory`);
for (const fault of faults.filter((each) => /^un(?:caught|handled)/.test(each))) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
