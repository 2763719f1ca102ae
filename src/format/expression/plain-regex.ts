// Compiling the first RE2 expression takes a tenth of the time that checking a small document takes, and most expressions are
// never searched with: documents are only checked, or no text contains the literals that a match needs. Where it is plain
// that RE2 accepts an expression, it is therefore compiled when it is first searched with.

const flags = /^\(\?[ims]+\)/;
const member = String.raw`(?:[^\][\\^\-\ud800-\udfff]|\\[dDwWsStnrfv\\^$.*+?()[\]{}|/-])`;
const part = [
  String.raw`[^\\^$.*+?()[\]{}|\ud800-\udfff]`,
  String.raw`\\[dDwWsSbBtnrfv\\^$.*+?()[\]{}|/]`,
  // RE2 takes a hyphen only in a range, or first or last.
  String.raw`\[\^?-?(?:${member}(?:-${member})?)+-?\]`,
  String.raw`\((?:(?!\?)|\?:)`,
  '[)|^$.*+?]',
  String.raw`\{\d{1,4}(?:,\d{0,4})?\}`,
].join('|');
// No text can be split into these parts in two ways, so looking for a split takes linear time.
const plain = new RegExp(`^(?:${part}){0,1000}$`);

/** RE2's own limit, for counted repeats within one another. */
const mostRepeats = 1000;

/**
 * The number of capture groups of an expression that RE2 certainly accepts; undefined if only RE2 can tell. Whether groups
 * are closed and repeats have something to repeat, the platform's own parser knows.
 */
export function countPlainGroups(source: string): number | undefined {
  const rest = source.replace(flags, '');
  if (!plain.test(rest)) return undefined;
  const repeats = [...rest.matchAll(/\{(\d+),?(\d*)/g)].map(([, least, most]) => Math.max(1, Number(most || least)));
  if (repeats.reduce((product, count) => product * count, 1) > mostRepeats) return undefined;
  try {
    // An empty alternative matches, so that the result tells the number of groups.
    return (new RegExp(`${rest}|`, 'u').exec('')?.length ?? 1) - 1;
  } catch {
    return undefined;
  }
}

// RE2 in JavaScript is linear but about ten times slower than the platform's own engine. Most messages match nothing, and
// most expressions have a few literal texts of which every match must contain one: searching for those is much faster. This
// reads the literals from a plain expression (`plain-groups.ts`), so it meets no other syntax.

export interface RequiredLiterals {
  readonly texts: readonly string[];
  readonly ignoreCase: boolean;
}

/** Texts of which every match of a plain expression contains at least one; undefined if there are none. */
export function findRequiredLiterals(source: string): RequiredLiterals | undefined {
  const [opening = '', flags = ''] = /^\(\?(\w+)\)/.exec(source) ?? [];
  const ignoreCase = flags.includes('i');
  const texts = readAlternatives({ source, at: opening.length });
  // Engines differ in how they fold case outside ASCII.
  const isFolded = ignoreCase && texts?.some((text) => /[^\x20-\x7e]/.test(text));
  return texts === undefined || isFolded ? undefined : { texts, ignoreCase };
}

interface Reader {
  readonly source: string;
  at: number;
}

const shortestUseful = 2;
const mostTexts = 32;

type Texts = readonly string[];

function readAlternatives(reader: Reader): Texts | undefined {
  const all: string[] = [];
  let known = true;
  for (;;) {
    const texts = readSequence(reader);
    if (texts === undefined) known = false;
    else all.push(...texts);
    if (reader.source[reader.at] !== '|') break;
    reader.at += 1;
  }
  return known && all.length <= mostTexts ? all : undefined;
}

/** A sequence requires what any of its parts requires. The longest texts exclude the most. */
function readSequence(reader: Reader): Texts | undefined {
  let best: Texts | undefined;
  const offer = (texts: Texts | undefined): void => {
    if (texts !== undefined && (best === undefined || measureShortest(texts) > measureShortest(best))) best = texts;
  };
  let run = '';
  const endRun = (): void => {
    if (run.length >= shortestUseful) offer([run]);
    run = '';
  };
  while (/[^|)]/.test(reader.source.charAt(reader.at))) {
    const atom = readAtom(reader);
    const repeat = readRepeat(reader);
    if (typeof atom === 'string' && repeat !== 'maybe') run += atom;
    if (typeof atom === 'string' && repeat === 'once') continue;
    endRun();
    if (typeof atom === 'object' && repeat !== 'maybe') offer(atom);
  }
  endRun();
  return best;
}

function measureShortest(texts: Texts): number {
  return Math.min(...texts.map(({ length }) => length));
}

/** A literal, or what a group requires; undefined for what may stand for several texts, or for none. */
function readAtom(reader: Reader): string | Texts | undefined {
  const [atom, group, escaped] = readLiterals(reader, /(\((?:\?:)?)|\[(?:\\.|[^\]\\])*\]|\\(.)|./sy);
  if (group !== undefined) {
    const texts = readAlternatives(reader);
    reader.at += ')'.length;
    return texts;
  }
  if (escaped !== undefined) return /[a-z]/i.test(escaped) ? undefined : escaped;
  return /^[.^$[]/.test(atom) ? undefined : atom;
}

type Repeat = 'once' | 'many' | 'maybe';

function readRepeat(reader: Reader): Repeat {
  const [repeat, least] = readLiterals(reader, /(?:[*+?]|\{(\d+)[^}]*\})?\??/y);
  if (repeat === '') return 'once';
  return repeat.startsWith('+') || Number(least ?? 0) >= 1 ? 'many' : 'maybe';
}

function readLiterals(reader: Reader, pattern: RegExp): readonly [string, ...(string | undefined)[]] {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source) ?? [''];
  reader.at += found[0].length;
  return found as [string];
}
