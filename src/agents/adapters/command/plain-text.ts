// Control sequences that programs write for terminals: colours, cursor movements, titles, links. Each expression is
// bounded, because a program can begin a sequence and never end it. (node:util has a similar function, but it keeps
// links, and it throws on a long sequence.)
const terminalCodes = new RegExp(
  [
    '(?:\\x1b\\[|\\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]',
    '(?:\\x1b\\]|\\x9d)[^\\x07\\x1b\\x9c]{0,4096}(?:\\x07|\\x1b\\\\|\\x9c)',
    '\\x1b[ -/]{0,8}[0-Z\\\\^-~]',
  ].join('|'),
  'g',
);

const linkCode = /^(?:\x1b\]|\x9d)8;[^;]*;(.*?)(?:\x07|\x1b\\|\x9c)$/s;

/**
 * The text of a program's output without control sequences. The target of a link is added as text, because a user could
 * follow it.
 */
export function stripControlSequences(text: string): string {
  const parts: string[] = [];
  let from = 0;
  let link: { readonly url: string; words: string } | undefined;
  const take = (words: string): void => {
    parts.push(words);
    if (link !== undefined) link.words += words;
  };
  const endLink = (): void => {
    if (link !== undefined && link.words.trim() !== link.url) parts.push(` (${link.url})`);
    link = undefined;
  };
  for (const { 0: code, index } of text.matchAll(terminalCodes)) {
    take(text.slice(from, index));
    from = index + code.length;
    const [, url] = linkCode.exec(code) ?? [];
    if (url === undefined) continue;
    endLink();
    if (url !== '') link = { url, words: '' };
  }
  take(text.slice(from));
  endLink();
  return parts.join('');
}

const longest = 120;

/** The beginning of a program's output, quoted for a message. */
export function quoteBeginning(text: string): string {
  const trimmed = stripControlSequences(text).trim();
  const cropped = trimmed.length > longest ? `${trimmed.slice(0, longest)}…` : trimmed;
  return JSON.stringify(cropped);
}
