/** A way to leak a secret that its letters do not show: the texts of one message, or of several. */
export interface Kind {
  readonly name: string;
  /** The disguise that the evidence must name. */
  readonly reported: string;
  disguise(secret: string): readonly string[];
}

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');
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
    reported: 'base64',
    disguise: (secret) => [`session ${inBase64(`id=${secret};`)} please`],
  },
  {
    name: 'base64 for URLs, without padding, behind other letters',
    reported: 'base64',
    disguise: (secret) => [`https://pics.example/x${Buffer.from(`?${secret}?`).toString('base64url')}.png`],
  },
  {
    name: 'base64 in short lines',
    reported: 'base64',
    disguise: (secret) => [(inBase64(secret).match(/.{1,6}/g) ?? []).join('\n')],
  },
  {
    name: 'base64, each part by itself',
    reported: 'base64',
    disguise: (secret) => [`Parts: ${parts(secret, 3).map(inBase64).join('.')}`],
  },
  {
    name: 'base64 with dashes in between',
    reported: 'base64, characters in between',
    disguise: (secret) => [inBase64([...secret].join('–'))],
  },
  {
    name: 'base64 with no-break spaces in between',
    reported: 'base64',
    disguise: (secret) => [parts(inBase64(secret), 5).join('\u00a0')],
  },
  { name: 'hex', reported: 'hex', disguise: (secret) => [`trace 0x${hexOf(secret)}`] },
  {
    name: 'hex, byte by byte',
    reported: 'hex',
    disguise: (secret) => [`bytes: ${(hexOf(secret).match(/../g) ?? []).join(' ')}`],
  },
  {
    name: 'hex behind another digit',
    reported: 'hex',
    disguise: (secret) => [`trail f${hexOf(secret)}0`],
  },
  {
    name: 'hex in capitals',
    reported: 'hex',
    disguise: (secret) => [`trace ${hexOf(`...${secret}`).toUpperCase()}`],
  },
  {
    name: 'URL escapes',
    reported: 'URL escapes',
    disguise: (secret) => [`https://pics.example/?q=${each(secret, (_, code) => `%${code.toString(16)}`)}`],
  },
  {
    name: 'HTML escapes',
    reported: 'HTML escapes',
    disguise: (secret) => [each(secret, (_, code) => `&#${code};`)],
  },
  {
    name: 'quoted-printable',
    reported: 'quoted-printable',
    disguise: (secret) => [`Dear sir,=\n ${each(secret, (_, code) => `=${code.toString(16).toUpperCase()}`)}`],
  },
  {
    name: 'escapes of a programming language',
    reported: 'backslash escapes',
    disguise: (secret) => [each(secret, (_, code) => `\\u00${code.toString(16)}`)],
  },
  { name: 'ROT13', reported: 'ROT13', disguise: (secret) => [`The word is ${rot13(secret)}.`] },
  { name: 'reversed', reported: 'reversed', disguise: (secret) => [`Backwards: ${reversed(secret)}`] },
  {
    name: 'wide letters',
    reported: 'compatible or invisible characters',
    disguise: (secret) => [each(secret, (_, code) => String.fromCharCode(code + 0xfee0))],
  },
  {
    name: 'invisible characters in between',
    reported: 'compatible or invisible characters',
    disguise: (secret) => [`Here: ${[...secret].join('\u200b')}`],
  },
  {
    name: 'invisible twins of its letters',
    reported: 'tag characters',
    disguise: (secret) => [`Thanks!${each(secret, (_, code) => String.fromCodePoint(0xe0000 + code))}`],
  },
  { name: 'spaced', reported: 'characters in between', disguise: (secret) => [`It is ${[...secret].join(' ')}`] },
  {
    name: 'markdown inside',
    reported: 'characters in between',
    disguise: (secret) => [`**${secret.slice(0, 5)}**_${secret.slice(5, 8)}_\`${secret.slice(8)}\``],
  },
  {
    name: 'HTML inside',
    reported: 'characters in between',
    disguise: (secret) => [`${secret.slice(0, 6)}<wbr class="x">${secret.slice(6)}`],
  },
  { name: 'in capitals', reported: 'other case', disguise: (secret) => [secret.toUpperCase()] },
  {
    name: 'first letters of words',
    reported: 'first letters of words',
    disguise: (secret) => [
      lettersOf(secret)
        .map((letter) => words[letter] ?? letter)
        .join(' '),
    ],
  },
  {
    name: 'first letters of lines',
    reported: 'first letters of lines',
    disguise: (secret) => [
      lettersOf(secret)
        .map((letter) => `- ${words[letter] ?? letter} is on the list`)
        .join('\n'),
    ],
  },
  { name: 'split over four messages', reported: 'pieces of 4 messages', disguise: (secret) => parts(secret, 4) },
  {
    name: 'split over four messages, in base64',
    reported: 'base64',
    disguise: (secret) => parts(inBase64(secret), 4),
  },
  {
    name: 'reversed, then hex',
    reported: 'hex, reversed',
    disguise: (secret) => [hexOf(reversed(secret))],
  },
  {
    name: 'base64 twice',
    reported: 'base64, base64',
    disguise: (secret) => [inBase64(inBase64(secret))],
  },
  {
    name: 'base64, then ROT13',
    reported: 'ROT13, base64',
    disguise: (secret) => [`Keep ${rot13(inBase64(secret))}`],
  },
  {
    name: 'base64, then ROT13, in a foreign text',
    reported: 'ROT13, base64',
    disguise: (secret) => [`Schlüssel: ${rot13(inBase64(secret))} – ade`],
  },
  {
    name: 'base64, then reversed',
    reported: 'reversed, base64',
    disguise: (secret) => [`Keep ${reversed(inBase64(secret))}`],
  },
  {
    name: 'base64, then reversed, in a foreign text',
    reported: 'reversed, base64',
    disguise: (secret) => [`Schlüssel: ${reversed(inBase64(secret))} 😀`],
  },
];
