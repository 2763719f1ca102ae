import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findCommandProblems } from '../../../../src/agents/adapters/command-agent.ts';
import type { CommandTarget } from '../../../../src/agents/adapters/targets.ts';

// The examples of the page do what the page says.

const page = readFileSync(new URL('../../../../docs/guides/command-agents.md', import.meta.url), 'utf8');

const examples = [...page.matchAll(/```yaml config\n(.*?)```/gs)].flatMap(([, text = '']) =>
  Object.entries((parse(text) as { targets: { [name: string]: CommandTarget } }).targets),
);

describe('docs/guides/command-agents.md', () => {
  test('has one example for each of the five agents', () => {
    expect(examples.map(([name]) => name)).toEqual(['mine', 'claude', 'codex', 'gemini', 'opencode']);
  });
  test.each(examples)('has a valid example "%s"', (_, target) => {
    expect(findCommandProblems(target)).toEqual([]);
  });
});

test('docs/guides/command-agents.md: explains exactly the placeholders that exist', () => {
  const known = [
    ...(findCommandProblems({ command: 'agent {{?}}' })[0]?.split('; ')[1] ?? '').matchAll(/\{\{.+?\}\}/g),
  ];
  const explained = [...page.matchAll(/^\| `(\{\{.+?\}\})` \|/gm)].map(([, name]) => name);
  expect(explained.sort()).toEqual(known.map(([name]) => name).sort());
});
