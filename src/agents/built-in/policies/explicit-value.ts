import { memoizeByName } from './text-patterns.ts';
import { splitName } from './word-stems.ts';

// Finds values that a text gives to a parameter by name: `subject "Weekly"`, `report ID is X-1`, `"a@b.c" as bcc`.

const quoted = `(?:"([^"]{0,2000})"|“([^”]{0,2000})”|\`([^\`]{0,2000})\`|['‘](.{0,2000}?)['’](?![\\p{L}\\p{N}]))`;
const bare = `([^\\s"'“\`,;<>]+)`;
const address = '((?<![\\w.+-])[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,8})';
const space = '\\s{0,4}';
const kept = `["'\`]?${space}(?:parameter|field|argument|value|header|flag)?${space}`;

interface Search {
  readonly pattern: RegExp;
  /** A part of every match, whatever the name is. A text without it is not searched, so the pattern need not be compiled. */
  readonly part: RegExp;
  /** The end of the pattern, if its beginning fits in many places: a text without the end is not searched from each of them. */
  readonly end?: RegExp;
}

interface Patterns {
  readonly quoted: readonly Search[];
  readonly bare: readonly Search[];
  readonly address: RegExp;
}

export function findExplicitValue(name: string, text: string): string | undefined {
  if (!mentionsParameter(text, name)) return undefined;
  const patterns = compilePatterns(name);
  const inQuotes = findFirstGroup(patterns.quoted, text)?.trim();
  if (inQuotes !== undefined && inQuotes !== '') return inQuotes;
  return findFirstGroup(patterns.bare, text)?.replace(/(?<=[\p{L}\p{N}])[.,;:!?)]+$/u, '');
}

/** "BCC audit@x.y on every mail": an address shortly after the name of the parameter. */
export function findAddressAfter(name: string, text: string): string | undefined {
  return mentionsParameter(text, name) ? compilePatterns(name).address.exec(text)?.[1] : undefined;
}

/**
 * Whether a text has the last word of a name, or the beginning of its participle. Every pattern needs that, and most texts
 * do not have it, so that most patterns need not be compiled.
 */
function mentionsParameter(text: string, name: string): boolean {
  return findLastWord(name).test(text);
}

const findLastWord = memoizeByName((name) => new RegExp(findParticipleStem(splitName(name)), 'iu'));

// With the flags of the patterns, so that a part is found wherever a pattern would find it.
const quotationMark = /["“`'‘]/u;
const equalsSign = /=/u;
const statement = /:|is |set to |equal to /iu;
const change = /\b(?:set|change|update|switch|turn)\b/iu;
const atSign = /@/u;

const compilePatterns = memoizeByName((name): Patterns => {
  const words = splitName(name);
  const spoken = words.length === 0 ? '(?!)' : `(?<![\\p{L}\\p{N}_])${words.join('[\\s_-]?')}(?![\\p{L}\\p{N}_])`;
  // A short name such as `a` or `to` counts only before a colon or an equals sign.
  const isShort = name.length < 3;
  const link = isShort ? '[:=]' : '(?:[:=]|=>|is|to|as|of|set to|with|with value|named|called)?';
  const pattern = (source: string): RegExp => new RegExp(source, 'isu');
  const search = (part: RegExp, source: string): Search => ({ part, pattern: pattern(source) });
  const searchBefore = (part: RegExp, source: string, end: string): Search => ({
    part,
    pattern: pattern(source + end),
    end: pattern(end),
  });
  return {
    quoted: [
      search(quotationMark, `${spoken}${kept}${link}${space}${quoted}`),
      searchBefore(quotationMark, quoted, ` (?:as|for|in) (?:the |a |its )?${spoken}`),
      ...(isShort ? [] : [search(quotationMark, `\\b${findParticipleStem(words)}ed ${quoted}`)]),
    ],
    bare: [
      search(equalsSign, `${spoken}["'\`]?${space}=${space}${bare}`),
      ...(isShort
        ? []
        : [
            search(
              statement,
              `${spoken}${kept}(?::[ \\t]*|is (?:set to )?|set to |equal to )(?!the |an? |your |to |not |\\w+ing )${bare}`,
            ),
            search(
              change,
              `\\b(?:set|change|update|switch|turn)\\b[^.\\n]{0,40}?${spoken}["'\`]? (?:of \\S{1,60} )?to (?!the |an? |your )${bare}`,
            ),
            searchBefore(atSign, address, ` (?:as|in) (?:the |a )?${spoken}`),
          ]),
    ],
    address: pattern(`${spoken}[^.@\\n]{0,40}?${address}`),
  };
});

/** The last word without its ending: "titled" and "named" are participles of parameters' names. */
function findParticipleStem(words: readonly string[]): string {
  return (words.at(-1) ?? '').replace(/e$/, '');
}

function findFirstGroup(searches: readonly Search[], text: string): string | undefined {
  for (const { part, pattern, end } of searches) {
    if (!part.test(text) || (end !== undefined && !end.test(text))) continue;
    const value = pattern
      .exec(text)
      ?.slice(1)
      .find((group) => group !== undefined);
    if (value !== undefined) return value;
  }
  return undefined;
}
