import { expect, test } from 'vitest';
import { remembered } from '../../src/bindings/remembered.ts';

const most = 4 * 1024 * 1024;
/** A unique text of this length. */
const text = (name: string, length = 1) => name.padEnd(length, name);

test.each<[string, string[], string[]]>([
  ['as many characters as there may be', [text('a', most)], ['a']],
  ['more than that, which is not taken up', [text('a'), text('b', most + 1)], ['a']],
  ['so many that the oldest go', [text('a'), text('b'), text('c', most - 1)], ['b', 'c']],
  ['what just fits beside the others', [text('a'), text('b', most - 1)], ['a', 'b']],
  [
    'the same twice, which counts once',
    [text('a', most / 2), text('a', most / 2), text('b', most / 2)],
    ['a', 'b'],
  ],
])('%s', (_, texts, kept) => {
  const memory = remembered();
  for (const each of texts) memory.add(each);
  expect(Array.from(memory.values(), (each) => each[0])).toEqual(kept);
  expect(texts.filter((each) => memory.has(each)).map((each) => each[0])).toEqual(
    expect.arrayContaining(kept),
  );
});

test('of many texts the latest are kept', () => {
  const memory = remembered();
  for (let index = 0; index <= 10_000; index++) memory.add(String(index));
  expect(['0', '1', '10000'].map((each) => memory.has(each))).toEqual([false, true, true]);
});
