import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { compileRegex } from '../../../src/format/expression/regex.ts';

// The literal pre-filter may say "no match" only if RE2 says so, too.

const pieces = ['ab', 'key', 'sks', 'secret', 'KELVIN', 'ß', 'é', 'ſ', 'K', '😀', 'a', 'k', 's', '.', '-', ' ', '\n'];
const piece = fc.constantFrom(...pieces);

const escapes = ['\\d', '\\w', '\\s', '\\b', '\\B', '\\W', '\\.', '\\-', '\\(', '\\|', '\\\\', '\\x41', '\\x{212A}'];
const more = ['\\pL', '\\p{Greek}', '\\Qa.b\\E', '\\n', '\\t', '\\A', '\\z', '.', '^', '$', '(?i)', '(?s)', '(?-i)'];
const classes = [
  '[abk]',
  '[^s]',
  '[a-z]',
  '[]a]',
  '[^]a]',
  '[\\d.]',
  '[[:alpha:]]',
  '[\\pL]',
  '[k\\-s]',
  '[ſK]',
  '[\\]]',
];

const literal = piece.map((text) => text.replace(/[.]/g, '\\.'));
const quantifier = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '{0}',
  '{1}',
  '{2,3}',
  '{0,2}',
  '{1,}',
  '{,2}',
);

const atom = fc.oneof(
  { weight: 6, arbitrary: literal },
  fc.constantFrom(...escapes),
  fc.constantFrom(...more),
  fc.constantFrom(...classes),
);

const expression: fc.Arbitrary<string> = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    fc
      .array(
        fc.tuple(atom, quantifier).map((parts) => parts.join('')),
        { maxLength: 4 },
      )
      .map((all) => all.join('')),
    fc.array(tie('expression'), { minLength: 1, maxLength: 3 }).map((branches) => branches.join('|')),
    fc
      .tuple(
        fc.constantFrom('(', '(?:', '(?i:', '(?P<n>', '(?<n>', '(?-i:'),
        tie('expression'),
        quantifier,
        tie('expression'),
      )
      .map(([open, inner, repeat, rest]) => `${open}${inner})${repeat}${rest}`),
  ),
})).expression;

const source = fc.tuple(fc.constantFrom('', '', '(?i)', '(?is)'), expression).map((parts) => parts.join(''));

/** Pieces of the expression itself, in other cases too, among others. */
function textsFor(pattern: string): fc.Arbitrary<string> {
  const own = pattern.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  const folds = own.flatMap((part) => [
    part.toUpperCase(),
    part.toLowerCase(),
    part.replace(/s/gi, 'ſ'),
    part.replace(/k/gi, 'K'),
  ]);
  const part = fc.oneof(piece, fc.constantFrom(...own, ...folds, 'x'), fc.constantFrom('\ud83d', '\ude00', 'A', 'aa'));
  return fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
}

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

test('a regex with its pre-filter agrees with RE2 alone', () => {
  fc.assert(
    fc.property(
      source.chain((pattern) =>
        fc.tuple(fc.constant(pattern), fc.array(textsFor(pattern), { minLength: 1, maxLength: 8 })),
      ),
      ([pattern, texts]) => {
        const regex = compileRegex(pattern);
        const reference = compile(pattern);
        if ('failure' in regex || reference === undefined) {
          expect('failure' in regex).toBe(reference === undefined);
          return;
        }
        expect(texts.map((text) => regex.test(text))).toEqual(texts.map((text) => reference.test(text)));
        expect(texts.map((text) => regex.find(text) !== undefined)).toEqual(texts.map((text) => reference.test(text)));
      },
    ),
    { numRuns: Number(process.env.OATF_PROPERTY_RUNS ?? 3_000) },
  );
});
