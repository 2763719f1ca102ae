import { stars } from './cover.ts';

// People put secrets of any form in variables and headers, so all of their values are masked.

const blockStart = /^(\s*(?:- +)*)["']?(?:env|headers|environment|keyEnv|redact)["']?\s*:/;
const inlineStart = /[{,]\s*["']?(?:env|headers|keyEnv|redact)["']?\s*:/;

/** The lines of a configuration, with the values of variables, headers and similar keys masked. */
export function coverConfigLines(text: string): readonly string[] {
  let within: { readonly indent: number; depth: number } | undefined;
  return text.split('\n').map((line) => {
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    if (within !== undefined && line.trim() !== '' && indent <= within.indent && within.depth <= 0) within = undefined;
    if (within !== undefined) {
      within.depth += countOpenBrackets(line);
      return coverConfigEntry(line);
    }
    const start = blockStart.exec(line) ?? inlineStart.exec(line);
    if (start === null) return line;
    const end = start.index + start[0].length;
    const [, before = ''] = start;
    within = { indent: before.length, depth: countOpenBrackets(line.slice(end)) };
    return `${line.slice(0, end)}${coverConfigValue(line.slice(end))}`;
  });
}

/** The number of brackets that a text opens, minus those that it closes. */
function countOpenBrackets(text: string): number {
  return (text.match(/[{[]/g) ?? []).length - (text.match(/[}\]]/g) ?? []).length;
}

/** Masks the value of an entry. Its name is not a secret. */
function coverConfigEntry(line: string): string {
  const [, name = ''] = /^(\s*(?:- +)*["']?[\w.-]+["']?\s*:)(?:\s|$)/.exec(line) ?? [];
  return `${name}${coverConfigValue(line.slice(name.length))}`;
}

function coverConfigValue(text: string): string {
  return /^[\s{}[\],]*$/.test(text) ? text : ` ${stars}`;
}
