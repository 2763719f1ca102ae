import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEventReader } from '../../../src/attack/transport/ag-ui-client/read-events.ts';

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

describe('createEventReader', () => {
  const rows: [string, string, string[]][] = [
    ['reads one event', 'data: a\n\n', ['a']],
    ['reads two events', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['reads lines that end with CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['reads lines that end with CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['reads lines with mixed ends', 'data: a\r\n\ndata: b\n\r\ndata: c\r\r\n', ['a', 'b', 'c']],
    ['ignores a byte order mark at the beginning', '\ufeffdata: a\n\n', ['a']],
    ['takes a byte order mark in the middle for part of a name', 'data: a\n\n\ufeffdata: b\n\n', ['a']],
    ['ignores comments', ': hello\ndata: a\n: there\n\n:\n\n', ['a']],
    ['ignores a comment within an event', 'data: a\n: no\ndata: b\n\n', ['a\nb']],
    ['joins several lines of data', 'data: a\ndata: b\ndata: c\n\n', ['a\nb\nc']],
    ['keeps an empty line of data among others', 'data: a\ndata:\ndata: b\n\n', ['a\n\nb']],
    ['reads data without a space after the colon', 'data:a\n\n', ['a']],
    ['takes away one space, and no more', 'data:  a \n\n', [' a ']],
    ['keeps a colon in the data', 'data: {"a":1}\n\n', ['{"a":1}']],
    ['ignores other fields', 'event: x\nid: 1\nretry: 5\ndata: a\n\n', ['a']],
    ['ignores names that are longer, shorter or in capitals', 'datas: a\ndat: a\nDATA: a\n data: a\n\n', []],
    ['gives no event without data', 'event: x\n\n\n\n', []],
    ['gives no event for empty data, which keeps the connection alive', 'data\n\ndata:\n\ndata: \n\n', []],
    ['hands on control characters', 'data: \u0000\n\n', ['\u0000']],
    ['gives no event for an empty stream', '', []],
  ];
  test.each(rows)('%s', (_, text, expected) => {
    expect(readText(text)).toEqual({ events: expected, tooLong: [], rest: undefined });
  });

  test.each(rows)('%s, however the bytes are split', (_, text, expected) => {
    const bytes = Buffer.from(text);
    const whole = { events: expected, tooLong: [], rest: undefined };
    for (let at = 0; at <= bytes.length; at++) expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
  });

  test('reads the same events from any stream, however it is split', () => {
    const piece = fc.constantFrom('data: ', 'data', ':', ' ', 'a', 'é', '\r', '\n', '\r\n', '\n\n', '\ufeff');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(5), { minLength: 1 }), (pieces, sizes) => {
        const bytes = Buffer.from(pieces.join(''));
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = (sizes[turn % sizes.length] ?? 0) + 1;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(read(chunks)).toEqual(read([bytes]));
      }),
    );
  });
});

describe('the rest of a stream in createEventReader', () => {
  const rows: [string, string, string | undefined][] = [
    ['is an event without an empty line', 'data: a\n', 'a'],
    ['is an event without any line end', 'data: a', 'a'],
    ['is an event after a carriage return', 'data: a\r', 'a'],
    ['is nothing in the middle of a name', 'dat', undefined],
    ['is nothing after a comment', ': a', undefined],
    ['is nothing after a complete event', 'data: a\n\n', undefined],
  ];
  test.each(rows)('%s', (_, text, rest) => {
    expect(readText(text).rest).toBe(rest);
  });
});

describe('the length limit of createEventReader', () => {
  const rows: [string, string, string[], number][] = [
    ['allows an event of exactly that length', 'data: 1234\n\n', ['1234'], 0],
    ['drops an event with one long line', 'data: 12345\n\ndata: a\n\n', [], 1],
    ['drops a line that does not end', 'data: 12345', [], 1],
    ['drops an event of many lines', `${'data: 1\n'.repeat(5)}\n`, [], 1],
    ['drops an event of many empty lines', `${'data\n'.repeat(20)}\n`, [], 1],
    ['drops a long comment', `:${'x'.repeat(20)}\n\n`, [], 1],
    ['drops a long event after a short one', `data: a\n\ndata: 12345\n\n`, ['a'], 1],
    ['allows many short events', 'data: 1234\n\n'.repeat(3), ['1234', '1234', '1234'], 0],
    ['allows many short comments', `${': 12345\n'.repeat(9)}data: a\n\n`, ['a'], 0],
  ];
  test.each(rows)('%s', (_, text, events, tooLong) => {
    const bytes = Buffer.from(text);
    for (const chunks of [[bytes], [...bytes].map((byte) => Buffer.from([byte]))]) {
      const said = read(chunks, 10);
      expect([said.events, said.tooLong.length, said.rest]).toEqual([events, tooLong, undefined]);
    }
  });
});
