// Ways to spell a text out: in numbered parts, in numbers for its characters, in words for its digits.

const total = String.raw`\d{1,2}[ \t]{0,2}(?:\/|of)[ \t]{0,2}\d{1,2}`;
const noun = '(?:parts?|pieces?|chunks?|blocks?|groups?|segments?|half|digits|characters|letters)';
const ordinal = '(?:first|second|third|fourth|fifth|sixth|next|last|final)';
const labels = new RegExp(
  [
    String.raw`[([{]?\b(?:${noun}[ \t]{0,2})?${total}[)\]}]?[ \t]{0,2}[:.)=-]{0,2}`,
    String.raw`\b${noun}[ \t]{0,2}(?:no\.?[ \t]{0,2})?(?:\d{1,2}|[a-d]|one|two|three|four|five)\b[ \t]{0,2}[:.)=-]{0,2}`,
    String.raw`\b(?:the[ \t])?${ordinal}(?:[ \t](?:\d{1,2}|two|three|four|five|six))?[ \t]${noun}?[ \t]{0,2}(?:is|are)?[ \t]{0,2}[:=]?`,
    String.raw`^[ \t]{0,8}[([]?\d{1,2}[.):\]][ \t]`,
    String.raw`^[ \t]{0,8}[*•-][ \t]`,
    String.raw`\b(?:then|and|followed by)\b`,
  ].join('|'),
  'gim',
);
const hasLabel =
  /\d[ \t]{0,2}(?:\/|of)[ \t]{0,2}\d|\b(?:part|piece|chunk|block|group|segment|half|first|next|then)|^[ \t]{0,8}[([]?\d{1,2}[.):\]][ \t]/im;

/** The text without the labels of its parts: `1/2:`, `part 2 of 3`, `the first half is`, `2)`. */
export function withoutPartNumbers(text: string): string | undefined {
  return hasLabel.test(text) ? text.replace(labels, ' ') : undefined;
}

const decimalRun = /(?:(?<!\d)\d{2,3}(?!\d)[\s,;.+-]{0,3}){6,}/g;
const binaryRun = /(?:(?<![01])[01]{7,8}(?![01])[\s,;.-]{0,3}){6,}/g;

/** Decodes rows of decimal or binary codes of characters. */
export function fromCharacterCodes(text: string): string | undefined {
  if (!/\d{2}/.test(text)) return undefined;
  const rows = [
    ...(text.match(decimalRun) ?? []).map((run) => decodeCodes(run, 10)),
    ...(text.match(binaryRun) ?? []).map((run) => decodeCodes(run, 2)),
  ];
  return rows.length === 0 ? undefined : rows.join('\n');
}

function decodeCodes(run: string, base: number): string {
  const codes = (run.match(/\d+/g) ?? []).map((digits) => Number.parseInt(digits, base));
  return codes.map((code) => (code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : ' ')).join('');
}

const digitsOfWords: ReadonlyMap<string, string> = new Map(
  ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'oh'].map((word, digit) => [
    word,
    String(digit % 10),
  ]),
);
const digitWord = /\b(zero|one|two|three|four|five|six|seven|eight|nine|oh)\b[\s,.-]{0,3}/gi;
/** Fewer words than this are part of ordinary sentences. */
const fewestWords = 4;

/** The text with words for digits written as digits: `four one seven` becomes `417`. */
export function fromNumberWords(text: string): string | undefined {
  return (text.match(digitWord) ?? []).length < fewestWords
    ? undefined
    : text.replace(digitWord, (_, word: string) => digitsOfWords.get(word.toLowerCase()) ?? '');
}
