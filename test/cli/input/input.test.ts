import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findDocuments } from '../../../src/suite/library/find-documents.ts';
import { compileSegment, expandBraces, findMatchingPaths } from '../../../src/suite/library/glob.ts';
import { readLines } from '../../../src/suite/store/read-lines.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const names = [
  'a.yaml',
  'b.yml',
  'n.txt',
  'in/a.yaml',
  'in/deep/c.yaml',
  '.dot/d.yaml',
  'node_modules/e.yaml',
  '[x].yaml',
];
const folder = freshFolder(names.map((name) => [name, '']));

test.each([
  ['*.yaml', ['[x].yaml', 'a.yaml']],
  ['**/*.yaml', ['[x].yaml', 'a.yaml', 'in/a.yaml', 'in/deep/c.yaml']],
  ['**/a.yaml', ['a.yaml', 'in/a.yaml']],
  ['in/**', ['in/a.yaml', 'in/deep', 'in/deep/c.yaml']],
  ['?.{yaml,yml}', ['a.yaml', 'b.yml']],
  ['{in,.dot}/*.yaml', ['.dot/d.yaml', 'in/a.yaml']],
  ['i*/*/c.yaml', ['in/deep/c.yaml']],
  ['../*/zzz', []],
])('glob finds for %s the paths %j', (pattern, expected) => {
  expect(findMatchingPaths(pattern, folder)).toEqual(expected);
});

test('glob finds paths for an absolute pattern', () => {
  expect(findMatchingPaths(join(folder, '*.yml'), '/')).toEqual([join(folder, 'b.yml')]);
});

test.each([
  ['a{b,c{d,e}}f', ['abf', 'acdf', 'abf', 'acef']],
  ['{a,b}{1,2}', ['a1', 'a2', 'b1', 'b2']],
  ['{}', ['{}']],
  ['{a', ['{a']],
])('expandBraces expands %s to %j', (pattern, expected) => {
  expect(expandBraces(pattern).toSorted()).toEqual(expected.toSorted());
});

test.each([
  ['*.yaml', 'a.yaml', true],
  ['*.yaml', '.a.yaml', false],
  ['.*', '.a.yaml', true],
  ['a+(b).c', 'a+(b).c', true],
  ['a.c', 'abc', false],
  ['?', '😀', true],
])('compileSegment matches %s with the name %s: %s', (segment, name, expected) => {
  expect(compileSegment(segment)(name)).toBe(expected);
});

test.each([
  [['.'], ['[x].yaml', 'a.yaml', 'b.yml', 'in/a.yaml', 'in/deep/c.yaml']],
  [['[x].yaml'], ['[x].yaml']],
  [['n.txt'], ['n.txt']],
  [
    ['in/deep', 'in'],
    ['in/deep/c.yaml', 'in/a.yaml'],
  ],
  [['.dot'], ['.dot/d.yaml']],
])('findDocuments finds for %j the documents %j', (operands, expected) => {
  expect(findDocuments(operands, folder).map(({ name }) => name)).toEqual(expected);
});

async function* chunksOf(...chunks: readonly (string | Buffer)[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function linesOf(...chunks: readonly (string | Buffer)[]) {
  const lines = [];
  for await (const batch of readLines(chunksOf(...chunks), 8)) lines.push(...batch);
  return lines;
}

describe('readLines', () => {
  test.each([
    [
      'whole lines',
      ['a\nb\n'],
      [
        { number: 1, text: 'a' },
        { number: 2, text: 'b' },
      ],
    ],
    [
      'a last line without a newline',
      ['a\nb'],
      [
        { number: 1, text: 'a' },
        { number: 2, text: 'b' },
      ],
    ],
    [
      'a line across chunks',
      ['a', 'b', 'c\nd'],
      [
        { number: 1, text: 'abc' },
        { number: 2, text: 'd' },
      ],
    ],
    ['lines after blank ones, which are counted', ['\n \n\r\na'], [{ number: 4, text: 'a' }]],
    ['a line after a byte order mark', ['\ufeffa'], [{ number: 1, text: 'a' }]],
    ['a character across chunks', [Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])], [{ number: 1, text: 'é' }]],
    ['a line of the greatest length', ['12345678'], [{ number: 1, text: '12345678' }]],
    ['a line of the greatest length across chunks', ['1234', '5678'], [{ number: 1, text: '12345678' }]],
    [
      'a line that is too long across chunks, and the next',
      ['123456', '7890', '1234\nok\n'],
      [
        { number: 1, problem: expect.any(String) },
        { number: 2, text: 'ok' },
      ],
    ],
    ['a last line that is too long', ['123456789'], [{ number: 1, problem: expect.any(String) }]],
    ['a line that is not UTF-8', [Buffer.from([0xff, 0x0a])], [{ number: 1, problem: 'the line is not UTF-8' }]],
    ['no line', [], []],
  ])('reads %s', async (_name, chunks, expected) => {
    expect(await linesOf(...chunks)).toEqual(expected);
  });
});
