import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

// Which area may import which. An area is a folder of `src`; the files directly in `src` are areas of their own.
const areas: { readonly [area: string]: readonly string[] } = {
  files: [],
  format: [],
  judgement: ['format'],
  secrets: ['format'],
  attack: ['format', 'secrets'],
  agents: ['format', 'attack', 'secrets', 'files'],
  suite: ['format', 'judgement', 'attack', 'agents', 'secrets', 'files'],
  report: ['format', 'secrets', 'files'],
  'evaluate-trace': ['format', 'judgement', 'attack'],
  index: ['format', 'judgement', 'evaluate-trace'],
  runtime: ['format', 'judgement', 'attack', 'agents', 'suite', 'secrets'],
  protocol: ['format', 'attack', 'suite'],
  testing: ['format', 'judgement', 'attack', 'agents', 'suite', 'report', 'secrets', 'files', 'evaluate-trace'],
  cli: ['format', 'judgement', 'attack', 'agents', 'suite', 'report', 'secrets', 'files', 'evaluate-trace'],
};

// Which module of an area may import which others of it. A module is a folder of an area; `.` is the files directly in it. The
// modules of the command line and of `testing` are not ordered.
const modules: { readonly [area: string]: { readonly [module: string]: readonly string[] } } = {
  format: {
    model: [],
    registry: ['model'],
    expression: ['model'],
    generate: ['model'],
    primitives: ['model', 'registry', 'expression'],
    document: ['model', 'registry', 'primitives'],
    validate: ['model', 'registry', 'expression', 'primitives'],
    extensions: ['model', 'registry', 'primitives', 'document', 'validate', 'generate'],
    '.': ['model', 'registry', 'document', 'validate', 'extensions'],
  },
  judgement: {
    evaluate: [],
    disguise: ['evaluate'],
    disclosure: ['judge'],
    judge: ['evaluate'],
  },
  attack: {
    engine: [],
    bindings: ['engine'],
    transport: ['engine'],
  },
  agents: {
    adapters: [],
    'built-in': ['adapters'],
  },
  suite: {
    config: [],
    judging: [],
    library: [],
    plan: [],
    statistics: ['plan'],
    play: ['judging'],
    store: ['plan', 'statistics', 'play'],
    '.': ['plan', 'statistics', 'play', 'store'],
  },
};
const unordered = new Set(['cli', 'testing', 'report', 'secrets', 'files']);

// The only parts that may use Node's own modules; the others run in browsers.
const mayUseNode = [
  'files',
  'attack/transport',
  'agents/adapters',
  'agents/built-in',
  'suite',
  'report',
  'cli',
  'testing',
];

// Other parts may import only these files of a module.
const entryPoints: { readonly [folder: string]: readonly string[] } = {
  'agents/built-in': ['agents/built-in/built-in-agents.ts'],
  secrets: ['secrets/echo-cover.ts', 'secrets/given-secrets.ts', 'secrets/redactor.ts'],
};

// Packages that only one module may import.
const packageUsers: { readonly [name: string]: string } = {
  '@modelcontextprotocol/client': 'agents/built-in',
};

// The keys of our extensions. Other files import them from the one that is named here.
const extensionKey = /'x-(?:payload|task|plan|canaries|canary|decode|await|generate|wire)'/;
const extensionKeys = 'format/model/extension-keys.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));
const data = fileURLToPath(new URL('../../data', import.meta.url));

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : path.endsWith('.ts') ? [path] : [];
  });
}

interface Part {
  readonly area: string;
  readonly module: string;
}

function findPart(path: string): Part {
  const folders = relative(source, path).split('/').slice(0, -1);
  return { area: folders[0] ?? basename(path, '.ts'), module: folders[1] ?? '.' };
}

interface Edge {
  readonly file: string;
  readonly from: Part;
  readonly specifier: string;
  readonly to: Part | undefined;
  readonly toFile: string | undefined;
}

/** A file without its doc comments, whose examples import the package. */
function readCode(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/^ +\*.*$/gm, '');
}

const files = filesBelow(source);
const edges = files.flatMap((file): Edge[] =>
  [...readCode(file).matchAll(/(?:\bfrom|\bimport\(|^import) ?'([^']+)'/gm)].map(([, specifier = '']) => {
    const path = specifier.startsWith('.') ? resolve(dirname(file), specifier) : undefined;
    return {
      file: relative(source, file),
      from: findPart(file),
      specifier,
      // Tables of data import nothing, so every area may read them.
      to: path === undefined || isBelow(path, data) ? undefined : findPart(path),
      toFile: path === undefined ? undefined : relative(source, path),
    };
  }),
);

