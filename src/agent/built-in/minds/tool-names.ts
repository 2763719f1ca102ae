const compiled = new Map<string, RegExp>();
const maxCompiled = 1000;

/** Whether a text speaks of a tool by its name. */
export function namesTool(text: string, name: string): boolean {
  if (name === '') return false;
  let pattern = compiled.get(name);
  if (pattern === undefined) {
    if (compiled.size >= maxCompiled) compiled.clear();
    pattern = compile(name);
    compiled.set(name, pattern);
  }
  return pattern.test(text);
}

function compile(name: string): RegExp {
  const word = name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  const whole = `(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`;
  if (/[^a-z]/i.test(name)) return new RegExp(whole, 'iu');
  // `add` and `search` are words of every day; as a name they are marked as one.
  const marked = [
    `["'\`]${word}["'\`]`,
    `${whole}(?:\\(| (?:tool|function|prompt|command)\\b)`,
    `\\b(?:call|invoke|tool|function|prompt|use|using)(?: the)? ${whole}(?! (?:an?|the)\\b)`,
  ];
  return new RegExp(marked.join('|'), 'iu');
}
