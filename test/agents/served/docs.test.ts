import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { problemsOf } from '../../../src/config/config-shape.ts';
import { targetAgent } from '../../../src/config/target-agent.ts';

// The examples of the page are valid.

const page = readFileSync(new URL('../../../docs/served-agents.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```yaml config\n(.*?)```/gs)].map(([, text = '']) => parse(text));

describe('docs/served-agents.md', () => {
  test.each(examples)('%j', (config) => {
    expect(problemsOf(config)).toEqual([]);
    for (const [name, target] of Object.entries(config.targets))
      expect(targetAgent(name, target as never, { environment: {}, folder: '.' })).toMatchObject({ name });
  });

  test('has examples', () => expect(examples).toHaveLength(3));
});