/** The imports between two different modules of an area with a table. */
const withinAreas = edges.filter(
  ({ from, to }) => from.area === to?.area && from.module !== to.module && !unordered.has(from.area),
);

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(`${folder}/`);
}

describe('the layer table', () => {
  test('has a row for each area and each module, and no others', () => {
    const parts = files.map(findPart);
    expect([...new Set(parts.map(({ area }) => area))].sort()).toEqual(Object.keys(areas).sort());
    for (const [area, rows] of Object.entries(modules)) {
      const found = parts.filter((part) => part.area === area).map(({ module }) => module);
      expect([...new Set(found)].sort(), area).toEqual(Object.keys(rows).sort());
    }
    const withoutTable = Object.keys(areas).filter((area) => !(area in modules) && !area.includes('.'));
    const folders = new Set(files.map((file) => relative(source, file).split('/').slice(0, -1)[0]));
    expect(withoutTable.filter((area) => folders.has(area)).sort()).toEqual([...unordered].sort());
  });

  test('allows every import between areas', () => {
    const wrong = edges.filter(
      ({ from, to }) => to !== undefined && to.area !== from.area && !areas[from.area]?.includes(to.area),
    );
    expect(wrong).toEqual([]);
  });

  test('allows every import between the modules of an area', () => {
    const wrong = withinAreas.filter(({ from, to }) => !modules[from.area]?.[from.module]?.includes(to?.module ?? ''));
    expect(wrong).toEqual([]);
  });

  test('has no permission that nothing uses', () => {
    const unusedAreas = Object.entries(areas).flatMap(([from, others]) =>
      others
        .filter((area) => !edges.some((edge) => edge.from.area === from && edge.to?.area === area))
        .map((area) => `${from} → ${area}`),
    );
    const unusedModules = Object.entries(modules).flatMap(([area, rows]) =>
      Object.entries(rows).flatMap(([from, others]) =>
        others
          .filter(
            (module) =>
              !withinAreas.some(
                (edge) => edge.from.area === area && edge.from.module === from && edge.to?.module === module,
              ),
          )
          .map((module) => `${area}: ${from} → ${module}`),
      ),
    );
    expect([...unusedAreas, ...unusedModules]).toEqual([]);
  });

  test('lets other parts import only the entry points of a module that has them', () => {
    for (const [folder, allowed] of Object.entries(entryPoints)) {
      const used = edges.filter(
        ({ file, toFile }) => toFile !== undefined && isBelow(toFile, folder) && !isBelow(file, folder),
      );
      expect([...new Set(used.map(({ toFile }) => toFile))].sort(), folder).toEqual(allowed);
    }
  });

  test('lets only one module import a table of data, and leaves none unused', () => {
    const tables = readdirSync(data).filter((name) => name.endsWith('.json'));
    const users = tables.map((name) => {
      const readers = edges.filter(
        ({ file, specifier }) => resolve(source, dirname(file), specifier) === join(data, name),
      );
      return [name, new Set(readers.map(({ from }) => `${from.area}/${from.module}`)).size];
    });
    expect(users).toEqual(tables.map((name) => [name, 1]));
  });

  test('lets only one module import a package of its own', () => {
    for (const [name, folder] of Object.entries(packageUsers)) {
      const users = edges.filter(({ specifier }) => specifier === name || specifier.startsWith(`${name}/`));
      expect(users.length, name).toBeGreaterThan(0);
      expect(
        users.filter(({ file }) => !isBelow(file, folder)),
        name,
      ).toEqual([]);
    }
  });

  test('lets only one file write the key of an extension', () => {
    const writers = files.filter((file) => extensionKey.test(readCode(file)));
    expect(writers.map((file) => relative(source, file)).sort()).toEqual([extensionKeys]);
  });

  test('names every part that uses the modules of Node', () => {
    const wrong = edges.filter(
      ({ file, specifier }) => specifier.startsWith('node:') && !mayUseNode.some((folder) => isBelow(file, folder)),
    );
    expect(wrong).toEqual([]);
  });
});
