// Writes the licences of the packages whose code is in dist. The source maps say which packages these are.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

const sources = readdirSync(dist)
  .filter((name) => name.endsWith('.js.map'))
  .flatMap((name) => JSON.parse(readFileSync(join(dist, name), 'utf8')).sources);
// The match is greedy: for a package within a package, the code belongs to the inner one.
const folderOf = /.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const folders = [...new Set(sources.flatMap((source) => folderOf.exec(source) ?? []))].sort();

const sections = folders.map((folder) => {
  const path = join(dist, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const texts = readdirSync(path)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(path, file), 'utf8').trim());
  if (texts.length === 0) texts.push(...headersIn(folder));
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
});

/** The licence comments in a package's files, each once, for a package without a licence file. */
function headersIn(folder) {
  const headers = sources
    .filter((source) => source.startsWith(`${folder}/`))
    .map((source) => /^(?:\/\/.*\n)+/.exec(readFileSync(join(dist, source), 'utf8'))?.[0] ?? '')
    .filter((header) => /\bcopyright\b/i.test(header))
    .map((header) => header.replaceAll(/^\/\/ ?/gm, '').trim());
  if (headers.length === 0) throw new Error(`${folder} says nothing about its licence`);
  return new Set(headers);
}

const rule = `\n${'-'.repeat(80)}\n\n`;
const opening = 'The files beside this one hold code of the following packages.\n';
writeFileSync(join(dist, 'THIRD-PARTY.txt'), [opening, ...sections].join(rule));
