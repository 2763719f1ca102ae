import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { visible } from '../report/visible.ts';
import { type Library, openLibrary } from '../suite/library.ts';
import { failureOf } from './failure.ts';
import { glob, hasOtherWildcard, hasWildcard, isSkippedFolder } from './glob.ts';
import { isLikeId, namedInLibrary } from './ids.ts';
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
  const library = once(open);
  // A pattern that the shell has expanded may include test files.
  const meant = operands.length > 1 ? operands.filter((operand) => !isTestFile(operand)) : operands;
  for (const operand of meant)
    for (const source of sourcesOf(operand, cwd, stdinName, library)) {
      const key = source.kind === 'file' ? source.path : `${source.kind} ${source.name}`;
      if (!found.has(key)) found.set(key, source);
    }
  return [...found.values()];
}

/** Finds the document of a command that takes one. */
export function findDocument(
  operand: string,
  cwd: string,
  open: () => Library = openLibrary,
): DocumentSource {
  if (operand === '-') return { kind: 'stdin', name: '<stdin>' };
  if (!exists(operand, cwd) && isLikeId(operand)) {
    const named = shipped(operand, open());
    const [first] = named;
    return first !== undefined && named.length === 1
      ? first
      : missing(operand, `this means ${named.length} documents of the library; name one`);
  }
  const path = resolve(cwd, operand);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return missing(operand, 'is a folder; name one document');
  return { kind: 'file', name: visible(operand), path };
}

function sourcesOf(
  operand: string,
  cwd: string,
  stdinName: string,
  library: () => Library,
): readonly DocumentSource[] {
  if (operand === '-') return [{ kind: 'stdin', name: visible(stdinName) }];
  if (exists(operand, cwd)) return sourcesAt(operand, cwd, true);
  const matches = hasWildcard(operand) ? glob(operand, cwd) : [];
  if (matches.length > 0)
    return matches.filter((match) => !isTestFile(match)).flatMap((match) => sourcesAt(match, cwd, false));
  if (isLikeId(operand)) return shipped(operand, library());
  if (hasOtherWildcard(operand))
    return [
      { ...missing(operand, 'no file has this name'), hint: 'patterns can contain only *, **, ? and {a,b}' },
    ];
  return hasWildcard(operand)
    ? [missing(operand, 'no file matches this pattern')]
    : sourcesAt(operand, cwd, true);
}

function shipped(operand: string, library: Library): readonly DocumentSource[] {
  const named = namedInLibrary(operand, library);
  if (!named.ok) return [{ ...missing(operand, named.reason), hint: named.hint }];
  return named.documents.map(({ id, path }) => ({ kind: 'file', name: id, path, shipped: true }));
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function exists(operand: string, cwd: string): boolean {
  try {
    return statSync(resolve(cwd, operand), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function sourcesAt(name: string, cwd: string, mustHold: boolean): readonly DocumentSource[] {
  const path = resolve(cwd, name);
  try {
    if (!statSync(path).isDirectory()) return [{ kind: 'file', name: visible(name), path }];
    const documents = documentsIn(name, cwd);
    if (documents.length > 0 || !mustHold) return documents;
    return [missing(name, 'no *.yaml or *.yml file is in this folder')];
  } catch (thrown) {
    return [missing(name, failureOf(thrown))];
  }
}

function documentsIn(folder: string, cwd: string): readonly DocumentSource[] {
  const entries = readdirSync(resolve(cwd, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): readonly DocumentSource[] => {
      const name = join(folder, entry.name);
      if (entry.isDirectory()) return isSkippedFolder(entry.name) ? [] : documentsIn(name, cwd);
      if (!/\.ya?ml$/i.test(entry.name) || isTestFile(entry.name)) return [];
      const path = resolve(cwd, name);
      // Linked folders are not followed, because they may form a cycle.
      if (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
      return [{ kind: 'file', name: visible(name), path }];
    });
}

/** Whether the file is for `oatf test`. Such files are next to documents, but are not documents. */
export function isTestFile(name: string): boolean {
  return /\.test\.ya?ml$/i.test(name);
}

function missing(name: string, reason: string): Extract<DocumentSource, { kind: 'missing' }> {
  return { kind: 'missing', name: visible(name), reason };
}
