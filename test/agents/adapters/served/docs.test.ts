import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findConfigProblems } from '../../../../src/suite/config/config-shape.ts';
import { createAgentOfTarget } from '../../../../src/suite/config/target-agent.ts';

// The examples of the page are valid.

const page = readFileSync(new URL('../../../../docs/guides/served-agents.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```yaml config\n(.*?)```/gs)].map(([, text = '']) => parse(text));

describe('docs/guides/served-agents.md', () => {
  test.each(examples)('has a valid example: %j', (config) => {
    expect(findConfigProblems(config)).toEqual([]);
    for (const [name, target] of Object.entries(config.targets))
      expect(createAgentOfTarget(name, target as never, { environment: {}, folder: '.' })).toMatchObject({
        name,
      });
  });

  test('has three examples', () => expect(examples).toHaveLength(3));
});
