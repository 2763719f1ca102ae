// Proves that the JSON Schema works in editors: yaml-language-server, which most editors use for YAML, gets the schema and is
// asked for completions, explanations and problems.
//
//   npm run build && npm run editor [FOLDER]
//
// The server is installed from the npm registry into a temporary folder, or taken from FOLDER/node_modules. The exit code is 0
// if every row of scripts/editor/rows.ts holds, and 1 otherwise.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLanguageServer } from './editor/language-server.ts';
import { rows } from './editor/rows.ts';

const version = '1.19.2';
const given = process.argv[2];
const folder = given === undefined ? mkdtempSync(join(tmpdir(), 'oatf-editor-')) : resolve(given);
if (given === undefined)
  execFileSync('npm', ['install', '--no-save', '--prefix', folder, `yaml-language-server@${version}`], {
    stdio: 'ignore',
  });

const schema = fileURLToPath(new URL('../dist/schema.json', import.meta.url));
const server = await startLanguageServer(join(folder, 'node_modules/yaml-language-server'), schema);
let failed = 0;
for (const { name, text, expected } of rows) {
  const found = await server.look(text);
  const wrong = Object.entries(expected).flatMap(([kind, wanted]) =>
    wanted.filter((each) => !isThere(found[kind as keyof typeof found], each)).map((each) => `${kind}: ${each}`),
  );
  if (wrong.length > 0) failed += 1;
  console.log(`${wrong.length === 0 ? 'ok   ' : 'wrong'} ${name}`);
  for (const each of wrong) console.log(`      expected ${each}, found ${JSON.stringify(found)}`);
}
await server.close();
if (given === undefined) rmSync(folder, { recursive: true });
console.log(`${rows.length - failed} of ${rows.length} rows`);
process.exitCode = failed === 0 ? 0 : 1;

/** `!` before a text means that the text must not be there. */
function isThere(found: readonly string[], wanted: string): boolean {
  if (wanted === 'none') return found.length === 0;
  if (wanted.startsWith('!')) return !found.some((each) => each.includes(wanted.slice(1)));
  return found.some((each) => each.includes(wanted));
}
