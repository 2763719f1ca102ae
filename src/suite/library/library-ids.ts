import { existsSync, readFileSync } from 'node:fs';
import { findNearest } from '../../format/registry/suggestions.ts';
import { compileSegment, expandBraces, hasWildcard } from './glob.ts';
import type { Library, LibraryDocument } from './library.ts';

export type NamedDocuments =
  | { readonly ok: true; readonly documents: readonly LibraryDocument[] }
  | { readonly ok: false; readonly reason: string; readonly hint: string };

/** Whether a word that is not a file may stand for documents of the library: an id, or a part of one with wildcards. */
export function isLikeId(word: string): boolean {
  return /^(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d+|oats-[a-z0-9-]*|[a-z][a-z0-9]*-[a-z0-9*?{},-]*[*?}][a-z0-9*?{},-]*)$/i.test(
    word,
  );
}

/** The documents that an id or a pattern of ids names; case does not matter. */
export function findInLibrary(word: string, library: Library): NamedDocuments {
  if (!library.ok)
    return {
      ok: false,
      reason: `no such file or folder, and the library cannot be read: ${library.reason}`,
      hint: 'the library ships with oatf; installing it again brings it back',
    };
  const matches = createIdMatcher(word);
  const documents = library.documents.filter(({ id }) => matches(id));
  if (documents.length > 0) return { ok: true, documents };
  const renamed = findByFormerId(word.toUpperCase(), library.documents);
  if (renamed !== undefined) return { ok: true, documents: [renamed] };
  const near = findNearest(
    word,
    library.documents.map(({ id }) => id),
  );
  return {
    ok: false,
    reason: hasWildcard(word)
      ? 'no file matches this pattern, and no document of the library has such an id'
      : 'no such file or folder, and no document of the library has this id',
    hint: near === undefined ? 'oatf list shows the library' : `did you mean ${near}?`,
  };
}

export function createIdMatcher(pattern: string): (id: string) => boolean {
  const matchers = expandBraces(pattern.toUpperCase()).map(compileSegment);
  return (id) => matchers.some((matches) => matches(id.toUpperCase()));
}

/** The document that had this id before, as its `x-aliases` says. Documents are read only if no document has the id. */
function findByFormerId(id: string, documents: readonly LibraryDocument[]): LibraryDocument | undefined {
  if (!/^[A-Z][A-Z0-9-]*-\d{3,}$/.test(id)) return undefined;
  return documents.find(({ path }) => {
    // A document that is gone has no ids.
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const [, listed = ''] = /^ {2}x-aliases:\n((?: {4}- .+\n)+)/m.exec(text) ?? [];
    return listed.split('\n').includes(`    - ${id}`);
  });
}
