// Documents and traces are hostile: their text must neither control the terminal nor hide in its output.
const plain = /^[ -~]*$/;
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[\u{e0100}-\u{e01ef}]/gu;

const shortEscapes: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text with control, invisible and direction-changing characters spelt out, except those in `keep`. */
export function escapeInvisible(text: string, keep = ''): string {
  // Unicode classes take longer to compile than most commands take to run, so plain text returns early.
  if (plain.test(text)) return text;
  return text.replace(hidden, (character) => (keep.includes(character) ? character : spellCharacter(character)));
}

function spellCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return shortEscapes[character] ?? `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

/** Escape sequences that move a terminal's cursor or change its colours. */
const terminalControls = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** A visible character: not a space, a control or format character, or a letter that is drawn as nothing. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text shows nothing visible. */
export function isBlank(text: string): boolean {
  return !visible.test(text.includes('\u001b') ? text.replace(terminalControls, '') : text);
}
