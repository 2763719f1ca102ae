/** Whether a text mentions a tool by its name. */
export function namesTool(text: string, name: string): boolean {
  if (name === '') return false;
  const word = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  // Most texts do not have the name at all, and the whole pattern takes far longer to compile.
  return new RegExp(word, 'iu').test(text) && compile(name, word).test(text);
}

function compile(name: string, word: string): RegExp {
  const whole = `(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`;
  if (/[^a-z]/i.test(name)) return new RegExp(whole, 'iu');
  // `add` and `search` are everyday words; they count as a name only if they are marked as one.
  const marked = [
    `["'\`]${word}["'\`]`,
    `${whole}(?:\\(| (?:tool|function|prompt|command)\\b)`,
    `\\b(?:call|invoke|tool|function|prompt|use|using)(?: the)? ${whole}(?! (?:an?|the)\\b)`,
  ];
  return new RegExp(marked.join('|'), 'iu');
}
