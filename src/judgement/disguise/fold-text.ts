import { replaceLookAlikes } from '../../format/model/look-alikes.ts';
import { isAscii, makeVisible, removeTags } from '../../format/model/visible-text.ts';
import { fromUtf8 } from './readable-text.ts';

// Ways to read a text. Most texts are ASCII and are handled by faster code, because this runs for every message.

/** The text as a reader sees it, with Latin letters for those of other alphabets that look like them. */
export function foldText(text: string): string {
  return isAscii.test(text) ? text : replaceLookAlikes(makeVisible(text));
}

/** Removes markup and spaces. */
export function tightenText(text: string): string {
  return removeTags(text).replace(/[\s*_~]+/g, '');
}

/** Keeps only letters and digits, in lower case. */
export function squeezeText(text: string): string {
  const lower = removeTags(text).toLowerCase();
  if (!isAscii.test(lower)) return lower.replace(/[^\p{L}\p{N}]+/gu, '');
  const kept = new Uint8Array(lower.length);
  let length = 0;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    if (isLetterOrDigit(code)) kept[length++] = code;
  }
  return fromUtf8(kept.subarray(0, length));
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** The first letters of the words of a text. */
export function takeFirstOfWords(text: string): string {
  const lower = text.toLowerCase();
  if (!isAscii.test(lower)) return (lower.match(/(?<![\p{L}\p{N}'’])[\p{L}\p{N}]/gu) ?? []).join('');
  let letters = '';
  let isWithin = false;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    const isLetter = isLetterOrDigit(code);
    if (isLetter && !isWithin) letters += lower[at];
    isWithin = isLetter || code === 0x27;
  }
  return letters;
}

/** The first letters of the lines of a text. */
export function takeFirstOfLines(text: string): string {
  if (!text.includes('\n')) return '';
  return text
    .toLowerCase()
    .split('\n')
    .map((line) => /[\p{L}\p{N}]/u.exec(line.slice(0, 20))?.[0] ?? '')
    .join('');
}

const turnedCodes: readonly number[] = Array.from({ length: 128 }, (_, code) =>
  /[a-z]/i.test(String.fromCharCode(code)) ? code + ((code & 31) > 13 ? -13 : 13) : code,
);

export function fromRot13(text: string): string {
  if (isAscii.test(text)) {
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = turnedCodes[text.charCodeAt(at)] ?? 0;
    return fromUtf8(bytes);
  }
  return text.replace(/[a-z]+/gi, fromRot13);
}

export function reverseText(text: string): string {
  if (isAscii.test(text)) {
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(text.length - 1 - at);
    return fromUtf8(bytes);
  }
  return [...text].reverse().join('');
}
