import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadMarked } from '../../src/load-marked.ts';
import { callOatf } from '../cli/run-cli.ts';
import { freshFolder } from '../support/fresh-folder.ts';

// `oatf record` against hostile programs ends on its own, with a clear message, and with a valid document or none.

const program = fileURLToPath(new URL('hostile-server.mjs', import.meta.url));

test.each([
  ['silent', 69, /did not introduce itself within 3 s/],
  ['garbage', 69, /did not introduce itself within 3 s; its message cannot be read/],
  ['a line without end', 69, /did not introduce itself within 3 s/],
  ['notifications without end', 2, /left out: /],
  ['pages without end', 2, /more than 50 pages/],
  ['a huge answer', 2, /left out: /],
  ['secrets everywhere', 0, /values that look like secrets are masked/],
  ['an end in the middle', 2, /the program ended with exit code 3/],
])('%s', async (kind, exit, word) => {
  const folder = freshFolder();
  const { exit: ended, stderr } = await callOatf(
    [
      'record',
      `command:${process.execPath} ${program} '${kind}'`,
      '--read',
      '--timeout',
      '3s',
      '--out',
      'recorded.yaml',
    ],
    folder,
  );
  expect([ended, stderr]).toEqual([exit, expect.stringMatching(word)]);
  const file = join(folder, 'recorded.yaml');
  expect(existsSync(file)).toBe(exit !== 69);
  if (exit === 69) return;
  const text = readFileSync(file, 'utf8');
  expect(loadMarked(text).ok).toBe(true);
  expect(text).not.toContain('a1B2');
});
