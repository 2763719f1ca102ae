import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

// One name, one thing: a reader who searches for a name finds one declaration, and a file name leads to one file.

const source = fileURLToPath(new URL('../../src', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

interface Declared {
  readonly name: string;
  readonly kind: 'function' | 'type' | 'value';
}

function findExports(file: string): readonly Declared[] {
  const parsed = ts.createSourceFile(file, readFileSync(join(source, file), 'utf8'), ts.ScriptTarget.Latest);
  return parsed.statements.flatMap((statement): readonly Declared[] => {
    const isExported =
      ts.canHaveModifiers(statement) && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (isExported !== true) return [];
    if (ts.isFunctionDeclaration(statement)) return [{ name: statement.name?.text ?? '', kind: 'function' }];
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      return [{ name: statement.name.text, kind: 'type' }];
    if (ts.isClassDeclaration(statement)) return [{ name: statement.name?.text ?? '', kind: 'type' }];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [{ name: name.text, kind: 'value' as const }] : [],
    );
  });
}

function findRepeated(entries: readonly (readonly [name: string, place: string])[]): readonly string[] {
  const places = new Map<string, Set<string>>();
  for (const [name, place] of entries) places.set(name, (places.get(name) ?? new Set()).add(place));
  return [...places].flatMap(([name, { size }]) => (size > 1 ? [name] : [])).sort();
}

const declared = files.flatMap((file) => findExports(file).map((each) => ({ ...each, file })));

describe('names in src', () => {
  test('no exported name is declared in two files', () => {
    expect(findRepeated(declared.map(({ name, file }) => [name, file]))).toEqual([]);
  });

  test('no two files have the same base name', () => {
    expect(findRepeated(files.map((file) => [basename(file), dirname(file)]))).toEqual([]);
  });

  test('the name of an exported function begins with a verb, not with what it returns', () => {
    // `directionOf` is a name of the SDK.
    const allowed = new Set(['directionOf']);
    const wrong = declared.filter(
      ({ name, kind }) => kind === 'function' && /[a-z](?:Of|In)$/.test(name) && !/^(?:is|has|may)[A-Z]/.test(name),
    );
    expect(wrong.map(({ name }) => name).filter((name) => !allowed.has(name))).toEqual([]);
  });
});
