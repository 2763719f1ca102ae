import { expect, test } from 'vitest';
import { disarmCommands } from '../../../src/format/model/disarm-commands.ts';

test.each([
  ['::error::x', '\\u003a:error::x'],
  ['a\n  ::add-mask::x', 'a\n  \\u003a:add-mask::x'],
  ['\u00a0\u3000::error::x', '\u00a0\u3000\\u003a:error::x'],
  ['a\r::stop-commands::x', 'a\r\\u003a:stop-commands::x'],
  ['a ##vso[task.setvariable]x', 'a #\\u0023vso[task.setvariable]x'],
  ['##[error]x', '#\\u0023[error]x'],
  ['###[error]x', '##\\u0023[error]x'],
  ['##teamcity[x]', '#\\u0023teamcity[x]'],
  ['a :: b, std::string, ## Heading, #1[', 'a :: b, std::string, ## Heading, #1['],
])('the commands of a CI system in %j are shown as %j', (text, disarmed) => {
  expect(disarmCommands(text)).toBe(disarmed);
  expect(disarmCommands(disarmed)).toBe(disarmed);
});

test('JSON has the same meaning when its commands are disarmed', () => {
  const value = { '##vso[a]': ['::error::', '\\##[x]', '\n::b::', '"##[y]'] };
  for (const indent of [0, 2]) expect(JSON.parse(disarmCommands(JSON.stringify(value, null, indent)))).toEqual(value);
});

test('a long text of blanks and colons takes linear time', () => {
  const text = ' '.repeat(1_000_000) + '\n'.repeat(1_000_000) + '#'.repeat(1_000_000);
  expect(disarmCommands(text)).toBe(text);
});
