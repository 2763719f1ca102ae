import { memoizeByName } from './text-patterns.ts';

/** Whether a text mentions a tool by its name. */
export function namesTool(text: string, name: string): boolean {
  // Most texts do not have the name at all, so that most patterns need not be compiled.
  return name !== '' && compileWord(name).test(text) && compileToolName(name).test(text);
}

const compileWord = memoizeByName((name) => new RegExp(escapePattern(name), 'iu'));

const compileToolName = memoizeByName((name) => {
  const word = escapePattern(name);
  const whole = `(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`;
  if (/[^a-z]/i.test(name)) return new RegExp(whole, 'iu');
  // `add` and `search` are everyday words; they count as a name only if they are marked as one.
  const marked = [
    `["'\`]${word}["'\`]`,
    `${whole}(?:\\(| (?:tool|function|prompt|command)\\b)`,
    `\\b(?:call|invoke|tool|function|prompt|use|using)(?: the)? ${whole}(?! (?:an?|the)\\b)`,
  ];
  return new RegExp(marked.join('|'), 'iu');
});

function escapePattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
