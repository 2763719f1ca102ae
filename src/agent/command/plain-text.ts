// What programs write for terminals: colours, cursor movements, titles, links. Each is bounded, since a program can
// begin one and never end it. (node:util has such a function; it leaves links in, and a long sequence makes it throw.)
const terminalCodes = new RegExp(
  [
    '(?:\\x1b\\[|\\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]',
    '(?:\\x1b\\]|\\x9d)[^\\x07\\x1b\\x9c]{0,4096}(?:\\x07|\\x1b\\\\|\\x9c)',
    '\\x1b[ -/]{0,8}[0-Z\\\\^-~]',
  ].join('|'),
  'g',
);

/** What a program wrote, as a reader of its terminal would have it. */
export function plainText(text: string): string {
  return text.replace(terminalCodes, '');
}

const longest = 120;

/** The beginning of what a program wrote, for a message. */
export function beginning(text: string): string {
  const trimmed = plainText(text).trim();
  const shown = trimmed.length > longest ? `${trimmed.slice(0, longest)}…` : trimmed;
  return JSON.stringify(shown);
}
