import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { seeThrough } from '../../src/disguise/see-through.ts';
import type { NormalizedPattern } from '../../src/index.ts';
import { secretDocuments } from './secret-documents.ts';

// Ordinary text raises no alarm, and hostile text takes neither long nor much memory, as docs/disguises.md says.

const root = fileURLToPath(new URL('../..', import.meta.url));

function passagesOf(folder: string): readonly string[] {
  return readdirSync(`${root}/${folder}`)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => readFileSync(`${root}/${folder}/${name}`, 'utf8').split(/\n{2,}/))
    .filter((passage) => !/cnry/i.test(passage));
}

const corpus = ['.', 'docs', 'docs/decisions', 'scenarios'].flatMap(passagesOf);
/** Only every third is tried, because they are alike. */
const patterns = secretDocuments.flatMap(({ indicator: { pattern } }, index) =>
  pattern === undefined || index % 3 > 0 ? [] : [{ ...pattern, target: '' }],
);
/** As many passages as one run might have. */
const runLength = 50;

test('no shipped pattern is found in the pages of this project, message by message or in pieces', () => {
  expect(corpus.length).toBeGreaterThan(900);
  const alarms = patterns.flatMap((pattern) => {
    let look = seeThrough(pattern);
    return corpus.flatMap((passage, index) => {
      if (index % runLength === 0) look = seeThrough(pattern);
      return look(passage, 'corpus') ?? [];
    });
  });
  expect(alarms).toEqual([]);
}, 600_000);

describe('hostile texts', () => {
  const long = 1_000_000;
  const encoded = (text: string, times: number): string =>
    times === 0 ? text : encoded(Buffer.from(text).toString('base64'), times - 1);
  const rows: readonly [string, readonly string[]][] = [
    ['one letter', ['a'.repeat(long)]],
    ['escapes', ['%41'.repeat(long / 3)]],
    ['escapes that are none', ['%&#\\u=<'.repeat(long / 8)]],
    ['brackets', ['<a'.repeat(long / 2)]],
    ['hex that is none', ['0x'.repeat(long / 2)]],
    ['digits', ['0123456789abcdef'.repeat(long / 16)]],
    ['base64 of base64 of base64', [encoded('nothing at all, again and again. '.repeat(10_000), 3)]],
    ['combining characters', ['e\u0301\u0323'.repeat(long / 3)]],
    ['lines', ['c\n'.repeat(long / 2)]],
    ['many messages', Array.from({ length: 1_000 }, (_, index) => `message ${index} says little`)],
  ];
  const pattern: NormalizedPattern = { target: '', condition: { contains: 'cnry-guest-7f3a91' } };

  test.each(rows)('%s', (_, texts) => {
    const look = seeThrough(pattern);
    expect(texts.flatMap((text) => look(text, 'agent') ?? [])).toEqual([]);
  });

  test('a regular expression that takes too long is given up, and that is reported', ({ onTestFinished }) => {
    // On a clock that runs fast, so that the limit is reached sooner.
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => 20 * now());
    onTestFinished(() => clock.mockRestore());
    const look = seeThrough({ target: '', condition: { regex: `(?:${'a?'.repeat(200)}){50}cnry` } }, 100);
    const found = Array.from({ length: 400 }, (_, index) => look(`${'a'.repeat(40_000)}${index}`, 'agent'));
    expect(found.at(-1)).toMatchObject({ kind: 'regex_timeout' });
  });
});
