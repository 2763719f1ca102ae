import { expect, test } from 'vitest';
import { createRecentTexts } from '../../../src/attack/bindings/recent-texts.ts';

const most = 4 * 1024 * 1024;
/** A unique text of this length. */
const text = (name: string, length = 1) => name.padEnd(length, name);

test.each<[string, string[], string[]]>([
  ['keeps a text of the maximum length', [text('a', most)], ['a']],
  ['does not keep a text above the maximum length', [text('a'), text('b', most + 1)], ['a']],
  ['drops the oldest texts when there is no room', [text('a'), text('b'), text('c', most - 1)], ['b', 'c']],
  ['keeps a text that just fits beside the others', [text('a'), text('b', most - 1)], ['a', 'b']],
  ['counts a repeated text once', [text('a', most / 2), text('a', most / 2), text('b', most / 2)], ['a', 'b']],
])('remembered: %s', (_, texts, kept) => {
  const memory = createRecentTexts();
  for (const each of texts) memory.add(each);
  expect(Array.from(memory.values(), (each) => each[0])).toEqual(kept);
  expect(texts.filter((each) => memory.has(each)).map((each) => each[0])).toEqual(expect.arrayContaining(kept));
});

test('remembered: keeps the latest 10 000 texts', () => {
  const memory = createRecentTexts();
  for (let index = 0; index <= 10_000; index++) memory.add(String(index));
  expect(['0', '1', '10000'].map((each) => memory.has(each))).toEqual([false, true, true]);
});
