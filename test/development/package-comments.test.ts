import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, expect, test, vi } from 'vitest';

// Each public entry begins with a package comment, whose example compiles and prints what it says.

const root = fileURLToPath(new URL('../..', import.meta.url));
const entries = {
  oatf: 'src/index.ts',
  'oatf/runtime': 'src/runtime.ts',
  'oatf/protocol': 'src/protocol.ts',
  'oatf/testing': 'src/testing/testing.ts',
  'oatf/config': 'src/suite/config/config.ts',
};

/** The example of a package comment, which must be the first thing in its file. */
function readExample(path: string): string {
  const [, comment = ''] = /^\/\*\*\n((?: \*.*\n)+?) \*\/\n/.exec(readFileSync(join(root, path), 'utf8')) ?? [];
  const text = comment.replaceAll(/^ \* ?/gm, '');
  expect(text).toContain('@packageDocumentation');
  return /^```ts\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? '';
}

/** The example with imports of the sources instead of the package. */
function withSources(example: string): string {
  return example.replaceAll(
    /from '(oatf[a-z/]*)'/g,
    (_, name: keyof typeof entries) => `from '${join(root, entries[name])}'`,
  );
}

// Inside the repository, so that the compiler and the runner treat the examples as they treat other tests.
const folder = mkdtempSync(join(root, 'test', '.examples-'));
afterAll(() => rmSync(folder, { recursive: true }));
const files = Object.entries(entries).map(([name, path]) => {
  const example = readExample(path);
  const file = join(folder, `${name.replace('/', '-')}.ts`);
  writeFileSync(file, withSources(example));
  return { name, example, file };
});

test('the examples of all entries compile', { timeout: 60_000 }, () => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    files.map(({ file }) => file),
    { ...options, noEmit: true },
  );
  const problems = files.flatMap(({ name, file }) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  });
  expect(problems).toEqual([]);
});

describe('the example prints what it says', () => {
  test.each(files)('$name', { timeout: 30_000 }, async ({ example, file }) => {
    const printed: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((text) => void printed.push(String(text)));
    await import(file).finally(() => log.mockRestore());
    const expected = [...example.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line]) => line);
    expect(expected.length).toBeGreaterThan(0);
    expect(printed).toEqual(expected);
  });
});
