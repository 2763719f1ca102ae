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
const shortForms: ReadonlyMap<string, string> = new Map([
  ['analysis', 'analyze'],
  ['analytics', 'analyze'],
  ['config', 'configuration'],
  ['doc', 'document'],
  ['docs', 'document'],
  ['repo', 'repository'],
  ['db', 'database'],
  ['env', 'environment'],
  ['app', 'application'],
  ['info', 'information'],
  ['dir', 'directory'],
  ['msg', 'message'],
  ['org', 'organization'],
  ['txn', 'transaction'],
  ['auth', 'authentication'],
  ['lang', 'language'],
]);

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

const emptyWords =
  `a an the this that these those it its they them their there here of to in on at by for from with without
  about into onto over under as is are was were be been being am do does did done has have had will would can
  could should shall may might must and or but not no nor so if then than too very just also only even all any
  each every some both such own same other another more most less few many much me my mine i we us our you your
  he she his her him who whom whose what which when where why how now please kindly currently current recent
  latest new using use used via per up down out off again further once between through during before after above
  below while because until against related specified given provided following available`.split(/\s+/);
const emptyStems = new Set(emptyWords.map(stemWord));

/** The stems of the meaningful words. */
export function listContentStems(words: readonly string[]): readonly string[] {
  return words.map(stemWord).filter((word) => word.length > 1 && !emptyStems.has(word));
}

export function isEmptyWord(word: string): boolean {
  return emptyStems.has(stemWord(word));
}
