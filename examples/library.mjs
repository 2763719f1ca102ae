// The SDK from code: load a document, judge a recorded run, print the verdict.
// node examples/library.mjs
import { readFileSync } from 'node:fs';
import { evaluateTrace, load, readRecord } from 'oatf';

const file = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');

const loaded = load(file('rug-pull.yaml'));
if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('\n'));

for (const name of ['rug-pull-resisted.jsonl', 'rug-pull-exploited.jsonl']) {
  const records = file(name)
    .trim()
    .split('\n')
    .map((line) => readRecord(JSON.parse(line), loaded.document))
    .flatMap((read) => (read.ok ? [read.record] : []));
  const { verdict, outcome } = evaluateTrace(loaded.document, records);
  console.log(`${name}: ${outcome}`);
  for (const { indicatorId, result, match } of verdict.indicatorVerdicts)
    console.log(`  ${indicatorId} ${result}${match ? ` (record ${match.record}, ${match.path})` : ''}`);
}
