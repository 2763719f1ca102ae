import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { problemsOfCommand } from '../../../src/agent/command-agent.ts';
import type { CommandTarget } from '../../../src/agent/targets.ts';

// The examples of the page do what the page says.

const page = readFileSync(new URL('../../../docs/command-agents.md', import.meta.url), 'utf8');

const examples = [...page.matchAll(/```yaml config\n(.*?)```/gs)].flatMap(([, text = '']) =>
  Object.entries((parse(text) as { targets: { [name: string]: CommandTarget } }).targets),
);

describe('the examples', () => {
  test('are there', () => {
    expect(examples.map(([name]) => name)).toEqual(['mine', 'claude', 'codex', 'gemini', 'opencode']);
  });
  test.each(examples)('%s', (_, target) => {
    expect(problemsOfCommand(target)).toEqual([]);
  });
});

test('every placeholder is explained, and no other', () => {
  const known = [
    ...(problemsOfCommand({ command: 'agent {{?}}' })[0]?.split('; ')[1] ?? '').matchAll(/\{\{.+?\}\}/g),
  ];
  const explained = [...page.matchAll(/^\| `(\{\{.+?\}\})` \|/gm)].map(([, name]) => name);
  expect(explained.sort()).toEqual(known.map(([name]) => name).sort());
});
