import { Buffer } from 'node:buffer';
import { replaceLookAlikes } from '../../../format/model/look-alikes.ts';

// Text can be hidden from people and from filters and still be read by a model. These functions make it visible.

// Zero-width and direction marks, soft hyphens, variation selectors.
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
const tagCharacter = /[\u{E0020}-\u{E007E}]/gu;
const base64Run = /(?<![\w+/=-])[A-Za-z\d+/]+(?:\r?\n[ \t]*[A-Za-z\d+/]+)*={0,2}(?![\w+/=])/g;
const hexRun = /(?<![\dA-Za-z])(?:[\dA-Fa-f]{2}[\s:]?){12,}(?![\dA-Za-z])/g;
const shortestRun = 16;

/** The text in clear, followed by the decoded form of any encoded text in it. */
export function unhide(text: string): string {
  const clear = normalizeLookAlikes(text);
  return [clear, ...decodeHiddenTexts(clear)].join('\n');
}

/** The text without invisible characters and with look-alike letters replaced. */
export function normalizeLookAlikes(text: string): string {
  return replaceLookAlikes(
    text
      .normalize('NFKC')
      .replace(tagCharacter, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) - 0xe0000))
      .replace(invisible, ''),
  );
}

function decodeHiddenTexts(text: string): readonly string[] {
  const found = [
    ...[...text.matchAll(base64Run)]
      .filter(([run]) => run.length >= shortestRun)
      .map(([run]) => decodeReadable(Buffer.from(run.replace(/\s/g, ''), 'base64'))),
    ...[...text.matchAll(hexRun)].map(([run]) => decodeReadable(Buffer.from(run.replace(/[\s:]/g, ''), 'hex'))),
  ];
  return found.filter((one) => one !== undefined);
}

/** Accepts only text that reads like language, because any word decodes to something. */
function decodeReadable(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return text.length >= 8 && /^[\t\n\r\x20-\x7E\u00A0-\u024F\u2010-\u2027]+$/.test(text) && /[a-z]{2} [a-z]/i.test(text)
    ? text
    : undefined;
}
