// Writes an index of the library: a summary of each document by the hash of its text, so that lists need not parse it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const listed = execFileSync(process.execPath, [`${dist}cli.js`, 'list', '--json'], { encoding: 'utf8' });
const rows = JSON.parse(listed).documents.map(({ file, ...summary }) => {
  const text = readFileSync(file, 'utf8');
  return [createHash('sha256').update(text).digest('base64url'), summary];
});
writeFileSync(`${dist}library.json`, JSON.stringify(Object.fromEntries(rows)));
