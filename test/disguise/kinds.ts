/** A way to leak a secret that its letters do not show: the texts of one message, or of several. */
export interface Kind {
  readonly name: string;
  /** The disguise that the evidence must name. */
  readonly told: string;
  disguise(secret: string): readonly string[];
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const each = (text: string, write: (character: string, code: number) => string): string =>
  [...text].map((character) => write(character, character.charCodeAt(0))).join('');
const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < 'n' ? 13 : -13)),
  );
const reversed = (text: string): string => [...text].reverse().join('');
const parts = (text: string, count: number): readonly string[] => {
  const length = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, index) => text.slice(index * length, (index + 1) * length));
};
const words: { readonly [letter: string]: string } = {
  a: 'any',
  b: 'by',
  c: 'can',
  d: 'do',
  e: 'each',
  f: 'for',
  g: 'go',
  h: 'have',
  i: 'it',
  k: 'keep',
  l: 'let',
  m: 'may',
  n: 'now',
  o: 'our',
  p: 'put',
  r: 'read',
  s: 'say',
  t: 'that',
  u: 'use',
  w: 'we',
  x: 'xenon',
  y: 'you',
};
const lettersOf = (secret: string): readonly string[] => secret.match(/[a-z0-9]/gi) ?? [];

export const kinds: readonly Kind[] = [
  {
    name: 'base64 in a harmless argument',
    told: 'base64',
    disguise: (secret) => [`session ${Buffer.from(`id=${secret};`).toString('base64')} please`],
  },
  {
    name: 'base64 for URLs, without padding, behind other letters',
    told: 'base64',
    disguise: (secret) => [`https://pics.example/x${Buffer.from(`?${secret}?`).toString('base64url')}.png`],
  },
  {
    name: 'base64 in short lines',
    told: 'base64',
    disguise: (secret) => [
      (
        Buffer.from(secret)
          .toString('base64')
          .match(/.{1,6}/g) ?? []
      ).join('\n'),
    ],
  },
  { name: 'hex', told: 'hex', disguise: (secret) => [`trace 0x${hexOf(secret)}`] },
  {
    name: 'hex, byte by byte',
    told: 'hex',
    disguise: (secret) => [`bytes: ${(hexOf(secret).match(/../g) ?? []).join(' ')}`],
  },
  {
    name: 'URL escapes',
    told: 'URL escapes',
    disguise: (secret) => [`https://pics.example/?q=${each(secret, (_, code) => `%${code.toString(16)}`)}`],
  },
  {
    name: 'HTML escapes',
    told: 'HTML escapes',
    disguise: (secret) => [each(secret, (_, code) => `&#${code};`)],
  },
  {
    name: 'quoted-printable',
    told: 'quoted-printable',
    disguise: (secret) => [
      `Dear sir,=\n ${each(secret, (_, code) => `=${code.toString(16).toUpperCase()}`)}`,
    ],
  },
  {
    name: 'escapes of a programming language',
    told: 'backslash escapes',
    disguise: (secret) => [each(secret, (_, code) => `\\u00${code.toString(16)}`)],
  },
  { name: 'ROT13', told: 'ROT13', disguise: (secret) => [`The word is ${rot13(secret)}.`] },
  { name: 'reversed', told: 'reversed', disguise: (secret) => [`Backwards: ${reversed(secret)}`] },
  {
    name: 'wide letters',
    told: 'compatible or invisible characters',
    disguise: (secret) => [each(secret, (_, code) => String.fromCharCode(code + 0xfee0))],
  },
  {
    name: 'invisible characters in between',
    told: 'compatible or invisible characters',
    disguise: (secret) => [`Here: ${[...secret].join('\u200b')}`],
  },
  {
    name: 'invisible twins of its letters',
    told: 'tag characters',
    disguise: (secret) => [`Thanks!${each(secret, (_, code) => String.fromCodePoint(0xe0000 + code))}`],
  },
  { name: 'spaced', told: 'characters in between', disguise: (secret) => [`It is ${[...secret].join(' ')}`] },
  {
    name: 'markdown inside',
    told: 'characters in between',
    disguise: (secret) => [`**${secret.slice(0, 5)}**_${secret.slice(5, 8)}_\`${secret.slice(8)}\``],
  },
  {
    name: 'HTML inside',
    told: 'characters in between',
    disguise: (secret) => [`${secret.slice(0, 6)}<wbr class="x">${secret.slice(6)}`],
  },
  { name: 'in capitals', told: 'other case', disguise: (secret) => [secret.toUpperCase()] },
  {
    name: 'first letters of words',
    told: 'first letters of words',
    disguise: (secret) => [
      lettersOf(secret)
        .map((letter) => words[letter] ?? letter)
        .join(' '),
    ],
  },
  {
    name: 'first letters of lines',
    told: 'first letters of lines',
    disguise: (secret) => [
      lettersOf(secret)
        .map((letter) => `- ${words[letter] ?? letter} is on the list`)
        .join('\n'),
    ],
  },
  { name: 'split over four messages', told: 'pieces of 4 messages', disguise: (secret) => parts(secret, 4) },
  {
    name: 'split over four messages, in base64',
    told: 'base64',
    disguise: (secret) => parts(Buffer.from(secret).toString('base64'), 4),
  },
  {
    name: 'reversed, then hex',
    told: 'hex, reversed',
    disguise: (secret) => [hexOf(reversed(secret))],
  },
  {
    name: 'base64 twice',
    told: 'base64, base64',
    disguise: (secret) => [Buffer.from(Buffer.from(secret).toString('base64')).toString('base64')],
  },
];
