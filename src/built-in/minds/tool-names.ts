/** Whether a text mentions a tool by its name. */
export function namesTool(text: string, name: string): boolean {
  return name !== '' && compile(name).test(text);
}

function compile(name: string): RegExp {
  const word = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
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
