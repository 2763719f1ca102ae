import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { NormalizedPattern } from '../../../src/format/model/normalized.ts';
import { findDisguised } from '../../../src/judgement/disguise/find-disguised.ts';
import { secretDocuments } from './secret-documents.ts';

// Ordinary text raises no alarm, and hostile text takes neither long nor much memory, as docs/extensions/decode.md says.

const root = fileURLToPath(new URL('../../..', import.meta.url));

function passagesOf(folder: string): readonly string[] {
  return readdirSync(`${root}/${folder}`)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => readFileSync(`${root}/${folder}/${name}`, 'utf8').split(/\n{2,}/))
    .filter((passage) => !/cnry/i.test(passage));
}

const docs = readdirSync(`${root}/docs`, { recursive: true, withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name, parentPath }) => relative(root, join(parentPath, name)));
const corpus = ['.', 'docs', ...docs, 'scenarios'].flatMap(passagesOf);
/** Only every third is tried, because they are alike. */
const patterns = secretDocuments.flatMap(({ indicator: { pattern } }, index) =>
  pattern === undefined || index % 3 > 0 ? [] : [{ ...pattern, target: '' }],
);
/** As many passages as one run might have. */
const runLength = 50;

test('findDisguised finds no shipped pattern in the pages of this project, neither in one message nor in pieces', () => {
  expect(corpus.length).toBeGreaterThan(900);
  const alarms = patterns.flatMap((pattern) => {
    let look = findDisguised(pattern);
    return corpus.flatMap((passage, index) => {
      if (index % runLength === 0) look = findDisguised(pattern);
      return look(passage, 'corpus') ?? [];
    });
  });
  expect(alarms).toEqual([]);
}, 600_000);

describe('findDisguised, for hostile texts', () => {
  const long = 1_000_000;
  const encoded = (text: string, times: number): string =>
    times === 0 ? text : encoded(Buffer.from(text).toString('base64'), times - 1);
  const rows: readonly [string, readonly string[]][] = [
    ['one letter repeated', ['a'.repeat(long)]],
    ['URL escapes', ['%41'.repeat(long / 3)]],
    ['broken escapes of many kinds', ['%&#\\u=<'.repeat(long / 8)]],
    ['unclosed tags', ['<a'.repeat(long / 2)]],
    ['hex prefixes without digits', ['0x'.repeat(long / 2)]],
    ['hex digits', ['0123456789abcdef'.repeat(long / 16)]],
    ['base64 of base64 of base64', [encoded('nothing at all, again and again. '.repeat(10_000), 3)]],
    ['combining characters', ['e\u0301\u0323'.repeat(long / 3)]],
    ['short lines', ['c\n'.repeat(long / 2)]],
    ['a thousand messages', Array.from({ length: 1_000 }, (_, index) => `message ${index} says little`)],
  ];
  const pattern: NormalizedPattern = { target: '', condition: { contains: 'cnry-guest-7f3a91' } };

  test.each(rows)('finds nothing, and ends in time, in a very long text of %s', (_, texts) => {
    const look = findDisguised(pattern);
    expect(texts.flatMap((text) => look(text, 'agent') ?? [])).toEqual([]);
  });

  test('stops a regular expression that takes too many steps and reports a regex_timeout', () => {
    const look = findDisguised({ target: '', condition: { regex: `(?:${'a?'.repeat(200)}){50}cnry` } }, 100);
    const found = Array.from({ length: 400 }, (_, index) => look(`${'a'.repeat(40_000)}${index}`, 'agent'));
    expect(found.at(-1)).toMatchObject({ kind: 'regex_timeout' });
  });
});
