import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';

// Every script that package.json or the documentation names exists and starts: its modules load, as far as that can be
// seen without running it. Most take minutes or need a network, so the tests do not run them.

const root = fileURLToPath(new URL('../../..', import.meta.url));

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: { readonly [name: string]: string };
};

const texts = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'examples', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:md|mjs|ts)$/.test(name) && !/(?:^|\/)node_modules\//.test(name))
      .map((name) => join(folder, name)),
  ),
].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Scripts of the reader's own project, which examples in the documentation call. */
const readersOwn = new Set(['docs/guides/served-agents.md: serve']);

const named = texts.flatMap(({ path, text }) =>
  [...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name = '']) => ({ path, name })),
);

test('every npm script that the documentation names is one of package.json', () => {
  const missing = named.filter(({ name }) => scripts[name] === undefined).map(({ path, name }) => `${path}: ${name}`);
  expect(missing.filter((each) => !readersOwn.has(each))).toEqual([]);
});

const called = /\b(?:node|tsx) ((?:scripts|bench)\/[\w./-]+\.(?:mjs|ts))/g;
const files = [
  ...new Set(
    [...Object.values(scripts), ...texts.map(({ text }) => text)].flatMap((text) =>
      [...text.matchAll(called)].map(([, file = '']) => file),
    ),
  ),
].sort();

test('package.json and the documentation name scripts', () => {
  expect(files).toEqual(
    expect.arrayContaining(['scripts/attack-examples.mjs', 'scripts/real-agents.mjs', 'bench/run.ts']),
  );
});

/** The built program is checked by other tests. */
const builtProgram: Plugin = {
  name: 'built program',
  setup: ({ onResolve }) => onResolve({ filter: /\/dist\// }, ({ path }) => ({ path, external: true })),
};

test.each(files)('%s and its modules load', async (file) => {
  expect(existsSync(join(root, file))).toBe(true);
  // Names a module that is missing, a name that a module does not export, and a mistake of syntax.
  const { errors, warnings } = await build({
    entryPoints: [join(root, file)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [builtProgram],
    logLevel: 'silent',
  });
  expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
});

test('npm run examples:agents finds the examples and the documents that it attacks them with', () => {
  const args = ['--import', 'tsx', 'scripts/attack-examples.mjs', '--list'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^examples: .*\blanggraph\b.*\ndocuments: .*\bOATS-001\b.*\n$/);
});
