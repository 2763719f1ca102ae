import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

// ARCHITECTURE.md lists the way from `main` to the first socket. A list that the source no longer follows would mislead.

const mostSteps = 12;
const root = new URL('../../', import.meta.url);

interface WalkStep {
  readonly file: string;
  readonly name: string;
}

function readWalk(page: string): readonly WalkStep[] {
  const [, section = ''] = /^## From `main` to the first socket$(.*?)^## /ms.exec(page) ?? [];
  return [...section.matchAll(/^\d+\. `([^`]+)`: `([^`]+)`$/gm)].map(([, file = '', name = '']) => ({
    file,
    name,
  }));
}

/** What is wrong with a walk. `read` returns the text of a file, or undefined if there is none. */
function findWrongSteps(
  walk: readonly WalkStep[],
  last: string,
  read: (file: string) => string | undefined,
): readonly string[] {
  return walk.flatMap(({ file, name }, index) => {
    const text = read(file);
    if (text === undefined) return [`${file} does not exist`];
    const bodies = findBodies(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), name);
    if (bodies.length === 0) return [`${file} does not declare ${name}`];
    const next = walk[index + 1]?.name ?? last;
    return bodies.some((body) => uses(body, next)) ? [] : [`${file}: ${name} does not name ${next}`];
  });
}

/** The bodies of the functions, methods and tables with a name. */
function findBodies(node: ts.Node, name: string): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (each: ts.Node): void => {
    const isNamed =
      (ts.isFunctionDeclaration(each) || ts.isMethodDeclaration(each) || ts.isVariableDeclaration(each)) &&
      each.name?.getText() === name;
    if (isNamed) {
      const body = ts.isVariableDeclaration(each) ? each.initializer : each.body;
      if (body !== undefined) found.push(body);
    }
    ts.forEachChild(each, visit);
  };
  visit(node);
  return found;
}

/** Whether a name is called, or read as a property of something that was imported. */
function uses(body: ts.Node, name: string): boolean {
  let isUsed = false;
  const visit = (each: ts.Node): void => {
    if (ts.isIdentifier(each) && each.text === name) {
      const { parent } = each;
      const isProperty = ts.isPropertyAccessExpression(parent) && parent.name === each;
      const used = isProperty ? parent : each;
      const isCalled = ts.isCallExpression(used.parent) && used.parent.expression === used;
      const isLookedUp = ts.isElementAccessExpression(used.parent) && used.parent.expression === used;
      isUsed ||= isCalled || isLookedUp || isProperty;
    }
    ts.forEachChild(each, visit);
  };
  visit(body);
  return isUsed;
}

describe('the walk from main to the first socket', () => {
  const walk = readWalk(readFileSync(new URL('ARCHITECTURE.md', root), 'utf8'));

  test(`has at most ${mostSteps} steps, from main to a function that listens`, () => {
    expect(walk.length).toBeGreaterThan(2);
    expect(walk.length).toBeLessThanOrEqual(mostSteps);
    expect(walk[0]).toEqual({ file: 'src/cli/main.ts', name: 'main' });
  });

  test('names functions that exist, each of which calls the next', () => {
    const read = (file: string): string | undefined => {
      const path = new URL(file, root);
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    };
    // The last function calls `listen` of Node's server.
    expect(findWrongSteps(walk, 'listen', read)).toEqual([]);
  });
});

describe('a walk is wrong', () => {
  const sources: { readonly [file: string]: string } = {
    'a.ts': `async function main() { await begin(1); }
      const begin = async () => { const { stop } = await import('./b.ts'); table[name](); };`,
    'b.ts':
      'const table = { run: async () => (await load()).start }; // start()\nconst other = { start() { socket.listen(); } };',
  };
  const read = (file: string): string | undefined => sources[file];
  test.each<[string, readonly WalkStep[], readonly string[]]>([
    [
      'in nothing',
      [
        { file: 'a.ts', name: 'main' },
        { file: 'a.ts', name: 'begin' },
        { file: 'b.ts', name: 'table' },
        { file: 'b.ts', name: 'start' },
      ],
      [],
    ],
    ['when a file is missing', [{ file: 'c.ts', name: 'main' }], ['c.ts does not exist']],
    ['when a function is missing', [{ file: 'b.ts', name: 'load' }], ['b.ts does not declare load']],
    [
      'when a function is only imported',
      [
        { file: 'a.ts', name: 'begin' },
        { file: 'a.ts', name: 'stop' },
      ],
      ['a.ts: begin does not name stop', 'a.ts does not declare stop'],
    ],
    ['when the last function does not listen', [{ file: 'a.ts', name: 'main' }], ['a.ts: main does not name listen']],
  ])('%s', (_, walk, expected) => {
    expect(findWrongSteps(walk, 'listen', read)).toEqual(expected);
  });
});
