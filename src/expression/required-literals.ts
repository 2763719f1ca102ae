// RE2 in JavaScript is linear but about ten times slower than the platform's own engine. Most messages match nothing, and
// most expressions have a few literal texts of which every match must contain one: searching for those is much faster. This
// reads the literals from an expression, and gives up on any syntax that it does not know.

export interface RequiredLiterals {
  readonly texts: readonly string[];
  readonly ignoreCase: boolean;
}

/** Texts of which every match of the expression contains at least one; undefined if there are none. */
export function requiredLiterals(source: string): RequiredLiterals | undefined {
  const ignoreCase = source.startsWith('(?i)');
  const reader: Reader = { source, at: ignoreCase ? 4 : 0 };
  const texts = readAlternatives(reader, 0);
  if (texts === undefined || reader.at !== source.length) return undefined;
  // Engines differ in how they fold case outside ASCII.
  if (ignoreCase && texts.some((text) => /[^\x20-\x7e]/.test(text))) return undefined;
  return { texts, ignoreCase };
}

interface Reader {
  readonly source: string;
  at: number;
}

const shortestUseful = 2;
const mostTexts = 32;
const deepestGroup = 16;

type Texts = readonly string[];

function readAlternatives(reader: Reader, depth: number): Texts | undefined {
  const all: string[] = [];
  let known = true;
  for (;;) {
    const texts = readSequence(reader, depth);
    if (texts === undefined) known = false;
    else all.push(...texts);
    if (reader.source[reader.at] !== '|') break;
    reader.at += 1;
  }
  return known && all.length <= mostTexts ? all : undefined;
}

/** A sequence requires what any of its parts requires. The longest texts exclude the most. */
function readSequence(reader: Reader, depth: number): Texts | undefined {
  const candidates: Texts[] = [];
  let run = '';
  const endRun = (): void => {
    if (run.length >= shortestUseful) candidates.push([run]);
    run = '';
  };
  for (;;) {
    const character = reader.source[reader.at];
    if (character === undefined || character === '|' || character === ')') break;
    const atom = readAtom(reader, depth);
    if (atom === undefined) return giveUp(reader);
    const repeat = readRepeat(reader);
    if (repeat === undefined) return giveUp(reader);
    if (atom.kind === 'literal' && repeat === 'once') {
      run += atom.text;
      continue;
    }
    if (atom.kind === 'literal' && repeat === 'many') run += atom.text;
    endRun();
    if (atom.kind === 'group' && repeat !== 'maybe' && atom.texts !== undefined) candidates.push(atom.texts);
  }
  endRun();
  return candidates.reduce<Texts | undefined>(
    (best, texts) => (best === undefined || shortest(texts) > shortest(best) ? texts : best),
    undefined,
  );
}

function shortest(texts: Texts): number {
  return Math.min(...texts.map(({ length }) => length));
}

/** Moves the reader past the end, so that no caller treats the expression as fully read. */
function giveUp(reader: Reader): undefined {
  reader.at = reader.source.length + 1;
  return undefined;
}

type Atom =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'group'; readonly texts: Texts | undefined }
  | { readonly kind: 'other' };

const other: Atom = { kind: 'other' };

function readAtom(reader: Reader, depth: number): Atom | undefined {
  const { source } = reader;
  const character = source[reader.at] ?? '';
  reader.at += 1;
  switch (character) {
    case '(':
      return readGroup(reader, depth);
    case '[':
      return readClass(reader);
    case '\\':
      return readEscape(reader);
    case '.':
    case '^':
    case '$':
      return other;
    case '*':
    case '+':
    case '?':
    case '{':
    case ']':
    case '}':
      return undefined;
    default:
      // RE2 reads a surrogate pair as one character, so a repeat after it would repeat both halves.
      return /[\ud800-\udfff]/.test(character) ? undefined : { kind: 'literal', text: character };
  }
}

function readGroup(reader: Reader, depth: number): Atom | undefined {
  if (depth >= deepestGroup) return undefined;
  const plain = /^\?(?::|P?<[A-Za-z0-9_]+>)/.exec(reader.source.slice(reader.at, reader.at + 64));
  if (plain !== null) reader.at += plain[0].length;
  else if (reader.source[reader.at] === '?') return undefined;
  const texts = readAlternatives(reader, depth + 1);
  if (reader.source[reader.at] !== ')') return undefined;
  reader.at += 1;
  return { kind: 'group', texts };
}

/** Skips a character class. A class with more than plain members and simple escapes is not supported. */
function readClass(reader: Reader): Atom | undefined {
  const found = /^\^?\]?(?:[^\][\\]|\\[^pPQE])*\]/.exec(reader.source.slice(reader.at));
  if (found === null) return undefined;
  reader.at += found[0].length;
  return other;
}

function readEscape(reader: Reader): Atom | undefined {
  const character = reader.source[reader.at] ?? '';
  reader.at += 1;
  if (/[dDwWsSbB]/.test(character)) return other;
  // Escaped punctuation stands for itself. No other escape is supported here.
  return /[!-/:-@[-`{-~]/.test(character) ? { kind: 'literal', text: character } : undefined;
}

type Repeat = 'once' | 'many' | 'maybe';

function readRepeat(reader: Reader): Repeat | undefined {
  const rest = reader.source.slice(reader.at, reader.at + 16);
  const found = /^(?:[*+?]|\{(\d{1,4})(?:,\d{0,4})?\})\??/.exec(rest);
  if (found === null) return rest.startsWith('{') ? undefined : 'once';
  reader.at += found[0].length;
  if (/^[*+?{]/.test(reader.source.slice(reader.at, reader.at + 1))) return undefined;
  return found[0].startsWith('+') || Number(found[1] ?? 0) >= 1 ? 'many' : 'maybe';
}
