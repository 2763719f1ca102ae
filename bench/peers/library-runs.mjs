// Plays the whole library against two built-in agents, in turns: with the usual end of runs, and without any waiting.
// Prints the milliseconds of each as JSON.
import { readFileSync } from 'node:fs';
import { load } from '../../dist/index.js';
import { builtInAgent, openLibrary, planSuite, playSuite } from '../../dist/runtime.js';

const rounds = Number(process.argv[2]);
const library = openLibrary();
if (!library.ok) throw new Error(library.reason);
const documents = library.documents.map(({ id, path }) => {
  const text = readFileSync(path, 'utf8');
  const loaded = load(text);
  if (!loaded.ok) throw new Error(`${id} does not load`);
  return { ...loaded, file: id, text };
});

async function played(limits) {
  const agents = [builtInAgent('gullible'), builtInAgent('guarded')];
  const plan = planSuite({ documents, agents });
  const start = performance.now();
  await playSuite({ plan, documents, agents, pace: { concurrency: 2 }, settings: { limits } });
  return performance.now() - start;
}

// The first round lets the compiler warm up.
await played({ graceMs: 0 });
for (let round = 0; round < rounds; round++) {
  const times = { ours: await played({}), baseline: await played({ graceMs: 0 }) };
  process.stdout.write(`${JSON.stringify(times)}\n`);
}
