import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

// The packed files, as they were built.

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const built = (name: string): string => readFileSync(join(root, 'dist', name), 'utf8');
const files = readdirSync(join(root, 'dist'));
const codeFiles = files.filter((name) => name.endsWith('.js'));
const sources = codeFiles.flatMap(sourcesOf);

/** The modules of a file. A file that only re-exports names has no source map. */
function sourcesOf(name: string): readonly string[] {
  return files.includes(`${name}.map`) ? JSON.parse(built(`${name}.map`)).sources : [];
}

describe('the build', () => {
  test('lets the SDK import nothing but its own files', () => {
    const { files, outside } = reachedFrom('index.js', importsIn);
    expect(files.size).toBeGreaterThan(1);
    expect(outside).toEqual([]);
  });

  // What takes long to load and only some documents need.
  const onDemand = [
    'node_modules/@grpc/',
    'node_modules/@modelcontextprotocol/',
    'node_modules/@bufbuild/protobuf/dist/esm/(reflect|codegenv2)/',
    'node_modules/@bufbuild/cel/dist/esm/eval',
    'src/judgement/evaluate/cel-evaluator',
  ];
  const playing = [
    'src/attack/(engine|transport)/',
    'src/suite/play/play-run',
    'src/agents/adapters/',
    'src/report/html',
  ];
  test.each([
    { command: 'validate', spared: [...onDemand, ...playing] },
    { command: 'list', spared: [...onDemand, ...playing, 'src/format/validate/', 'node_modules/yaml/'] },
    { command: 'run', spared: onDemand },
  ])('lets the command $command start without $spared', ({ command, spared }) => {
    const { files: loaded } = reachedFrom(`cli-commands-${command}-command.js`, staticImportsIn);
    const loadedSources = [...loaded].flatMap(sourcesOf);
    for (const pattern of spared) {
      const isSpared = (source: string) => new RegExp(`/${pattern}`).test(source);
      expect(sources.some(isSpared), pattern).toBe(true);
      expect(loadedSources.filter(isSpared)).toEqual([]);
    }
  });

  test('lets other files import only Node modules or a dependency', () => {
    const known = new Set(Object.keys(manifest.dependencies));
    const outside = codeFiles.flatMap((name) =>
      importsIn(built(name)).filter((specifier) => !/^(\.\/|node:)/.test(specifier) && !known.has(specifier)),
    );
    expect(outside).toEqual([]);
  });

  test('each schema that the code reads from the folder of data is published', () => {
    const read = codeFiles.flatMap((name) =>
      [...built(name).matchAll(/"((?:a2a|ag-ui)-[^"/]+\.proto)"/g)].map(([, file = '']) => file),
    );
    expect([...new Set(read)].sort()).toEqual(
      readdirSync(join(root, 'data')).filter((name) => name.endsWith('.proto')),
    );
    expect(manifest.files).toContain('data');
  });

  test('has no module in two files', () => {
    const twice = sources.filter((source, index) => sources.indexOf(source) !== index);
    expect(sources.length).toBeGreaterThan(400);
    expect(twice).toEqual([]);
  });

  test('gives files names of words, without hashes', () => {
    expect(codeFiles.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*\.js$/.test(name))).toEqual([]);
  });

  test('has the licence of each bundled package', () => {
    const licences = built('THIRD-PARTY.txt');
    const packages = new Set(
      sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
    );
    expect(packages.size).toBeGreaterThan(5);
    expect([...packages].filter((name) => !licences.includes(`\n${name} `))).toEqual([]);
  });
});

function reachedFrom(start: string, importsOf: (code: string) => readonly string[]) {
  const files = new Set([start]);
  const outside: string[] = [];
  for (const name of files)
    for (const specifier of importsOf(built(name)))
      if (specifier.startsWith('./')) files.add(specifier.slice(2));
      else outside.push(`${name}: ${specifier}`);
  return { files, outside };
}

/** Imports as the bundler writes them: at the beginning of a line, or of a minified line. */
function staticImportsIn(code: string): readonly string[] {
  const found = code.matchAll(/(?:^|;)(?:import|export)\b[^;"]*?\bfrom ?"([^"]+)"|(?:^|;)import ?"([^"]+)"/gm);
  return [...found].flatMap(([, from, bare]) => from ?? bare ?? []);
}

function importsIn(code: string): readonly string[] {
  const dynamic = [...code.matchAll(/\bimport\("([^"]+)"\)/g)].flatMap(([, name]) => name ?? []);
  return [...staticImportsIn(code), ...dynamic];
}

/** Files that npm always packs. */
const always = ['README.md', 'LICENSE', 'package.json'];
const listed: readonly string[] = manifest.files;
const excluded = listed.filter((name) => name.startsWith('!')).map((name) => name.slice(1));
const packed = [...always, ...listed.filter((name) => !name.startsWith('!'))];

function isWithin(path: string, names: readonly string[]): boolean {
  return names.some((name) => path === name || path.startsWith(`${name}/`));
}

function isPacked(path: string): boolean {
  return existsSync(join(root, path)) && isWithin(path, packed) && !isWithin(path, excluded);
}

function pagesBelow(path: string): readonly string[] {
  if (isWithin(path, excluded)) return [];
  if (!statSync(join(root, path)).isDirectory()) return path.endsWith('.md') ? [path] : [];
  return readdirSync(join(root, path)).flatMap((name) => pagesBelow(`${path}/${name}`));
}

test('pages for developers of this project are not packed', () => {
  expect(existsSync(join(root, 'docs/development'))).toBe(true);
  expect(isPacked('docs/development/glossary.md')).toBe(false);
  expect(packed.flatMap(pagesBelow).filter((page) => page.startsWith('docs/')).length).toBeGreaterThan(40);
});

describe('links of packed pages', () => {
  test.each(packed.flatMap(pagesBelow))('lead to packed files or are absolute: %s', (page) => {
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```/gms, '');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/g)].map(
      ([, link = '', attribute = '']) => link || attribute,
    );
    const lost = targets
      .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
      .filter((target) => !isPacked(normalize(join(dirname(page), target.replace(/#.*/, '')))));
    expect(lost).toEqual([]);
  });
});
