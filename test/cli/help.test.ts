import { describe, expect, test } from 'vitest';
import type { CommandRow } from '../../src/cli/command-row.ts';
import { type CommandName, commands } from '../../src/cli/commands.ts';
import { commandTexts } from '../../src/cli/help-text.ts';

// A command that has topics shows few flags at first. Nothing may get lost between the two lists.

const rows = Object.entries<CommandRow>(commands);

describe.each(rows.filter(([, { topics }]) => topics !== undefined))(
  'the help of oatf %s',
  (_, { flags, topics = [] }) => {
    const inTopics = topics.flatMap((topic) => topic.flags.map(({ name }) => name));

    test('has each flag of a topic once, and it is a flag of the command', () => {
      expect(flags.map(({ name }) => name)).toEqual(expect.arrayContaining(inTopics));
      expect(new Set(inTopics).size).toBe(inTopics.length);
    });

    test('shows at most ten flags first', () => {
      expect(flags.length - inTopics.length).toBeLessThanOrEqual(10);
    });
  },
);

test.each(rows.filter(([, { topics }]) => topics === undefined))(
  'the help of oatf %s has at most 20 flags, because it has no topics',
  (_, { flags }) => {
    expect(flags.length).toBeLessThanOrEqual(20);
  },
);

test('command-texts.json describes only flags that a command has', () => {
  const stale = rows.flatMap(([name, { flags }]) => {
    const known = flags.map((flag) => flag.name);
    const described = Object.keys(commandTexts[name as CommandName].flags);
    return described.filter((flag) => !known.includes(flag)).map((flag) => `${name} --${flag}`);
  });
  expect(stale).toEqual([]);
});
