import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEventReader } from '../../src/transport/sse-client/read-events.ts';

interface Read {
  readonly events: string[];
  readonly tooLong: string[];
  /** The data at the end of the stream without a final empty line. */
  readonly rest: string | undefined;
}

function read(chunks: readonly Buffer[], longest = 1_000): Read {
  const events: string[] = [];
  const tooLong: string[] = [];
  const reader = createEventReader(
    { data: (bytes) => events.push(bytes.toString()), tooLong: (bytes) => tooLong.push(bytes.toString()) },
    longest,
  );
  for (const chunk of chunks) reader.push(chunk);
  return { events, tooLong, rest: reader.end()?.toString() };
}

const readText = (text: string, longest?: number): Read => read([Buffer.from(text)], longest);

describe('events', () => {
  const rows: [string, string, string[]][] = [
    ['one', 'data: a\n\n', ['a']],
    ['two', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['mixed line ends', 'data: a\r\n\ndata: b\n\r\ndata: c\r\r\n', ['a', 'b', 'c']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['a byte order mark in the middle is part of a name', 'data: a\n\n\ufeffdata: b\n\n', ['a']],
    ['comments', ': hello\ndata: a\n: there\n\n:\n\n', ['a']],
    ['a comment within an event', 'data: a\n: no\ndata: b\n\n', ['a\nb']],
    ['several lines', 'data: a\ndata: b\ndata: c\n\n', ['a\nb\nc']],
    ['an empty line of data among others', 'data: a\ndata:\ndata: b\n\n', ['a\n\nb']],
    ['no space', 'data:a\n\n', ['a']],
    ['one space is taken away, and no more', 'data:  a \n\n', [' a ']],
    ['a colon in the data', 'data: {"a":1}\n\n', ['{"a":1}']],
    ['other fields', 'event: x\nid: 1\nretry: 5\ndata: a\n\n', ['a']],
    ['names are whole and small', 'datas: a\ndat: a\nDATA: a\n data: a\n\n', []],
    ['no data', 'event: x\n\n\n\n', []],
    ['empty data keeps the connection alive', 'data\n\ndata:\n\ndata: \n\n', []],
    ['bytes that are no UTF-8 are handed on', 'data: \u0000\n\n', ['\u0000']],
    ['nothing', '', []],
  ];
  test.each(rows)('%s', (_, text, expected) => {
    expect(readText(text)).toEqual({ events: expected, tooLong: [], rest: undefined });
  });

  test.each(rows)('%s: however it is split', (_, text, expected) => {
    const bytes = Buffer.from(text);
    const whole = { events: expected, tooLong: [], rest: undefined };
    for (let at = 0; at <= bytes.length; at++)
      expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
  });

  test('split in any way, a stream says the same', () => {
    const piece = fc.constantFrom('data: ', 'data', ':', ' ', 'a', 'é', '\r', '\n', '\r\n', '\n\n', '\ufeff');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.array(fc.nat(5), { minLength: 1 }),
        (pieces, sizes) => {
          const bytes = Buffer.from(pieces.join(''));
          const chunks: Buffer[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const size = (sizes[turn % sizes.length] ?? 0) + 1;
            chunks.push(bytes.subarray(at, at + size));
            at += size;
          }
          expect(read(chunks)).toEqual(read([bytes]));
        },
      ),
    );
  });
});

describe('the end', () => {
  const rows: [string, string, string | undefined][] = [
    ['without an empty line', 'data: a\n', 'a'],
    ['without any line end', 'data: a', 'a'],
    ['after a carriage return', 'data: a\r', 'a'],
    ['in the middle of a name', 'dat', undefined],
    ['after a comment', ': a', undefined],
    ['after an event', 'data: a\n\n', undefined],
  ];
  test.each(rows)('%s', (_, text, rest) => {
    expect(readText(text).rest).toBe(rest);
  });
});

describe('an event that is too long', () => {
  const rows: [string, string, string[], number][] = [
    ['as long as it may be', 'data: 1234\n\n', ['1234'], 0],
    ['one line', 'data: 12345\n\ndata: a\n\n', [], 1],
    ['a line that does not end', 'data: 12345', [], 1],
    ['many lines', `${'data: 1\n'.repeat(5)}\n`, [], 1],
    ['many empty lines', `${'data\n'.repeat(20)}\n`, [], 1],
    ['a comment', `:${'x'.repeat(20)}\n\n`, [], 1],
    ['after one that is not', `data: a\n\ndata: 12345\n\n`, ['a'], 1],
    ['many short ones are not', 'data: 1234\n\n'.repeat(3), ['1234', '1234', '1234'], 0],
    ['many short comments are not', `${': 12345\n'.repeat(9)}data: a\n\n`, ['a'], 0],
  ];
  test.each(rows)('%s', (_, text, events, tooLong) => {
    const bytes = Buffer.from(text);
    for (const chunks of [[bytes], [...bytes].map((byte) => Buffer.from([byte]))]) {
      const said = read(chunks, 10);
      expect([said.events, said.tooLong.length, said.rest]).toEqual([events, tooLong, undefined]);
    }
  });
});
