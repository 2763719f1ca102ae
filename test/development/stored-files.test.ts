import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// Files in a folder of results are opened in one way, by `files/stored-file.ts`, which follows no links. So the code that
// handles such folders may use nothing of Node that opens a file by its path.

const source = fileURLToPath(new URL('../../src', import.meta.url));
const folders = ['suite/store', 'suite/play', 'report', 'cli/run/plan', 'cli/run/results'];
const opening =
  /\b(?:openSync|readFileSync|writeFileSync|appendFileSync|copyFileSync|cpSync|createWriteStream|truncateSync|chmodSync|readRegular|openRegular)\(/g;

/** Their paths do not lead into a folder of results. */
const allowed: { readonly [file: string]: readonly string[] } = {
  'cli/run/results/baseline-flag.ts': ['readRegular('],
  'cli/run/results/reporter-flag.ts': ['openRegular('],
  'cli/run/results/write-reports.ts': ['appendFileSync(', 'writeFileSync(', 'writeFileSync(', 'appendFileSync('],
  'report/html/template.ts': ['readFileSync('],
  // A lock is written under a random name and linked. Its process table entry is read from /proc.
  'suite/store/folder-lock.ts': ['writeFileSync(', 'writeFileSync(', 'readFileSync('],
  // The user may name a results.json.
  'suite/store/read-results.ts': ['readRegular('],
};

test('code for folders of results opens their files only through files/stored-file.ts', () => {
  const used = folders.flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const code = readFileSync(join(source, folder, name), 'utf8').replaceAll(/^ *(?:\*|\/\/).*$/gm, '');
        const calls = code.match(opening) ?? [];
        return calls.length === 0 ? [] : [[join(folder, name), calls.sort()] as const];
      }),
  );
  expect(Object.fromEntries(used)).toEqual(
    Object.fromEntries(Object.entries(allowed).map(([file, calls]) => [file, [...calls].sort()])),
  );
});
