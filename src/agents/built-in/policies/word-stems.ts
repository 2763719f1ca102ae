import policyWords from '../../../../data/policy-words.json' with { type: 'json' };

// Words as the policies compare them: lower case, without grammatical endings.

const endings: readonly (readonly [RegExp, string])[] = [
  [/(?:isation|ization)$/, 'iz'],
  [/(?:ation|ator)$/, 'at'],
  [/ies$/, 'y'],
  [/(ss|x|ch|sh)es$/, '$1'],
  [/(?<![sui])s$/, ''],
];
const verbEndings = /(?<=[aeiouy].*[^aeiou]|[aeiouy]{2,}.+|.{4})(?:ing|ed)$/;

const longestWord = 40;
const shortForms: ReadonlyMap<string, string> = new Map(Object.entries(policyWords.shortForms));

// Words that would become other, meaningless words without their last letter.
const keepsE: ReadonlySet<string> = new Set(['note', 'theme']);

export function stemWord(word: string): string {
  const plain = word
    .slice(0, longestWord)
    .toLowerCase()
    .replace(/['’]s?$/, '');
  let base = shortForms.get(plain) ?? plain;
  for (const [ending, instead] of endings)
    if (base.length > 3 && ending.test(base)) {
      base = base.replace(ending, instead);
      break;
    }
  if (base.length > 4 && verbEndings.test(base))
    base = base.replace(verbEndings, '').replace(/([bdgklmnprt])\1$/, '$1');
  base = base.replace(/ise$/, 'ize');
  return base.length > 3 && !keepsE.has(base) ? base.replace(/e$/, '') : base;
}

/** The stems of words that are separated by spaces. */
export function stemWords(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stemWord));
}

/** Splits a name: `getProject_data-v2` → get, project, data, v2. */
export function splitName(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

const plainWord = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu;

export function splitWords(text: string): readonly string[] {
  return (text.match(plainWord) ?? []).map((word) => word.toLowerCase());
}

const emptyStems = stemWords(policyWords.emptyWords);

export function listContentStems(words: readonly string[]): readonly string[] {
  return words.map(stemWord).filter((word) => word.length > 1 && !emptyStems.has(word));
}

export function isEmptyWord(word: string): boolean {
  return emptyStems.has(stemWord(word));
}
