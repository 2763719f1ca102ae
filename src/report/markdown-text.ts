// Text of documents and peers within Markdown that a site renders: it must be readable and have no effect.

/** Every character that could mean something to Markdown or HTML, inside or outside a table cell. */
const meaningful = /[!-/:-@[-`{-~]/g;
const harmless = ',.;?\'"%=/-';

/**
 * Prose on one line. Entities keep Markdown and HTML from interpreting it. Sites look for mentions, issues and
 * addresses only after resolving entities, so a zero-width space breaks those up.
 */
export function escapeInline(text: string): string {
  const broken = text.replace(/[@#]|:(?=\/\/)|www(?=\.)/gi, (found) => `${found}\u200b`);
  return broken.replace(meaningful, (character) =>
    harmless.includes(character) ? character : `&#${character.charCodeAt(0)};`,
  );
}

/** The same as code, in which sites look for no mentions. */
export function formatInlineCode(text: string): string {
  return `<code>${escapeInline(text)}</code>`;
}

/** The lines as they are, in a fence that none of them can close. */
export function formatFenced(lines: readonly string[]): string {
  const longest = lines
    .flatMap((line) => line.match(/`+/g) ?? [])
    .reduce((length, run) => Math.max(length, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${lines.join('\n')}\n${fence}\n`;
}
