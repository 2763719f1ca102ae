import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import type { CommandRow } from '../../src/cli/table.ts';

// A command that has topics shows few flags at first. Nothing may get lost between the two lists.

const rows = Object.entries<CommandRow>(commands);

describe.each(rows.filter(([, { topics }]) => topics !== undefined))('%s', (_, { flags, topics = [] }) => {
  const inTopics = topics.flatMap((topic) => topic.flags.map(({ name }) => name));

  test('every flag of a topic is a flag of the command, and of one topic', () => {
    expect(flags.map(({ name }) => name)).toEqual(expect.arrayContaining(inTopics));
    expect(new Set(inTopics).size).toBe(inTopics.length);
  });

  test('the flags that are shown first fit on a screen', () => {
    expect(flags.length - inTopics.length).toBeLessThanOrEqual(10);
  });
});

test.each(rows.filter(([, { topics }]) => topics === undefined))(
  '%s has few enough flags to show them all',
  (_, { flags }) => {
    expect(flags.length).toBeLessThanOrEqual(20);
  },
);
