import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

// Which room may import which. Files directly under src/ are the room `index`, except those that need Node: `runtime`.
const mayImport: { readonly [room: string]: readonly string[] } = {
  model: [],
  files: [],
  registry: ['model'],
  expression: ['model'],
  primitives: ['model', 'registry', 'expression'],
  document: ['model', 'registry', 'primitives'],
  validate: ['model', 'registry', 'expression', 'primitives'],
  generate: ['model'],
  marks: ['model', 'registry', 'primitives', 'document', 'validate', 'generate'],
  evaluate: ['model', 'registry', 'expression', 'primitives'],
  disguise: ['model', 'primitives', 'evaluate'],
  judge: ['model', 'registry', 'primitives', 'evaluate'],
  engine: ['model', 'primitives'],
  bindings: ['model', 'registry', 'primitives', 'engine'],
  secrets: ['model'],
  transport: ['model', 'registry', 'secrets', 'generate', 'engine'],
  agent: ['model', 'registry', 'secrets', 'expression', 'primitives', 'engine', 'transport'],
  'built-in': ['model', 'files', 'secrets', 'registry', 'engine', 'transport', 'agent'],
  suite: [
    'model',
    'files',
    'secrets',
    'registry',
    'primitives',
    'document',
    'generate',
    'marks',
    'evaluate',
    'disguise',
    'judge',
    'engine',
    'bindings',
    'transport',
    'agent',
  ],
  config: [
    'model',
    'files',
    'secrets',
    'registry',
    'expression',
    'primitives',
    'document',
    'agent',
    'built-in',
  ],
  report: ['model', 'files', 'secrets', 'registry', 'primitives', 'document'],
  catalogue: ['model', 'files', 'registry', 'document', 'suite', 'report'],
  index: [
    'model',
    'registry',
    'expression',
    'primitives',
    'document',
    'validate',
    'marks',
    'evaluate',
    'judge',
    'bindings',
  ],
  runtime: [
    'model',
    'secrets',
    'disguise',
    'judge',
    'engine',
    'bindings',
    'transport',
    'agent',
    'built-in',
    'suite',
  ],
  cli: [
    'model',
    'files',
    'secrets',
    'registry',
    'expression',
    'primitives',
    'document',
    'generate',
    'marks',
    'evaluate',
    'disguise',
    'judge',
    'engine',
    'transport',
    'agent',
    'built-in',
    'config',
    'suite',
    'report',
    'catalogue',
    'index',
  ],
  testing: [
    'model',
    'secrets',
    'registry',
    'primitives',
    'judge',
    'engine',
    'transport',
    'agent',
    'config',
    'suite',
    'report',
    'catalogue',
    'index',
  ],
};
const mayUseNode = new Set([
  'files',
  'transport',
  'agent',
  'built-in',
  'suite',
  'report',
  'catalogue',
  'config',
  'cli',
  'testing',
]);

// Rooms with doors: other rooms may import only these files of them.
const doors: { readonly [room: string]: readonly string[] } = {
  'built-in': ['built-in/built-in-agents.ts', 'built-in/names.ts'],
  secrets: ['secrets/echoes.ts', 'secrets/given.ts', 'secrets/redactor.ts'],
};

// Packages that only one room may import.
const packageRooms: { readonly [name: string]: string } = {
  '@modelcontextprotocol/client': 'built-in',
};

const source = fileURLToPath(new URL('../src', import.meta.url));

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : path.endsWith('.ts') ? [path] : [];
  });
}

function roomOf(path: string): string {
  const [first, ...rest] = relative(source, path).split('/');
  if (rest.length > 0) return first ?? '';
  return first === 'runtime.ts' ? 'runtime' : 'index';
}

interface Edge {
  readonly file: string;
  readonly from: string;
  readonly specifier: string;
  readonly to: string | undefined;
  readonly toFile: string | undefined;
}

const edges = filesBelow(source).flatMap((file): Edge[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport\(|^import) ?'([^']+)'/gm)].map(
    ([, specifier = '']) => {
      const path = specifier.startsWith('.') ? resolve(dirname(file), specifier) : undefined;
      return {
        file: relative(source, file),
        from: roomOf(file),
        specifier,
        to: path && roomOf(path),
        toFile: path && relative(source, path),
      };
    },
  ),
);

describe('the layer table', () => {
  test('every folder has a row, and every row a folder', () => {
    expect([...new Set(filesBelow(source).map(roomOf))].sort()).toEqual(Object.keys(mayImport).sort());
  });

  test('no import goes where the table does not allow', () => {
    const wrong = edges.filter(
      ({ from, to }) => to !== undefined && to !== from && !mayImport[from]?.includes(to),
    );
    expect(wrong).toEqual([]);
  });

  test('no permission is unused', () => {
    const unused = Object.entries(mayImport).flatMap(([from, rooms]) =>
      rooms
        .filter((to) => !edges.some((edge) => edge.from === from && edge.to === to))
        .map((to) => `${from} → ${to}`),
    );
    expect(unused).toEqual([]);
  });

  test('a room with doors is entered through them', () => {
    for (const [room, files] of Object.entries(doors)) {
      const entries = edges.filter(({ from, to }) => to === room && from !== room);
      expect([...new Set(entries.map(({ toFile }) => toFile))].sort(), room).toEqual(files);
    }
  });

  test('a package of one room is imported there alone', () => {
    for (const [name, room] of Object.entries(packageRooms)) {
      const users = edges.filter(({ specifier }) => specifier === name || specifier.startsWith(`${name}/`));
      expect([...new Set(users.map(({ from }) => from))], name).toEqual([room]);
    }
  });

  test('node modules are used where the table says', () => {
    const wrong = edges.filter(
      ({ from, specifier }) => specifier.startsWith('node:') && !mayUseNode.has(from),
    );
    expect(wrong).toEqual([]);
  });
});
