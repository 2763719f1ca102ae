// Writes an index of the library: a summary of each document by its id, so that lists need not read any document.
import { execFileSync } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const index = `${dist}library.json`;
// Without an index, the command reads the documents themselves.
rmSync(index, { force: true });
const listed = execFileSync(process.execPath, [`${dist}cli.js`, 'list', '--json'], { encoding: 'utf8' });
const rows = JSON.parse(listed).documents.map(({ file, ...summary }) => [
  summary.id,
  { bytes: statSync(file).size, summary },
]);
writeFileSync(index, JSON.stringify(Object.fromEntries(rows)));
