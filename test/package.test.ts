import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

// The packed files, as they were built.

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const built = (name: string): string => readFileSync(join(root, 'dist', name), 'utf8');
const files = readdirSync(join(root, 'dist'));
const codeFiles = files.filter((name) => name.endsWith('.js'));
// A file that only re-exports names has no source map.
const sources = files
  .filter((name) => name.endsWith('.js.map'))
  .flatMap((name): string[] => JSON.parse(built(name)).sources);

describe('the build', () => {
  test('the SDK and all that it loads import nothing but each other', () => {
    const { files, outside } = reachedFrom('index.js', importsIn);
    expect(files.size).toBeGreaterThan(1);
    expect(outside).toEqual([]);
  });

  test.each([
    { command: 'validate', spared: ['cel-library', 'engine', 'transport', 'suite', 'explanations'] },
    { command: 'list', spared: ['registry', 'document', 'languages', 'engine', 'transport', 'suite'] },
    {
      command: 'run',
      spared: [
        ...['cel-library', 'protobuf', 'explanations', 'mcp-client', 'grpc'],
        ...['http-transport', 'client-transport', 'a2a-transport', 'agents', 'configuration'],
        ...['evaluate', 'judge', 'judging', 'reports'],
      ],
    },
  ])('$command does not wait for $spared', ({ command, spared }) => {
    const { files } = reachedFrom(`cli-commands-${command}.js`, staticImportsIn);
    expect(spared.filter((name) => !codeFiles.includes(`${name}.js`))).toEqual([]);
    expect(spared.filter((name) => files.has(`${name}.js`))).toEqual([]);
  });

  test('the other files import only Node’s modules or a dependency', () => {
    const known = new Set(Object.keys(manifest.dependencies));
    const outside = codeFiles.flatMap((name) =>
      importsIn(built(name)).filter((specifier) => !/^(\.\/|node:)/.test(specifier) && !known.has(specifier)),
    );
    expect(outside).toEqual([]);
  });

  test('no module is in two files', () => {
    const twice = sources.filter((source, index) => sources.indexOf(source) !== index);
    expect(sources.length).toBeGreaterThan(400);
    expect(twice).toEqual([]);
  });

  test('names are words, and say nothing of the contents’ hash', () => {
    expect(codeFiles.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*\.js$/.test(name))).toEqual([]);
  });

  test('the licence of each bundled package is there', () => {
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
  const found = code.matchAll(
    /(?:^|;)(?:import|export)\b[^;"]*?\bfrom ?"([^"]+)"|(?:^|;)import ?"([^"]+)"/gm,
  );
  return [...found].flatMap(([, from, bare]) => from ?? bare ?? []);
}

function importsIn(code: string): readonly string[] {
  const dynamic = [...code.matchAll(/\bimport\("([^"]+)"\)/g)].flatMap(([, name]) => name ?? []);
  return [...staticImportsIn(code), ...dynamic];
}

/** Files that npm always packs. */
const always = ['README.md', 'LICENSE', 'package.json'];
const packed = [...always, ...manifest.files] as readonly string[];

function isPacked(path: string): boolean {
  return existsSync(join(root, path)) && packed.some((name) => path === name || path.startsWith(`${name}/`));
}

function pagesBelow(path: string): readonly string[] {
  if (!statSync(join(root, path)).isDirectory()) return path.endsWith('.md') ? [path] : [];
  return readdirSync(join(root, path)).flatMap((name) => pagesBelow(`${path}/${name}`));
}

describe('packed pages link to what is packed, or absolutely', () => {
  test.each(packed.flatMap(pagesBelow))('%s', (page) => {
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
