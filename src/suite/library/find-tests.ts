import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeFileFailure } from './file-failure.ts';
import { isTestFile } from './find-documents.ts';
import { isSkippedFolder } from './glob.ts';

/** A test file of documents, or the reason why there is none. */
export type TestSource =
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
