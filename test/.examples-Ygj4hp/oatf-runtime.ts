import { readFileSync } from 'node:fs';
import { load } from '/work/w-tests/src/index.ts';
import { builtInAgent, mcpServerMode, openLibrary, playDocument, systemClock } from '/work/w-tests/src/runtime.ts';

const library = openLibrary();
if (!library.ok) throw new Error(library.reason);
const path = library.documents.find(({ id }) => id === 'OATS-001')?.path ?? '';
const loaded = load(readFileSync(path, 'utf8'));
if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('\n'));

for (const name of ['gullible', 'guarded'] as const) {
  const { outcome } = await playDocument(loaded.document, {
    agent: builtInAgent(name),
    modes: [mcpServerMode()],
    clock: systemClock,
  });
  console.log(`${name}: ${outcome}`);
}
// prints: gullible: exploited
// prints: guarded: resisted
