import { describe, expect, test } from 'vitest';
import { LineReader } from '../../src/transport/stdio-server/line-reader.ts';

describe('lines', () => {
  const rows: [string, string[], [string, string][]][] = [
    ['one', ['a\n'], [['whole', 'a']]],
    [
      'several in one piece',
      ['a\nbc\n'],
      [
        ['whole', 'a'],
        ['whole', 'bc'],
      ],
    ],
    ['one in crumbs', ['a', 'b', 'c', '\n'], [['whole', 'abc']]],
    [
      'the end of one and the beginning of another',
      ['ab\nc', 'd\n'],
      [
        ['whole', 'ab'],
        ['whole', 'cd'],
      ],
    ],
    ['empty ones', ['\n\r\n \t\n'], []],
    ['a carriage return', ['a\r\n'], [['whole', 'a\r']]],
    ['no end', ['ab', 'c'], [['whole', 'abc']]],
    ['as long as it may be', ['12345678\n'], [['whole', '12345678']]],
    [
      'too long',
      ['123456789\nab\n'],
      [
        ['too long', '1234'],
        ['whole', 'ab'],
      ],
    ],
    [
      'too long, in crumbs',
      ['12345', '6789', 'x'.repeat(100), '\nab\n'],
      [
        ['too long', '1234'],
        ['whole', 'ab'],
      ],
    ],
    ['too long, without an end', ['12345', '6789'], [['too long', '1234']]],
  ];
  test.each(rows)('%s', (_, chunks, expected) => {
    const reader = new LineReader({ lineBytes: 8, recordedBytes: 4 });
    const lines = [];
    for (const chunk of chunks) {
      reader.push(Buffer.from(chunk));
      for (let line = reader.next(); line !== undefined; line = reader.next()) lines.push(line);
    }
    const rest = reader.rest();
    if (rest !== undefined) lines.push(rest);
    expect(lines.map(({ kind, bytes }) => [kind, bytes.toString()])).toEqual(expected);
  });
});
