import { bytesParameter, type Generator } from './generator.ts';
import type { Random } from './random.ts';
import { fillBytes, repeatText } from './text-chunks.ts';

/** Escapes make a character up to six times as long. */
const escaped = 6;

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const digits = Array.from({ length: 10 }, (_, index) => String(index));
const letters = printable.filter((character) => /[A-Za-z0-9]/.test(character));

const alphabets: { readonly [name: string]: (random: Random) => string } = {
  printable: (random) => random.pick(printable),
  digits: (random) => random.pick(digits),
  letters: (random) => random.pick(letters),
  bytes: (random) => String.fromCharCode(random.below(256)),
  any: (random) => pickCharacter(random),
};

/** Any Unicode character, except for halves of surrogate pairs. */
function pickCharacter(random: Random): string {
  const point = random.below(0x110000 - 0x800);
  return String.fromCodePoint(point < 0xd800 ? point : point + 0x800);
}

export const textGenerator: Generator = {
  makes: 'text',
  says: 'a text that is repeated',
  parameters: {
    bytes: bytesParameter,
    repeat: { type: 'text', default: 'A', says: 'the text to repeat' },
  },
  make: (given) => repeatText(given.text('repeat'), given.integer('bytes')),
  weigh: (given) => given.integer('bytes'),
};

export const linesGenerator: Generator = {
  makes: 'text',
  says: 'lines of equal length',
  parameters: {
    bytes: bytesParameter,
    line_bytes: { type: 'integer', least: 1, most: 1_000_000, default: 80, says: 'length of a line' },
    repeat: { type: 'text', default: 'A', says: 'the text that fills the lines' },
  },
  make(given) {
    const line = [...repeatText(given.text('repeat'), given.integer('line_bytes'))].join('');
    return repeatText(`${line}\n`, given.integer('bytes'));
  },
  weigh: (given) => 2 * given.integer('bytes'),
};

export const noiseGenerator: Generator = {
  makes: 'text',
  says: 'random characters',
  parameters: {
    bytes: bytesParameter,
    alphabet: {
      type: 'choice',
      of: Object.keys(alphabets),
      default: 'printable',
      says: 'which characters; `bytes` are those up to U+00FF',
    },
  },
  make(given, random) {
    const next = alphabets[given.text('alphabet')] ?? pickCharacter;
    return fillBytes(given.integer('bytes'), () => next(random));
  },
  weigh: (given) => escaped * given.integer('bytes'),
};

const escapeCharacter = '\u001b';
const sequences: { readonly [name: string]: (random: Random, carrier: string) => string } = {
  colour: (random, carrier) => `${escapeCharacter}[${30 + random.below(8)};${40 + random.below(8)}m${carrier}`,
  cursor: (random) => `${escapeCharacter}[${1 + random.below(200)};${1 + random.below(200)}H`,
  clear: () => `${escapeCharacter}[2J${escapeCharacter}[3J`,
  title: (_, carrier) => `${escapeCharacter}]0;${carrier}\u0007`,
  link: (_, carrier) => `${escapeCharacter}]8;;https://example.com/\u0007${carrier}${escapeCharacter}]8;;\u0007`,
  hidden: (_, carrier) => `${escapeCharacter}[8m${carrier}${escapeCharacter}[28m`,
};

/** The parameters of a kind that mixes difficult parts into a carrier. */
function createMixParameters(
  choices: object,
  says: string,
  carrier: { readonly default: string; readonly says: string },
): Generator['parameters'] {
  return {
    bytes: { ...bytesParameter, default: 10_000 } as typeof bytesParameter,
    of: { type: 'choices', of: Object.keys(choices), says },
    carrier: { type: 'text', ...carrier },
  };
}

export const ansiGenerator: Generator = {
  makes: 'text',
  says: 'escape sequences that control a terminal',
  parameters: createMixParameters(sequences, 'which sequences', { default: 'ok', says: 'the text between them' }),
  make(given, random) {
    const names = given.choices('of');
    const carrier = given.text('carrier');
    return fillBytes(given.integer('bytes'), () => sequences[random.pick(names)]?.(random, carrier) ?? carrier);
  },
  weigh: (given) => escaped * given.integer('bytes'),
};

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
  parameters: createMixParameters(classes, 'which classes', {
    default: 'The quick brown fox. ',
    says: 'the text that they are mixed into',
  }),
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
