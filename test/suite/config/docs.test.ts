import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandTexts } from '../../../src/cli/help-text.ts';
import { settingRows } from '../../../src/cli/run/settings/setting-rows.ts';
import type { Config } from '../../../src/suite/config/config.ts';
import { createConfigSchema, findConfigProblems } from '../../../src/suite/config/config-shape.ts';
import { readYamlConfig } from '../../../src/suite/config/read-yaml-config.ts';
import { findTargetsProblems } from '../../../src/suite/config/target-problems.ts';

const page = readFileSync(new URL('../../../docs/reference/configuration.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```yaml config\n(.*?)```/gs)].map(([, text = '']) => text);

test('docs/reference/configuration.md has more than three examples of configurations', () => {
  expect(examples.length).toBeGreaterThan(3);
});

test.each(examples)('this example in docs/reference/configuration.md is a valid configuration:\n%s', (text) => {
  const { value, problems } = readYamlConfig(text);
  expect([...problems, ...findConfigProblems(value), ...findTargetsProblems((value as Config).targets ?? {})]).toEqual(
    [],
  );
});

test('docs/reference/configuration.md and the help of run name every setting and every environment variable', () => {
  const settings = Object.keys(createConfigSchema().properties as object).filter((name) => name !== '$schema');
  const variables = Object.values(settingRows).flatMap(({ variable }) => variable ?? []);
  const named = new Set([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name));
  expect(settings.filter((name) => !named.has(name))).toEqual([]);
  expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(variables.filter((name) => !commandTexts.run.notes?.join(' ').includes(name))).toEqual([]);
});
