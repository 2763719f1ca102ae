import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { type DocumentSummary, summarizeDocument } from '../../../src/suite/library/document-summary.ts';
import { createSummaryFinder, type LibraryIndex, openLibrary } from '../../../src/suite/library/library.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const built: LibraryIndex = JSON.parse(readFileSync(join(root, 'dist', 'library.json'), 'utf8'));
const library = openLibrary();
const documents = library.ok ? library.documents : [];

describe('the index of the library', () => {
  test.each(documents)('has the same summary of $id as its document', (document) => {
    const summary = createSummaryFinder(built)(document);
    expect({ ok: true, summary }).toEqual(summarizeDocument(readFileSync(document.path, 'utf8')));
  });

  test('has no documents that the library lacks', () => {
    expect(documents.length).toBeGreaterThan(0);
    expect(Object.keys(built).length).toBe(documents.length);
  });

  test.each([
    ['', { name: 'Untitled', status: 'draft' }],
    ['name: Named, status: stable, ', { name: 'Named', status: 'stable' }],
  ])('has defaults for fields that the document lacks: %j', (fields, expected) => {
    const text = `{oatf: "0.1", attack: {${fields}execution: {mode: mcp_server, state: {}}}}`;
    expect(summarizeDocument(text)).toMatchObject({ ok: true, summary: expected });
  });

  describe('createSummaryFinder the index', () => {
    const folder = mkdtempSync(join(tmpdir(), 'oatf-index-'));
    const path = join(folder, 'OATS-001.yaml');
    const summary = { name: 'Of the index' } as DocumentSummary;
    const text = 'oatf: "0.1"';
    const summaryOf = createSummaryFinder({ 'OATS-001': { bytes: text.length, summary } });
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each([
      { what: 'a known document', id: 'OATS-001', text, expected: summary },
      {
        what: 'a changed document',
        id: 'OATS-001',
        text: `${text}\n`,
        expected: undefined,
      },
      {
        what: 'an unknown document',
        id: 'OATS-002',
        text,
        expected: undefined,
      },
      {
        what: 'an id like an inherited property',
        id: 'constructor',
        text,
        expected: undefined,
      },
    ])('gives a summary only if it is up to date: $what', ({ id, text, expected }) => {
      writeFileSync(path, text);
      expect(summaryOf({ id, path })).toBe(expected);
    });

    test('gives nothing for a document whose file is missing', () => {
      expect(summaryOf({ id: 'OATS-001', path: join(folder, 'absent.yaml') })).toBeUndefined();
    });
  });
});
