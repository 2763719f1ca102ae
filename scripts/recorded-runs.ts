// Judges the recorded runs of ThoughtJack's benchmark again: npm run recorded-runs -- [DIR] [--out DIR]
// DIR holds scenarios/ID.yaml and traces/MODEL/ID.json. Each group of equal runs becomes a trace file, which is then read and judged
// as `oatf evaluate` does. The tier that the indicators give must be the recorded one. Outcomes are not compared: a trace without our
// end record is never resisted.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluateTrace } from '../src/evaluate-trace.ts';
import { loadMarked } from '../src/format/load-marked.ts';
import { parseJson } from '../src/format/model/json-text-values.ts';
import type { NormalizedDocument } from '../src/format/model/normalized.ts';
import { readRecord } from '../src/judgement/evaluate/read-record.ts';
import { publicFixture, tellFixtures } from '../test/support/public-fixtures.ts';

interface RecordedRuns {
  readonly shared_prefix: readonly object[];
  readonly groups: readonly { readonly events: readonly object[]; readonly tiers: readonly number[] }[];
}

/** The tiers by the numbers that stand for them. */
const tiers = [undefined, 'ingested', 'local_action', 'boundary_breach'];
/** One recorded tier is known to contradict the traffic beside it. */
const mostDifferences = 1;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } });
const folder = positionals[0] ?? publicFixture('corpus/thoughtjack-benchmark');

if (folder === undefined) process.stdout.write(`${tellFixtures()}\n`);
else if (!existsSync(join(folder, 'traces'))) {
  process.stderr.write('usage: npm run recorded-runs -- [DIR] [--out DIR]\nDIR holds scenarios/ and traces/\n');
  process.exitCode = 64;
} else {
  const out = values.out ?? mkdtempSync(join(tmpdir(), 'oatf-recorded-'));
  try {
    const { runs, differences } = judgeRecordedRuns(folder, out);
    for (const difference of differences) process.stdout.write(`${difference}\n`);
    process.stdout.write(`${runs - differences.length} of ${runs} runs reached the recorded tier\n`);
    process.exitCode = runs === 0 || differences.length > mostDifferences ? 1 : 0;
  } finally {
    if (values.out === undefined) rmSync(out, { recursive: true, force: true });
  }
}

function judgeRecordedRuns(from: string, out: string): { runs: number; differences: readonly string[] } {
  let runs = 0;
  const differences: string[] = [];
  for (const model of readdirSync(join(from, 'traces')))
    for (const file of readdirSync(join(from, 'traces', model))) {
      const id = basename(file, '.json');
      const document = loadScenario(join(from, 'scenarios', `${id}.yaml`));
      const { shared_prefix, groups } = JSON.parse(
        readFileSync(join(from, 'traces', model, file), 'utf8'),
      ) as RecordedRuns;
      mkdirSync(join(out, model), { recursive: true });
      for (const [index, { events, tiers: recorded }] of groups.entries()) {
        const trace = join(out, model, `${id}-${index}.jsonl`);
        writeFileSync(trace, formatTrace([...shared_prefix, ...events]));
        const reached = judgeTrace(document, trace);
        runs += recorded.length;
        for (const tier of recorded)
          if (tiers[tier] !== reached)
            differences.push(
              `${model} ${id}, group ${index}: ${reached ?? 'no tier'}, recorded ${tiers[tier] ?? 'no tier'}`,
            );
      }
    }
  return { runs, differences };
}

function loadScenario(path: string): NormalizedDocument {
  const loaded = loadMarked(readFileSync(path, 'utf8'));
  if (!loaded.ok) throw new Error(`${path}: ${loaded.errors[0]?.message}`);
  return loaded.document;
}

/** The recorded events have neither number nor time. */
function formatTrace(events: readonly object[]): string {
  return events
    .map((event, seq) => `${JSON.stringify({ seq, timestamp: new Date(seq).toISOString(), ...event })}\n`)
    .join('');
}

function judgeTrace(document: NormalizedDocument, trace: string): string | undefined {
  const lines = readFileSync(trace, 'utf8').split('\n').filter(Boolean);
  const records = lines.map((line) => {
    const read = readRecord(parseJson(line), document);
    if (!read.ok) throw new Error(`${trace}: ${read.message}`);
    return read.record;
  });
  return evaluateTrace(document, records).verdict.maxTier;
}
