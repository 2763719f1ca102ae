import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type DocumentSummary, summarizeDocument } from '../../src/suite/document-summary.ts';
import { openLibrary } from '../../src/suite/library.ts';
import { hashOf, type LibraryIndex, summarizer } from '../../src/suite/library-index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built: LibraryIndex = JSON.parse(readFileSync(join(root, 'dist', 'library.json'), 'utf8'));
const library = openLibrary();
const documents = library.ok ? library.documents : [];

describe('the index of the library', () => {
  test.each(documents)('says of $id what its document says', ({ path }) => {
    const text = readFileSync(path, 'utf8');
    expect({ ok: true, summary: built[hashOf(text)] }).toEqual(summarizeDocument(text));
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

  test('is asked for a text that it knows, and for no other', async () => {
    const text = '{oatf: "0.1", attack: {name: As it was, execution: {mode: mcp_server, state: {}}}}';
    const summary = { name: 'Of the index' } as DocumentSummary;
    const summarize = summarizer({ [hashOf(text)]: summary });
    expect(await summarize(text)).toEqual({ ok: true, summary });
    expect(await summarize(text.replace('As it was', 'Changed'))).toMatchObject({
      ok: true,
      summary: { name: 'Changed' },
    });
  });
});
