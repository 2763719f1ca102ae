import { describe, expect, test } from 'vitest';
import { explainEmptyFolder, joinLastLines } from '../../../src/attack/transport/program/last-lines.ts';

const uncaught = `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/tmp/run/agent.mjs'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`;

const own = `warming up
file:///home/me/agent.mjs:3
throw new Error('no key');
      ^

Error: no key
    at file:///home/me/agent.mjs:3:7
`;

const npx = `npm error npx canceled due to missing packages and no YES option: ["tsx@4.20.0"]
npm error A complete log of this run can be found in: /root/.npm/_logs/x.log
`;

describe('joinLastLines', () => {
  test.each<[title: string, output: string, expected: string]>([
    ['is empty without output', '', ''],
    ['is empty for blank lines', ' \n\n', ''],
    ['joins few lines', 'a\n\n  b  \n', 'a | b'],
    ['keeps the last four of many lines', 'a\nb\nc\nd\ne\nf', 'c | d | e | f'],
    ['cuts long lines', `${'x'.repeat(300)}\n`, `${'x'.repeat(200)}…`],
    ['leaves out the trace of an uncaught error', uncaught, "Error: Cannot find module '/tmp/run/agent.mjs'"],
    ['leaves out the excerpt of a file of the program', own, 'warming up | Error: no key'],
    ['keeps the last line if every line belongs to a trace', '    at a\n    at b', 'at b'],
    [
      'keeps the cause before the last line of npm',
      npx,
      'npm error npx canceled due to missing packages and no YES option: ["tsx@4.20.0"] | npm error A complete log of this run can be found in: /root/.npm/_logs/x.log',
    ],
  ])('%s', (_, output, expected) => {
    expect(joinLastLines(output)).toBe(expected);
  });
});

describe('explainEmptyFolder', () => {
  test.each<[title: string, output: string, isExplained: boolean]>([
    ['a missing module of Node.js', uncaught, true],
    ['a missing package of Node.js', "Cannot find package 'zod' imported from /tmp/x.mjs", true],
    ['a missing module of Python', "ModuleNotFoundError: No module named 'agent'", true],
    ['a missing file of Python', "python3: can't open file '/tmp/run/agent.py': [Errno 2]", true],
    ['an error of npx', npx, true],
    ['an error of an older npm', 'npm ERR! code ENOENT', true],
    ['an error of the program', own, false],
    ['no output', '', false],
  ])('speaks of the empty folder only for a file or package that is not found: %s', (_, output, isExplained) => {
    expect(explainEmptyFolder(output)).toBe(
      isExplained ? ' (it runs in an empty folder; use an absolute path, node_modules/.bin/… or `cwd`)' : '',
    );
  });
});
