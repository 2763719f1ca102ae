// Text of documents and peers among Markdown that a site renders: it may be read, and do nothing else.

/** Everything that could mean something to Markdown or HTML, in a table cell or outside. */
const meaningful = /[!-/:-@[-`{-~]/g;
const harmless = ',.;?\'"%=/-';

/**
 * Prose on one line. Entities keep Markdown and HTML from reading it; sites look for mentions, issues and addresses
 * only after those are resolved, so a space of no width breaks them up.
 */
export function inline(text: string): string {
  const broken = text.replace(/[@#]|:(?=\/\/)|www(?=\.)/gi, (found) => `${found}\u200b`);
  return broken.replace(meaningful, (character) =>
    harmless.includes(character) ? character : `&#${character.charCodeAt(0)};`,
  );
}

/** The same in the typeface of code, where sites look for nothing. */
export function inlineCode(text: string): string {
  return `<code>${inline(text)}</code>`;
}

/** Lines as they are, in a fence that none of them can close. */
export function fenced(lines: readonly string[]): string {
  const longest = lines
    .flatMap((line) => line.match(/`+/g) ?? [])
    .reduce((length, run) => Math.max(length, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${lines.join('\n')}\n${fence}\n`;
}
