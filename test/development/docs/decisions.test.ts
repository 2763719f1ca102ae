import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const folder = new URL('../../../docs/development/decisions/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const names = readdirSync(folder).filter((name) => name !== 'README.md');
const numberOf = (name: string): string => name.slice(0, 3);
const index = read('README.md');

test('no two files in docs/development/decisions have the same number', () => {
  const numbers = names.map(numberOf);
  expect(numbers.length).toBeGreaterThan(20);
  expect(names.filter((_, at) => numbers.indexOf(numbers[at] ?? '') !== at)).toEqual([]);
});

describe.each(names)('docs/development/decisions/%s', (name) => {
  const text = read(name);

  test('has its number, date, status and the four sections', () => {
    const number = numberOf(name);
    expect(text).toMatch(
      new RegExp(`^# ${number} .+\n\n- Date: \\d{4}-\\d\\d-\\d\\d\n- Status: (accepted|superseded by \\d{3})\n`),
    );
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
      'Context',
      'Decision',
      'Consequences',
      'Example',
    ]);
  });

  test('is listed in the index with its title and date', () => {
    const [, title = '', date = ''] = /^# \d+ (.*)\n\n- Date: (\S+)/.exec(text) ?? [];
    expect(index).toContain(`| ${numberOf(name)} | [${title}](${name}) | ${date} |`);
  });
});

test('the index accounts for every number up to the last', () => {
  const last = Math.max(...names.map((name) => Number(numberOf(name))));
  const listed = [...index.matchAll(/^\| (\d{3}) \|/gm)].map(([, number]) => Number(number));
  const unused = /^The numbers (.*) were never used\.$/m.exec(index)?.[1] ?? '';
  const ranges = [...unused.matchAll(/(\d{3})(?: to (\d{3}))?/g)].flatMap(([, from = '', to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at),
  );
  const known = new Set([...listed, ...ranges]);
  expect(Array.from({ length: last }, (_, at) => at + 1).filter((number) => !known.has(number))).toEqual([]);
});
