import { expect, test } from 'vitest';
import { describeConfigProblem } from '../../src/cli/run/settings/config-flag.ts';
import { selectRedactor } from '../../src/secrets/redactor.ts';
import { runCommand } from '../cli/run-cli.ts';
import { freshFolder } from '../support/fresh-folder.ts';

// Problems are reported without secrets.

const key = 'plantedkey4711abcdefXYZ';

test.each([
  [
    'a key in place of the name of its variable',
    `targets: { mine: { llm: gpt-5-mini, keyEnv: ${key} } }`,
    '--agent mine',
  ],
  [
    'a key with a dash in place of the name of its variable',
    `targets: { mine: { llm: gpt-5-mini, keyEnv: sk-${key} } }`,
    '--agent mine',
  ],
  ['a password in the address of a peer', `connect: { "*": "htp://u:${key}@x" }`, '--agent guarded'],
  ['a pattern of a secret that is wrong', `redact: ["(${key}"]`, '--agent guarded'],
  ['a pattern of a secret that is wrong at its end', `redact: ["${key})"]`, '--agent guarded'],
  [
    'a variable above an unknown key',
    `targets:\n  mine:\n    command: node\n    env:\n      A: ${key}\n    comnd: node\n`,
    '',
  ],
  ['a header above an unknown key', `connect:\n  a:\n    headers:\n      x-me: ${key}\n    ulr: "http://x/"\n`, ''],
  ['a variable beside an unknown key', `targets:\n  mine: { env: { A: ${key} }, comand: node }\n`, ''],
  [
    'a variable beside a variable that is wrong',
    `targets:\n  mine:\n    command: node\n    env:\n      A: b\n      B: ${key}\n      C: 1\n`,
    '',
  ],
])('the message about a wrong configuration does not show %s', async (_, config, flags) => {
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
  ['the password in a wrong --connect', `--connect 'htp://u:${key}@x'`],
  ['the text of a wrong --redact-pattern', `--redact-pattern '(${key}'`],
])('the message about a wrong flag does not show %s', async (_, flags) => {
  const { stdout, stderr, exit } = await runCommand(`oatf run OATS-001 --agent guarded ${flags}`, freshFolder());
  expect(exit).toBe(64);
  expect(stdout + stderr).not.toContain(key);
});

test.each([
  ['only to the end of their block', 'env:\n  A: b\nafter: c', 'env:\n  A: ****\nafter: c'],
  ['in JSON', '{\n"env": {\n"A":\n"b"\n},\n"c": 1\n}', '{\n"env": {\n"A":\n ****\n},\n"c": 1\n}'],
  ['of several lines', 'headers:\n  a: |\n    b\n    c\nd: e', 'headers:\n  a: ****\n ****\n ****\nd: e'],
])('redactor.configLines masks the values of variables and headers %s', (_, text, expected) => {
  expect(selectRedactor(false).configLines(text).join('\n')).toBe(expected);
});

test('describeConfigProblem shows a wrong value that is no variable as it is', () => {
  const text = 'agent: mine\ntimeout: soon';
  const range = { start: { line: 2, column: 10, offset: 21 }, end: { line: 2, column: 14, offset: 25 } };
  const colours = { bold: String, red: String, cyan: String, dim: String } as never;
  const shown = describeConfigProblem('f', { path: ['timeout'], message: 'x', range } as never, text, {
    colours,
    columns: 80,
  });
  expect(shown).toContain('> 2 | timeout: soon');
});
