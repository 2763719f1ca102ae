import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverEchoes } from '../../src/secrets/echo-cover.ts';

const secret = 'pa"ss-word-4711';
const { text, bytes, json, stream } = coverEchoes([`Bearer ${secret}`, 'short']);
const utf8 = (words: string): Uint8Array => Buffer.from(words);
const read = (sent: Uint8Array): string => Buffer.from(sent).toString('utf8');

const rows: readonly (readonly [said: string, covered: string])[] = [
  ['nothing of it', 'nothing of it'],
  [secret, '******'],
  [`Bearer ${secret}`, '******'],
  [`ü ${secret} and ${secret}${secret}`, 'ü ****** and ************'],
  [JSON.stringify({ key: secret }), '{"key":"******"}'],
  ['short stays', 'short stays'],
  ['', ''],
  [secret.slice(0, 10), secret.slice(0, 10)],
  [secret.slice(0, -1), '******'],
  [`it begins with ${secret.slice(0, 11)}…`, 'it begins with ******…'],
  [`ends in ${secret.slice(-11)}`, 'ends in ******'],
];

test.each(rows)('coverEchoes turns %s into %s, as text and as bytes', (words, covered) => {
  expect(text(words)).toBe(covered);
  expect(read(bytes(utf8(words)))).toBe(covered);
});

describe('coverEchoes covers an encoded secret', () => {
  const key = 'sk-4711/ü+longer-than-most';
  const cover = coverEchoes([key]);
  const encodings: readonly (readonly [string, (words: string) => string])[] = [
    ['base64', (words) => Buffer.from(words).toString('base64')],
    ['base64url', (words) => Buffer.from(words).toString('base64url')],
    ['hexadecimal', (words) => Buffer.from(words).toString('hex')],
    ['hexadecimal in capitals', (words) => Buffer.from(words).toString('hex').toUpperCase()],
    ['percent-encoding', encodeURIComponent],
  ];
  const around = ['', 'x', 'xy', 'user:', 'Key ', 'é'];

  /** Whether enough of the key is left, in any encoding, that it cannot be chance. */
  const isLeft = (words: string): boolean =>
    encodings.some(([, encode]) =>
      around.some((before) => {
        const encoded = encode(before + key);
        return Array.from({ length: encoded.length }, (_, at) => encoded.slice(at, at + 14)).some(
          (part) => part.length === 14 && words.includes(part),
        );
      }),
    );

  test.each(
    encodings.flatMap(([name, encode]) =>
      around.flatMap((before) => ['', '?', '??', '???'].map((after) => [name, before, after, encode] as const)),
    ),
  )('in %s, after "%s" and before "%s"', (_, before, after, encode) => {
    const words = encode(before + key + after);
    expect(isLeft(cover.text(words))).toBe(false);
    expect(isLeft(read(cover.bytes(utf8(words))))).toBe(false);
    const streamed = cover.stream();
    const parts = [...words].map((each) => read(streamed.push(utf8(each))));
    expect(isLeft([...parts, read(streamed.rest())].join(''))).toBe(false);
  });
});

test('coverEchoes leaves bytes without a secret the same, and keeps bytes that are not text', () => {
  const plain = utf8('nothing of it');
  expect(bytes(plain)).toBe(plain);
  const mixed = Uint8Array.from([0xff, ...utf8(secret), 0xfe]);
  expect([...bytes(mixed)]).toEqual([0xff, ...utf8('******'), 0xfe]);
});

test('coverEchoes covers the same in texts as in bytes, also if the secret repeats itself', () => {
  const letters = (minLength: number, maxLength: number) =>
    fc.array(fc.constantFrom('a', 'b', 'c'), { minLength, maxLength }).map((all) => all.join(''));
  fc.assert(
    fc.property(letters(6, 9), letters(0, 60), (given, words) => {
      const covered = coverEchoes([given]);
      expect(read(covered.bytes(utf8(`${words}${given}${words}`)))).toBe(covered.text(`${words}${given}${words}`));
    }),
  );
});

test('coverEchoes returns the same JSON value if it holds no secret', () => {
  const value = { said: 'nothing' };
  expect(json(value)).toBe(value);
  expect(json({ [secret]: [secret, 1] })).toEqual({ '******': ['******', 1] });
});

describe('coverEchoes on a stream', () => {
  const said = `it is ${secret}, really`;
  test.each(Array.from({ length: said.length - 1 }, (_, index) => index + 1))(
    'covers a secret if the stream is cut after %i characters',
    (at) => {
      const covered = stream();
      const parts = [utf8(said.slice(0, at)), utf8(said.slice(at))].map((part) => read(covered.push(part)));
      expect([...parts, read(covered.rest())].join('')).toBe('it is ******, really');
      expect(read(covered.rest())).toBe('');
    },
  );
});
