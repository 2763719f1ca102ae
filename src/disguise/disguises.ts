import { fromBase64 } from './base64.ts';
import { fromBackslashes, fromHtmlEscapes, fromQuotedPrintable, fromUrlEscapes } from './escapes.ts';
import { fromRot13, reversed } from './fold.ts';
import { fromHex } from './hex.ts';

/** A way to write a text so that nobody finds it by its letters. */
export interface Disguise {
  /** As evidence names it. */
  readonly name: string;
  /** It turns the text around. Any text may be turned around, so this is undone first or not at all. */
  readonly turns?: true;
  /** What a text may be behind it, of which parts shorter than `shortest` say nothing; nothing where it does not look like it. */
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

/** Invisible twins of ASCII, U+E0020 to U+E007E. */
function fromTags(text: string): string {
  return text.replace(/[\u{e0020}-\u{e007e}]/gu, (tag) =>
    String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000),
  );
}
