// A suite from code: three attacks of the library on two built-in agents, each twice.
// node examples/suite.mjs
import { readFileSync } from 'node:fs';
import { load } from 'oatf';
import { builtInAgent, openLibrary, planSuite, playSuite } from 'oatf/runtime';

const library = openLibrary();
if (!library.ok) throw new Error(library.reason);

const documents = library.documents.slice(0, 3).map(({ id, path }) => {
  const text = readFileSync(path, 'utf8');
  const loaded = load(text);
  if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('\n'));
  return { ...loaded, file: id, text };
});
const agents = [builtInAgent('gullible'), builtInAgent('guarded')];

const { results } = await playSuite({
  plan: planSuite({ documents, agents, repeat: 2 }),
  documents,
  agents,
  pace: { concurrency: 4, retries: 1, signal: AbortSignal.timeout(60_000) },
});

for (const { document, agent, status, success } of results?.statistics.attacks ?? [])
  console.log(`${document}  ${agent.padEnd(8)}  ${status}  ${success.count}/${success.of}`);
