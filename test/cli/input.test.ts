import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findDocuments } from '../../src/catalogue/find-documents.ts';
import { expandBraces, glob, matcherOf } from '../../src/catalogue/glob.ts';
import { readLines } from '../../src/suite/read-lines.ts';
import { freshFolder } from '../support/fresh-folder.ts';

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
])('glob %s', (pattern, expected) => {
  expect(glob(pattern, folder)).toEqual(expected);
});

test('glob with an absolute path', () => {
  expect(glob(join(folder, '*.yml'), '/')).toEqual([join(folder, 'b.yml')]);
});

test.each([
  ['a{b,c{d,e}}f', ['abf', 'acdf', 'abf', 'acef']],
  ['{a,b}{1,2}', ['a1', 'a2', 'b1', 'b2']],
  ['{}', ['{}']],
  ['{a', ['{a']],
])('braces of %s', (pattern, expected) => {
  expect(expandBraces(pattern).toSorted()).toEqual(expected.toSorted());
});

test.each([
  ['*.yaml', 'a.yaml', true],
  ['*.yaml', '.a.yaml', false],
  ['.*', '.a.yaml', true],
  ['a+(b).c', 'a+(b).c', true],
  ['a.c', 'abc', false],
  ['?', '😀', true],
])('segment %s on %s is %s', (segment, name, expected) => {
  expect(matcherOf(segment)(name)).toBe(expected);
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
])('documents of %j', (operands, expected) => {
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

describe('lines', () => {
  test.each([
    [
      'whole',
      ['a\nb\n'],
      [
        { number: 1, text: 'a' },
        { number: 2, text: 'b' },
      ],
    ],
    [
      'no newline at the end',
      ['a\nb'],
      [
        { number: 1, text: 'a' },
        { number: 2, text: 'b' },
      ],
    ],
    [
      'across chunks',
      ['a', 'b', 'c\nd'],
      [
        { number: 1, text: 'abc' },
        { number: 2, text: 'd' },
      ],
    ],
    ['blank ones are counted', ['\n \n\r\na'], [{ number: 4, text: 'a' }]],
    ['a byte order mark', ['\ufeffa'], [{ number: 1, text: 'a' }]],
    [
      'a character across chunks',
      [Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])],
      [{ number: 1, text: 'é' }],
    ],
    ['as long as may be', ['12345678'], [{ number: 1, text: '12345678' }]],
    ['as long as may be, across chunks', ['1234', '5678'], [{ number: 1, text: '12345678' }]],
    [
      'too long, across chunks, then good',
      ['123456', '7890', '1234\nok\n'],
      [
        { number: 1, problem: expect.any(String) },
        { number: 2, text: 'ok' },
      ],
    ],
    ['too long at the end', ['123456789'], [{ number: 1, problem: expect.any(String) }]],
    ['not UTF-8', [Buffer.from([0xff, 0x0a])], [{ number: 1, problem: 'the line is not UTF-8' }]],
    ['nothing', [], []],
  ])('%s', async (_name, chunks, expected) => {
    expect(await linesOf(...chunks)).toEqual(expected);
  });
});
