import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { type DocumentSummary, summarizeDocument } from '../../src/suite/document-summary.ts';
import { openLibrary } from '../../src/suite/library.ts';
import { type LibraryIndex, summariesIn } from '../../src/suite/library-index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built: LibraryIndex = JSON.parse(readFileSync(join(root, 'dist', 'library.json'), 'utf8'));
const library = openLibrary();
const documents = library.ok ? library.documents : [];

describe('the index of the library', () => {
  test.each(documents)('says of $id what its document says', (document) => {
    const summary = summariesIn(built)(document);
    expect({ ok: true, summary }).toEqual(summarizeDocument(readFileSync(document.path, 'utf8')));
  });

  test('holds nothing else', () => {
    expect(documents.length).toBeGreaterThan(0);
    expect(Object.keys(built).length).toBe(documents.length);
  });

  test.each([
    ['', { name: 'Untitled', status: 'draft' }],
    ['name: Named, status: stable, ', { name: 'Named', status: 'stable' }],
  ])('has what normalization fills in, unless a document says it: %j', (fields, expected) => {
    const text = `{oatf: "0.1", attack: {${fields}execution: {mode: mcp_server, state: {}}}}`;
    expect(summarizeDocument(text)).toMatchObject({ ok: true, summary: expected });
  });

  describe('is asked for', () => {
    const folder = mkdtempSync(join(tmpdir(), 'oatf-index-'));
    const path = join(folder, 'OATS-001.yaml');
    const summary = { name: 'Of the index' } as DocumentSummary;
    const text = 'oatf: "0.1"';
    const summaryOf = summariesIn({ 'OATS-001': { bytes: text.length, summary } });
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each([
      { what: 'a document that it knows', id: 'OATS-001', text, expected: summary },
      { what: 'a document that has changed', id: 'OATS-001', text: `${text}\n`, expected: undefined },
      { what: 'a document that it does not know', id: 'OATS-002', text, expected: undefined },
      { what: 'a name that every object has', id: 'constructor', text, expected: undefined },
    ])('$what', ({ id, text, expected }) => {
      writeFileSync(path, text);
      expect(summaryOf({ id, path })).toBe(expected);
    });

    test('a document that is not there', () => {
      expect(summaryOf({ id: 'OATS-001', path: join(folder, 'absent.yaml') })).toBeUndefined();
    });
  });
});
