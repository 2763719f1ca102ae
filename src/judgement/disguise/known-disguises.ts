import { fromBase64 } from './decode-base64.ts';
import { fromBackslashes, fromHtmlEscapes, fromQuotedPrintable, fromUrlEscapes } from './escapes.ts';
import { fromRot13, reverseText } from './fold-text.ts';
import { fromHex } from './hex.ts';

/** A way to write a text so that a plain search does not find it. */
export interface Disguise {
  /** The name in evidence. */
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

export const knownDisguises: readonly Disguise[] = [
  { name: 'base64', undo: fromBase64 },
  { name: 'hex', undo: fromHex },
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
