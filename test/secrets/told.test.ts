import { expect, test } from 'vitest';
import { describeConfigProblem } from '../../src/cli/run/settings/config-flag.ts';
import { redactorFor } from '../../src/secrets/redactor.ts';
import { runCommand } from '../cli/run-cli.ts';
import { freshFolder } from '../support/fresh-folder.ts';

// Problems are reported without secrets.

const key = 'plantedkey4711abcdefXYZ';

test.each([
  [
    'a key in place of its variable',
    `targets: { mine: { llm: gpt-5-mini, keyEnv: ${key} } }`,
    '--agent mine',
  ],
  ['the same with a dash', `targets: { mine: { llm: gpt-5-mini, keyEnv: sk-${key} } }`, '--agent mine'],
  ['a password in a place', `connect: { "*": "htp://u:${key}@x" }`, '--agent guarded'],
  ['a pattern', `redact: ["(${key}"]`, '--agent guarded'],
  ['a pattern of the end of one', `redact: ["${key})"]`, '--agent guarded'],
  [
    'a variable above a mistake',
    `targets:\n  mine:\n    command: node\n    env:\n      A: ${key}\n    comnd: node\n`,
    '',
  ],
  [
    'a header above a mistake',
    `connect:\n  a:\n    headers:\n      x-me: ${key}\n    ulr: "http://x/"\n`,
    '',
  ],
  ['a variable beside a mistake', `targets:\n  mine: { env: { A: ${key} }, comand: node }\n`, ''],
  [
    'a variable beside one that is wrong',
    `targets:\n  mine:\n    command: node\n    env:\n      A: b\n      B: ${key}\n      C: 1\n`,
    '',
  ],
])('%s', async (_, config, flags) => {
  const folder = freshFolder([['oatf.config.yaml', `${config}\n`]]);
  for (const command of ['run OATS-001 --list', 'doctor --no-talk']) {
    const { stdout, stderr, exit } = await runCommand(
      `oatf ${command} ${command === 'doctor --no-talk' ? '' : flags}`,
      folder,
    );
    expect(stdout + stderr).not.toContain(key);
    if (command !== 'doctor --no-talk') expect(exit).toBeGreaterThan(60);
  }
});

test.each([
  ['a password of --connect', `--connect 'htp://u:${key}@x'`],
  ['a pattern of --redact-pattern', `--redact-pattern '(${key}'`],
])('%s', async (_, flags) => {
  const { stdout, stderr, exit } = await runCommand(
    `oatf run OATS-001 --agent guarded ${flags}`,
    freshFolder(),
  );
  expect(exit).toBe(64);
  expect(stdout + stderr).not.toContain(key);
});

test.each([
  ['a block ends where it ends', 'env:\n  A: b\nafter: c', 'env:\n  A: ****\nafter: c'],
  ['JSON', '{\n"env": {\n"A":\n"b"\n},\n"c": 1\n}', '{\n"env": {\n"A":\n ****\n},\n"c": 1\n}'],
  [
    'a text of several lines',
    'headers:\n  a: |\n    b\n    c\nd: e',
    'headers:\n  a: ****\n ****\n ****\nd: e',
  ],
])('lines that are shown: %s', (_, text, expected) => {
  expect(redactorFor(false).configLines(text).join('\n')).toBe(expected);
});

test('a value that is not a variable is shown as it is', () => {
  const text = 'agent: mine\ntimeout: soon';
  const range = { start: { line: 2, column: 10, offset: 21 }, end: { line: 2, column: 14, offset: 25 } };
  const colours = { bold: String, red: String, cyan: String, dim: String } as never;
  const shown = describeConfigProblem('f', { path: ['timeout'], message: 'x', range } as never, text, {
    colours,
    columns: 80,
  });
  expect(shown).toContain('> 2 | timeout: soon');
});
