import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadMarked } from '../../../src/format/load-marked.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { callOatf } from '../run-cli.ts';

// `oatf record` against hostile programs ends on its own, with a clear message, and with a valid document or none.

const program = fileURLToPath(new URL('hostile-server.mjs', import.meta.url));

test.each([
  ['silent', '3s', 69, /did not introduce itself within 3 s/],
  ['garbage', '3s', 69, /did not introduce itself within 3 s; its message cannot be read/],
  ['a line without end', '1s', 69, /did not introduce itself within 1 s/],
  ['notifications without end', '3s', 2, /left out: /],
  ['pages without end', '3s', 2, /more than 50 pages/],
  ['a huge answer', '3s', 2, /left out: /],
  ['secrets everywhere', '3s', 0, /values that look like secrets are masked/],
  ['an end in the middle', '3s', 2, /the program ended with exit code 3/],
])(
  'oatf record ends with the right exit code and message, given a hostile program: %s',
  async (kind, timeout, exit, word) => {
    const folder = freshFolder();
    const { exit: ended, stderr } = await callOatf(
      [
        'record',
        `command:${process.execPath} ${program} '${kind}'`,
        '--read',
        '--timeout',
        timeout,
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
  },
);
