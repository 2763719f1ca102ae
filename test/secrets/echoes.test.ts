import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverEchoes } from '../../src/secrets/echoes.ts';

const secret = 'pa"ss-word-4711';
const { text, bytes, json, stream } = coverEchoes([`Bearer ${secret}`, 'short']);
const utf8 = (said: string): Uint8Array => Buffer.from(said);
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

test.each(rows)('%s becomes %s, as text and as bytes', (said, covered) => {
  expect(text(said)).toBe(covered);
  expect(read(bytes(utf8(said)))).toBe(covered);
});

describe('behind an encoding', () => {
  const key = 'sk-4711/ü+longer-than-most';
  const cover = coverEchoes([key]);
  const encodings: readonly (readonly [string, (said: string) => string])[] = [
    ['base64', (said) => Buffer.from(said).toString('base64')],
    ['base64url', (said) => Buffer.from(said).toString('base64url')],
    ['hexadecimal', (said) => Buffer.from(said).toString('hex')],
    ['hexadecimal in capitals', (said) => Buffer.from(said).toString('hex').toUpperCase()],
    ['percent signs', encodeURIComponent],
  ];
  const around = ['', 'x', 'xy', 'user:', 'Key ', 'é'];

  /** Whether enough of the key is left, in any encoding, that it cannot be chance. */
  const isLeft = (said: string): boolean =>
    encodings.some(([, encode]) =>
      around.some((before) => {
        const encoded = encode(before + key);
        return Array.from({ length: encoded.length }, (_, at) => encoded.slice(at, at + 14)).some(
          (part) => part.length === 14 && said.includes(part),
        );
      }),
    );

  test.each(
    encodings.flatMap(([name, encode]) =>
      around.flatMap((before) =>
        ['', '?', '??', '???'].map((after) => [name, before, after, encode] as const),
      ),
    ),
  )('%s, after "%s" and before "%s"', (_, before, after, encode) => {
    const said = encode(before + key + after);
    expect(isLeft(cover.text(said))).toBe(false);
    expect(isLeft(read(cover.bytes(utf8(said))))).toBe(false);
    const streamed = cover.stream();
    const parts = [...said].map((each) => read(streamed.push(utf8(each))));
    expect(isLeft([...parts, read(streamed.rest())].join(''))).toBe(false);
  });
});

test('bytes without a secret stay the same, and bytes that are not text are left alone', () => {
  const plain = utf8('nothing of it');
  expect(bytes(plain)).toBe(plain);
  const mixed = Uint8Array.from([0xff, ...utf8(secret), 0xfe]);
  expect([...bytes(mixed)]).toEqual([0xff, ...utf8('******'), 0xfe]);
});

test('texts and bytes are searched alike, whatever repeats itself', () => {
  const letters = (minLength: number, maxLength: number) =>
    fc.array(fc.constantFrom('a', 'b', 'c'), { minLength, maxLength }).map((all) => all.join(''));
  fc.assert(
    fc.property(letters(6, 9), letters(0, 60), (given, said) => {
      const covered = coverEchoes([given]);
      expect(read(covered.bytes(utf8(`${said}${given}${said}`)))).toBe(
        covered.text(`${said}${given}${said}`),
      );
    }),
  );
});

test('a value that holds nothing is the same value', () => {
  const value = { said: 'nothing' };
  expect(json(value)).toBe(value);
  expect(json({ [secret]: [secret, 1] })).toEqual({ '******': ['******', 1] });
});

describe('a stream, wherever it is cut', () => {
  const said = `it is ${secret}, really`;
  test.each(Array.from({ length: said.length - 1 }, (_, index) => index + 1))('after %i characters', (at) => {
    const covered = stream();
    const parts = [utf8(said.slice(0, at)), utf8(said.slice(at))].map((part) => read(covered.push(part)));
    expect([...parts, read(covered.rest())].join('')).toBe('it is ******, really');
    expect(read(covered.rest())).toBe('');
  });
});
