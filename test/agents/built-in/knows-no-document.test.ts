import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

// If a mind knew a document, their result would prove nothing about the document; if an indicator knew a mind, it would
// prove nothing about other agents.

const policies = join(import.meta.dirname, '../../../src/agents/built-in/policies');
const code = readdirSync(policies)
  .map((file) => readFileSync(join(policies, file), 'utf8'))
  .join('\n')
  .toLowerCase();
const scenarios = join(import.meta.dirname, '../../../scenarios');
const documents = readdirSync(scenarios)
  .filter((file) => /(?<!\.test)\.yaml$/.test(file))
  .map((file) => [file, parse(readFileSync(join(scenarios, file), 'utf8')).attack] as const);

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Every run of words of that length. */
function phrases(text: string, length: number): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_'-]+/gu) ?? [];
  return words.slice(length - 1).map((_, index) => words.slice(index, index + length).join(' '));
}

test.each(documents)('built-in models: contain no sentence and no id of %s', (_, attack) => {
  const found = [attack.execution, attack['x-payload']]
    .flatMap(stringsIn)
    .flatMap((text) => phrases(text, 5))
    .filter((phrase) => code.includes(phrase));
  expect(found).toEqual([]);
  expect(code).not.toContain(String(attack.id).toLowerCase());
});

test.each(documents)('built-in models: contain no text that the indicators of %s look for', (_, attack) => {
  const wanted = [...attack.indicators, ...(attack['x-task'] ?? [])]
    .flatMap(({ pattern, expression }) => stringsIn([pattern?.contains, pattern?.condition, expression?.cel]))
    .flatMap((text) => [text, ...[...text.matchAll(/contains\("([^"]+)"\)/g)].map(([, value = '']) => value)])
    .filter((text) => text.includes(' ') || /[\d_@.]/.test(text))
    // Short numbers occur in any code by chance.
    .filter((text) => !/^\d{1,3}$/.test(text));
  expect(wanted.filter((text) => code.includes(text.toLowerCase()))).toEqual([]);
});
