import { describe, expect, test } from 'vitest';
import { LineReader } from '../../../src/attack/transport/mcp-server/stdio/line-reader.ts';

describe('LineReader', () => {
  const rows: [string, string[], [string, string][]][] = [
    ['reads one line', ['a\n'], [['whole', 'a']]],
    [
      'reads several lines in one chunk',
      ['a\nbc\n'],
      [
        ['whole', 'a'],
        ['whole', 'bc'],
      ],
    ],
    ['reads a line in tiny chunks', ['a', 'b', 'c', '\n'], [['whole', 'abc']]],
    [
      'reads the end of one line and the beginning of the next in one chunk',
      ['ab\nc', 'd\n'],
      [
        ['whole', 'ab'],
        ['whole', 'cd'],
      ],
    ],
    ['ignores empty lines', ['\n\r\n \t\n'], []],
    ['keeps a carriage return', ['a\r\n'], [['whole', 'a\r']]],
    ['reads a last line without an end', ['ab', 'c'], [['whole', 'abc']]],
    ['reads a line of exactly the allowed length', ['12345678\n'], [['whole', '12345678']]],
    [
      'keeps only the beginning of a line that is too long',
      ['123456789\nab\n'],
      [
        ['too long', '1234'],
        ['whole', 'ab'],
      ],
    ],
    [
      'keeps only the beginning of a line that is too long and comes in tiny chunks',
      ['12345', '6789', 'x'.repeat(100), '\nab\n'],
      [
        ['too long', '1234'],
        ['whole', 'ab'],
      ],
    ],
    ['keeps only the beginning of a line that is too long and has no end', ['12345', '6789'], [['too long', '1234']]],
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
