import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocumentSummary } from './document-summary.ts';

// The attacks that ship with this package. A file is named after its document's id, so that a lookup reads none of
// them; a test checks the names.

export interface LibraryDocument {
  readonly id: string;
  readonly path: string;
}

/** A folder of documents, or the reason why there is none. */
export type Library =
  | { readonly ok: true; readonly folder: string; readonly documents: readonly LibraryDocument[] }
  | { readonly ok: false; readonly reason: string };

/** Lists a library without reading its documents. Default: the shipped one. */
export function openLibrary(folder: string | undefined = findLibraryFolder()): Library {
  if (folder === undefined) return { ok: false, reason: 'the folder of this package is not found' };
  if (!existsSync(folder)) return { ok: false, reason: `${folder} is not there` };
  try {
    const documents = listFilesBelow(folder)
      .flatMap((path) => {
        const id = readFileId(path);
        return id === undefined ? [] : [{ id, path }];
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return documents.length === 0
      ? { ok: false, reason: `${folder} holds no documents` }
      : { ok: true, folder, documents };
  } catch (thrown) {
    return { ok: false, reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

function findLibraryFolder(): string | undefined {
  const folder = findPackageFolder();
  return folder === undefined ? undefined : join(folder, 'scenarios');
}

/** Finds the folder of our package.json, wherever this file was built to. */
export function findPackageFolder(): string | undefined {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    if (isOwnManifest(join(at, 'package.json'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

function isOwnManifest(manifest: string): boolean {
  try {
    return JSON.parse(readFileSync(manifest, 'utf8')).name === 'oatf';
  } catch {
    return false;
  }
}

function listFilesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // In the repository, `src` has what the documents are written from.
    if (entry.isDirectory()) return entry.name === 'src' ? [] : listFilesBelow(path);
    // Test files stand beside documents, but are not documents.
    return /(?<!\.test)\.ya?ml$/.test(entry.name) ? [path] : [];
  });
}

function readFileId(path: string): string | undefined {
  return /^[A-Z][A-Z0-9-]*-\d{3,}(?![A-Za-z0-9])/.exec(basename(path))?.[0];
}

/** The build writes this file: summaries of the shipped documents, so that listing them need not read any. */
const place = join('dist', 'library.json');

/** A document of the library, as it was when the index was written. */
interface IndexedDocument {
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
