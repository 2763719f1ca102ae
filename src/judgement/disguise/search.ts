import { addWork } from '../../format/expression/counted-work.ts';
import { fromBase32 } from './base32.ts';
import { fromBase64, fromHex } from './decode-bytes.ts';
import { fromBackslashes, fromHtmlEscapes, fromQuotedPrintable, fromUrlEscapes } from './escapes.ts';
import { fromRot13, reverseText } from './fold-text.ts';
import { fromCharacterCodes, fromNumberWords, withoutPartNumbers } from './spelled-out.ts';
import type { TextMatch, TextSearch } from './text-search.ts';

// Texts are hostile, so the search is bounded: a long text is searched part by part, each part gives a limited number of
// readings, and its steps are counted.

/** The length of a part of a long text, and its overlap with the next part. */
const partLength = 64 * 1024;
export const overlap = 1024;
/** The number of disguises on top of each other that are undone. */
const mostLayers = 3;
const mostReadings = 96;
/** Each reading is folded, searched and undone by every disguise. */
const stepsPerCharacter = 20;

/** No ordinary word has so many of these characters in a row. */
const fewestEncoded = 12;
const encoded = /[A-Za-z0-9+/_=%&#;\\-]/;
const isEncoded: readonly boolean[] = Array.from({ length: 128 }, (_, code) => encoded.test(String.fromCharCode(code)));

function mayBeEncoded(text: string): boolean {
  let row = 0;
  for (let at = 0; at < text.length && row < fewestEncoded; at++)
    row = isEncoded[text.charCodeAt(at)] === true ? row + 1 : 0;
  return row === fewestEncoded;
}

/** A match, and the disguises around it, outermost first. */
export interface DisguiseMatch {
  readonly found: TextMatch;
  readonly disguises: readonly string[];
}

interface Reading {
  readonly text: string;
  readonly layers: readonly string[];
}

/** Searches a text behind every disguise. `isLate` ends the search. */
export function searchDisguised(text: string, lookFor: TextSearch, isLate: () => boolean): DisguiseMatch | undefined {
  for (let from = 0; from === 0 || from < text.length - overlap; from += partLength - overlap) {
    const seen = searchPart(text.slice(from, from + partLength), lookFor, isLate);
    if (seen !== undefined || isLate()) return seen;
  }
  return undefined;
}

function searchPart(text: string, lookFor: TextSearch, isLate: () => boolean): DisguiseMatch | undefined {
  const readings: Reading[] = [{ text, layers: [] }];
  const known = new Set([text]);
  for (const { text: read, layers } of readings) {
    if (isLate()) return undefined;
    addWork(stepsPerCharacter * read.length);
    const found = lookFor.in(read, layers.length === 0, text);
    if (found !== undefined) return { found, disguises: found.as === undefined ? layers : [...layers, found.as] };
    if (layers.length === mostLayers) continue;
    for (const { name, undo, turns } of knownDisguises) {
      if (readings.length >= mostReadings) break;
      // A plain reversed text is already found without this step. An encoded text may have been reversed before it was
      // encoded.
      if (turns && (layers.length > 0 || (lookFor.isTurned && !mayBeEncoded(read)))) continue;
      for (const unapplied of undo(read, lookFor.shortest)) {
        if (known.has(unapplied)) continue;
        known.add(unapplied);
        readings.push({ text: unapplied, layers: [...layers, name] });
      }
    }
  }
  return undefined;
}

/** A way to write a text so that a plain search does not find it. */
export interface Disguise {
  readonly name: string;
  /** Set for reversal. Any text may be reversed, so this is undone first or not at all. */
  readonly turns?: true;
  /**
   * The texts that may be behind the disguise; none if the text does not look like it. Parts shorter than `shortest` are
   * left out.
   */
  undo(text: string, shortest: number): readonly string[];
}

const undoOnce =
  (undo: (text: string) => string | undefined): Disguise['undo'] =>
  (text) => {
    const unapplied = undo(text);
    return unapplied === undefined || unapplied === text ? [] : [unapplied];
  };

const knownDisguises: readonly Disguise[] = [
  { name: 'part numbers', undo: undoOnce(withoutPartNumbers) },
  { name: 'base64', undo: fromBase64 },
  { name: 'hex', undo: fromHex },
  { name: 'base32', undo: fromBase32 },
  { name: 'character codes', undo: undoOnce(fromCharacterCodes) },
  { name: 'number words', undo: undoOnce(fromNumberWords) },
  { name: 'URL escapes', undo: undoOnce(fromUrlEscapes) },
  { name: 'HTML escapes', undo: undoOnce(fromHtmlEscapes) },
  { name: 'quoted-printable', undo: undoOnce(fromQuotedPrintable) },
  { name: 'backslash escapes', undo: undoOnce(fromBackslashes) },
  { name: 'tag characters', undo: undoOnce(fromTags) },
  { name: 'ROT13', turns: true, undo: undoOnce(fromRot13) },
  { name: 'reversed', turns: true, undo: undoOnce(reverseText) },
];

/** Converts invisible tag characters (U+E0020 to U+E007E) to ASCII. */
function fromTags(text: string): string {
  return text.replace(/[\u{e0020}-\u{e007e}]/gu, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000));
}
