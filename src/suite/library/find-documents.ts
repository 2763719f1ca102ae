import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeFileFailure } from '../../files/file-failure.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { findMatchingPaths, hasOtherWildcard, hasWildcard, isSkippedFolder } from './glob.ts';
import { type Library, openLibrary } from './library.ts';
import { findInLibrary, isLikeId } from './library-ids.ts';
import type { ReadDocument } from './read-document.ts';

/** The source of a document, or the reason why there is none. */
export type DocumentSource =
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly path: string;
      /** Whether it was named by its id in the library; `name` is then the id. */
      readonly shipped?: true;
    }
  | { readonly kind: 'stdin'; readonly name: string }
  /** A document that was already read, because its contents were needed. */
  | { readonly kind: 'read'; readonly name: string; readonly read: ReadDocument }
  | {
      readonly kind: 'missing';
      readonly name: string;
      readonly reason: string;
      readonly hint?: string;
    };

/**
 * Finds documents: a file is itself, a folder stands for the documents in it, a pattern for its matches, and an id for
 * a document of the library if no file has that name. Each file appears once.
 */
export function findDocuments(
  operands: readonly string[],
  cwd: string,
  stdinName = '<stdin>',
  open: () => Library = openLibrary,
): readonly DocumentSource[] {
  const found = new Map<string, DocumentSource>();
  const library = memoizeOnce(open);
  // A pattern that the shell has expanded may include test files.
  const meant = operands.length > 1 ? operands.filter((operand) => !isTestFile(operand)) : operands;
  for (const operand of meant)
    for (const source of findOperandSources(operand, cwd, stdinName, library)) {
      const key = source.kind === 'file' ? source.path : `${source.kind} ${source.name}`;
      if (!found.has(key)) found.set(key, source);
    }
  return [...found.values()];
}

/** Finds the one document that an operand names: a path, an id of the library, or `-`. */
export function findDocument(operand: string, cwd: string, open: () => Library = openLibrary): DocumentSource {
  if (operand === '-') return { kind: 'stdin', name: '<stdin>' };
  if (!isExistingPath(operand, cwd) && isLikeId(operand)) {
    const named = findShippedDocuments(operand, open());
    const [first] = named;
    return first !== undefined && named.length === 1
      ? first
      : createMissingSource(operand, `this means ${named.length} documents of the library; name one`);
  }
  const path = resolve(cwd, operand);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return createMissingSource(operand, 'is a folder; name one document');
  return { kind: 'file', name: escapeInvisible(operand), path };
}

function findOperandSources(
  operand: string,
  cwd: string,
  stdinName: string,
  library: () => Library,
): readonly DocumentSource[] {
  if (operand === '-') return [{ kind: 'stdin', name: escapeInvisible(stdinName) }];
  if (isExistingPath(operand, cwd)) return findSourcesAt(operand, cwd, true);
  const matches = hasWildcard(operand) ? findMatchingPaths(operand, cwd) : [];
  if (matches.length > 0)
    return matches.filter((match) => !isTestFile(match)).flatMap((match) => findSourcesAt(match, cwd, false));
  if (isLikeId(operand)) return findShippedDocuments(operand, library());
  if (hasOtherWildcard(operand))
    return [
      {
        ...createMissingSource(operand, 'no file has this name'),
        hint: 'patterns can contain only *, **, ? and {a,b}',
      },
    ];
  return hasWildcard(operand)
    ? [createMissingSource(operand, 'no file matches this pattern')]
    : findSourcesAt(operand, cwd, true);
}

function findShippedDocuments(operand: string, library: Library): readonly DocumentSource[] {
  const named = findInLibrary(operand, library);
  if (!named.ok) return [{ ...createMissingSource(operand, named.reason), hint: named.hint }];
  return named.documents.map(({ id, path }) => ({ kind: 'file', name: id, path, shipped: true }));
}

function memoizeOnce<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function isExistingPath(operand: string, cwd: string): boolean {
  try {
    return statSync(resolve(cwd, operand), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function findSourcesAt(name: string, cwd: string, mustHold: boolean): readonly DocumentSource[] {
  const path = resolve(cwd, name);
  try {
    if (!statSync(path).isDirectory()) return [{ kind: 'file', name: escapeInvisible(name), path }];
    const documents = listFolderDocuments(name, cwd);
    if (documents.length > 0 || !mustHold) return documents;
    return [createMissingSource(name, 'no *.yaml or *.yml file is in this folder')];
  } catch (thrown) {
    return [createMissingSource(name, describeFileFailure(thrown))];
  }
}

function listFolderDocuments(folder: string, cwd: string): readonly DocumentSource[] {
  const entries = readdirSync(resolve(cwd, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): readonly DocumentSource[] => {
      const name = join(folder, entry.name);
      if (entry.isDirectory()) return isSkippedFolder(entry.name) ? [] : listFolderDocuments(name, cwd);
      if (!/\.ya?ml$/i.test(entry.name) || isTestFile(entry.name)) return [];
      const path = resolve(cwd, name);
      // Linked folders are not followed, because they may form a cycle.
      if (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
      return [{ kind: 'file', name: escapeInvisible(name), path }];
    });
}

/** Whether the file is for `oatf test`. Such files are next to documents, but are not documents. */
function isTestFile(name: string): boolean {
  return /\.test\.ya?ml$/i.test(name);
}

function createMissingSource(name: string, reason: string): Extract<DocumentSource, { kind: 'missing' }> {
  return { kind: 'missing', name: escapeInvisible(name), reason };
}

/** A test file of documents, or the reason why there is none. */
type TestSource =
  | { readonly path: string; readonly isNew: boolean }
  | { readonly name: string; readonly reason: string; readonly hint?: string };

/**
 * Finds test files: a test file is itself, a document stands for the test file next to it, and a folder for the test
 * files in it. Each appears once.
 */
export function findTests(
  operands: readonly string[],
  cwd: string,
  { mayBeNew }: { readonly mayBeNew: boolean },
): readonly TestSource[] {
  const found = new Map<string, TestSource>();
  for (const operand of operands)
    for (const source of findOperandTests(operand, cwd, mayBeNew))
      found.set('path' in source ? source.path : source.name, source);
  return [...found.values()];
}

function findOperandTests(operand: string, cwd: string, mayBeNew: boolean): readonly TestSource[] {
  const path = resolve(cwd, operand);
  try {
    if (statSync(path).isDirectory()) {
      const tests = listFolderTests(path);
      return tests.length > 0 ? tests : [{ name: operand, reason: 'no *.test.yaml file is in this folder', hint }];
    }
  } catch (thrown) {
    return [{ name: operand, reason: describeFileFailure(thrown) }];
  }
  if (isTestFile(path)) return [{ path, isNew: false }];
  const beside = path.replace(/(\.ya?ml)$/i, '.test$1');
  if (beside === path) return [{ name: operand, reason: 'this is neither a document nor a test file', hint }];
  if (existsSync(beside)) return [{ path: beside, isNew: false }];
  return mayBeNew
    ? [{ path: beside, isNew: true }]
    : [{ name: operand, reason: 'there is no test file next to it', hint }];
}

const hint = 'oatf test DOCUMENT --update writes a first one';

function listFolderTests(folder: string): readonly TestSource[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): readonly TestSource[] => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return isSkippedFolder(entry.name) ? [] : listFolderTests(path);
      return isTestFile(entry.name) ? [{ path, isNew: false }] : [];
    });
}
