import { fromBase64 } from './base64.ts';
import { fromBackslashes, fromHtmlEscapes, fromQuotedPrintable, fromUrlEscapes } from './escapes.ts';
import { fromRot13, reversed } from './fold.ts';
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

const one =
  (undo: (text: string) => string | undefined): Disguise['undo'] =>
  (text) => {
    const undone = undo(text);
    return undone === undefined || undone === text ? [] : [undone];
  };

export const disguises: readonly Disguise[] = [
  { name: 'base64', undo: fromBase64 },
  { name: 'hex', undo: fromHex },
  { name: 'URL escapes', undo: one(fromUrlEscapes) },
  { name: 'HTML escapes', undo: one(fromHtmlEscapes) },
  { name: 'quoted-printable', undo: one(fromQuotedPrintable) },
  { name: 'backslash escapes', undo: one(fromBackslashes) },
  { name: 'tag characters', undo: one(fromTags) },
  { name: 'ROT13', turns: true, undo: one(fromRot13) },
  { name: 'reversed', turns: true, undo: one(reversed) },
];

/** Converts invisible tag characters (U+E0020 to U+E007E) to ASCII. */
function fromTags(text: string): string {
  return text.replace(/[\u{e0020}-\u{e007e}]/gu, (tag) =>
    String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000),
  );
}
