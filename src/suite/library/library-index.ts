import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentSummary } from './document-summary.ts';
import { findPackageFolder, type LibraryDocument } from './library.ts';

/** The build writes this file: summaries of the shipped documents, so that listing them need not read any. */
const place = join('dist', 'library.json');

/** A document of the library, as it was when the index was written. */
export interface IndexedDocument {
  /** Its length: a document of another length has changed since. */
  readonly bytes: number;
  readonly summary: DocumentSummary;
}

/** The shipped documents by id. */
export type LibraryIndex = { readonly [id: string]: IndexedDocument };

/** Makes a function that knows the summaries of shipped documents, except of those that have changed. */
export function createSummaryFinder(
  index: LibraryIndex = readIndex(),
): (document: LibraryDocument) => DocumentSummary | undefined {
  return ({ id, path }) => {
    const indexed = Object.hasOwn(index, id) ? index[id] : undefined;
    if (indexed === undefined) return undefined;
    return statSync(path, { throwIfNoEntry: false })?.size === indexed.bytes ? indexed.summary : undefined;
  };
}

function readIndex(): LibraryIndex {
  const folder = findPackageFolder();
  try {
    return folder === undefined ? {} : JSON.parse(readFileSync(join(folder, place), 'utf8'));
  } catch {
    // Without a build there is no index, and every document is parsed.
    return {};
  }
}
