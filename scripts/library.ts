// Writes the documents of the library from their sources: `npm run library`, or for some of them `npm run library -- OATS-TP-001`.
// `--positions` writes their other positions instead, into a folder that git ignores.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocument, countPositions } from './library/build-document.ts';
import { listSources, readEnvironments, readSourceText, scenarios } from './library/read-sources.ts';

const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.startsWith('--'));
const isOfPositions = words.includes('--positions');
const folder = isOfPositions ? join(scenarios, '../scenarios-positions') : scenarios;
const environments = readEnvironments();
const ids = listSources(wanted);
const missing = wanted.filter((id) => !ids.includes(id));
if (missing.length > 0) {
  process.stderr.write(`there is no source of ${missing.join(', ')} in scenarios/src\n`);
  process.exit(64);
}
mkdirSync(folder, { recursive: true });
for (const id of ids) {
  const text = readSourceText(id);
  const positions = isOfPositions ? Array.from({ length: countPositions(text) }, (_, index) => index) : [undefined];
  for (const position of positions) {
    try {
      const { file, text: written } = buildDocument(id, text, environments, position);
      for (const old of readdirSync(folder))
        if (old !== file && old.startsWith(`${file.split('_')[0]}_`) && !old.endsWith('.test.yaml'))
          rmSync(join(folder, old));
      writeFileSync(join(folder, file), written);
      process.stdout.write(`${file}\n`);
    } catch (thrown) {
      process.stderr.write(`${id}: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
      process.exitCode = 1;
    }
  }
}
