import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { settingRows } from '../../src/cli/run/settings/setting-rows.ts';
import type { Config } from '../../src/config/config.ts';
import { configSchema, problemsOf } from '../../src/config/config-shape.ts';
import { readYamlConfig } from '../../src/config/read-yaml-config.ts';
import { problemsOfTargets } from '../../src/config/target-problems.ts';

const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```yaml config\n(.*?)```/gs)].map(([, text = '']) => text);

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(3);
});

test.each(examples)('an example of the page is right:\n%s', (text) => {
  const { value, problems } = readYamlConfig(text);
  expect([...problems, ...problemsOf(value), ...problemsOfTargets((value as Config).targets ?? {})]).toEqual(
    [],
  );
});

test('the page names every setting, and every variable', () => {
  const settings = Object.keys(configSchema().properties as object).filter((name) => name !== '$schema');
  const variables = Object.values(settingRows).flatMap(({ variable }) => variable ?? []);
  const named = new Set([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name));
  expect(settings.filter((name) => !named.has(name))).toEqual([]);
  expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(variables.filter((name) => !commands.run.notes.join(' ').includes(name))).toEqual([]);
});
