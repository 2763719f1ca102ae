import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { visible } from '../terminal/visible.ts';
import { failureOf } from './failure.ts';
import { glob, hasWildcard, isSkippedFolder } from './glob.ts';

/** Where a document is to be read from, or why there is none. */
export type DocumentSource =
  | { readonly kind: 'file'; readonly name: string; readonly path: string }
  | { readonly kind: 'stdin'; readonly name: string }
  | { readonly kind: 'missing'; readonly name: string; readonly reason: string };

/** Files as they are, folders with the documents in them, patterns with what they match; each file once. */
export function findDocuments(
  operands: readonly string[],
  cwd: string,
  stdinName = '<stdin>',
): readonly DocumentSource[] {
  const found = new Map<string, DocumentSource>();
  for (const operand of operands)
    for (const source of sourcesOf(operand, cwd, stdinName)) {
      const key = source.kind === 'file' ? source.path : `${source.kind} ${source.name}`;
      if (!found.has(key)) found.set(key, source);
    }
  return [...found.values()];
}

function sourcesOf(operand: string, cwd: string, stdinName: string): readonly DocumentSource[] {
  if (operand === '-') return [{ kind: 'stdin', name: visible(stdinName) }];
  if (!exists(operand, cwd) && hasWildcard(operand)) {
    const matches = glob(operand, cwd);
    if (matches.length === 0) return [missing(operand, 'no file matches this pattern')];
    return matches.flatMap((match) => sourcesAt(match, cwd, false));
  }
  return sourcesAt(operand, cwd, true);
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
      if (!/\.ya?ml$/i.test(entry.name)) return [];
      const path = resolve(cwd, name);
      // Linked folders are left alone: they may lead in circles.
      if (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
      return [{ kind: 'file', name: visible(name), path }];
    });
}

function missing(name: string, reason: string): DocumentSource {
  return { kind: 'missing', name: visible(name), reason };
}
