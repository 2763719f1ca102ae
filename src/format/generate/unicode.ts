import { bytesParameter, type Generator } from './generator.ts';
import type { Random } from './random.ts';
import { fillBytes } from './text-chunks.ts';

function listCharacters(first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
}

const homoglyphs: { readonly [letter: string]: string } = {
  ...{ a: 'а', c: 'с', e: 'е', i: 'і', j: 'ј', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у' },
  ...{ A: 'А', B: 'В', C: 'С', E: 'Е', H: 'Н', I: 'І', K: 'К', M: 'М', O: 'О', P: 'Р', T: 'Т', X: 'Х' },
};

const bidi = ['\u061c', '\u200e', '\u200f', ...listCharacters(0x202a, 0x202e), ...listCharacters(0x2066, 0x2069)];
const combining = listCharacters(0x0300, 0x036f);
const invisible = [
  ...['\u00ad', '\u180e', '\ufeff'],
  ...listCharacters(0x200b, 0x200d),
  ...listCharacters(0x2060, 0x2064),
];
/** Each of these becomes up to eighteen characters when a text is normalized. */
const unfolding = ['\ufdfa', '\ufdfb', '\ufb03', '\u1f82', '\u0390', '\u{1d160}', '\u33a9', '\u320f'];
const emoji = ['👨‍👩‍👧‍👦', '🏴‍☠️', '🧑🏿‍🚀', '👁️‍🗨️', '🇪🇺'];

/** How each class changes a character of the carrier. */
const classes: { readonly [name: string]: (random: Random, character: string) => string } = {
  bidi: (random, character) => random.pick(bidi) + character,
  combining: (random, character) => character + Array.from({ length: 8 }, () => random.pick(combining)).join(''),
  invisible: (random, character) => character + random.pick(invisible),
  tags: (_, character) => {
    const code = character.charCodeAt(0);
    return code >= 0x20 && code < 0x7f ? String.fromCodePoint(0xe0000 + code) : character;
  },
  homoglyphs: (_, character) => homoglyphs[character] ?? character,
  surrogates: (random, character) => character + String.fromCharCode(0xd800 + random.below(0x800)),
  normalisation: (random) => random.pick(unfolding),
  emoji: (random, character) => character + random.pick(emoji),
};

export const unicode: Generator = {
  makes: 'text',
  says: 'difficult Unicode characters: direction marks, long runs of combining marks, invisible ones, look-alikes',
  parameters: {
    bytes: { ...bytesParameter, default: 10_000 } as typeof bytesParameter,
    of: { type: 'choices', of: Object.keys(classes), says: 'which classes' },
    carrier: { type: 'text', default: 'The quick brown fox. ', says: 'the text that they are mixed into' },
  },
  make(given, random) {
    const names = given.choices('of');
    const carrier = [...given.text('carrier')];
    let at = 0;
    return fillBytes(given.integer('bytes'), () => {
      const character = carrier[at % carrier.length] ?? ' ';
      at += 1;
      return classes[random.pick(names)]?.(random, character) ?? character;
    });
  },
  weigh: (given) => 2 * given.integer('bytes'),
};
