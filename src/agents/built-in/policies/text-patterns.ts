// Finds things that are recognizable by their form alone.

// The texts are untrusted, so every expression here may read each character only a limited number of times.
const patterns = {
  emails: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g,
  uris: /(?<![\w+.-])[a-z][a-z\d+.-]{0,20}:\/\/[^\s"'`<>()[\]{}]+/gi,
  paths:
    /(?<![\w:/.~@<-])(?:~|\.{1,2})?(?:\/[\w.@*{}+-]+)+\/?|(?<![\w:/@-])(?:[A-Z]:\\[\w.\\ -]{1,200}|[\w-]{0,80}\.(?:env|npmrc|gitconfig|netrc|pem|key|bashrc)\b(?:\.\w+)?|(?:[\w-]{1,80}\/){0,12}[\w-]{1,80}\.(?:json|ya?ml|toml|txt|md|csv|py|[jt]sx?|sh|conf|cfg|ini|log|pdf|docx?|xlsx?|html?|xml|sql|db|config)\b)/g,
  quoted:
    /"([^"\n]{1,2000})"|“([^”]{1,2000})”|`([^`\n]{1,2000})`|(?<![\p{L}\p{N}])['‘](.{1,2000}?)['’](?![\p{L}\p{N}])/gsu,
  identifiers: /(?<![\w/.@-])(?=[\w-]{0,60}(?:\d|-|_))[A-Za-z\d]{1,60}(?:[-_][A-Za-z\d]{1,60}){0,12}(?![\w/@-]|\.\w)/g,
  dates:
    /\b\d{4}-\d{2}-\d{2}(?:T[\d:.Z+-]{1,30})?|\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\b(?:today|tomorrow|yesterday|(?:next |last |this )?(?:week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day))(?: at [\d:]{1,5} ?(?:am|pm)?)?\b|\b\d{1,2}(?::\d{2})? ?(?:am|pm)\b/gi,
  names: /(?<=[\p{Ll},] )\p{Lu}[\p{L}\d]{1,60}(?: \p{Lu}[\p{L}\d]{1,60}){0,8}/gu,
  numbers:
    /(?<![\w.-])-?\$?\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,20})?|(?<![\w.-])(?:(?<!\d\s?)-)?\$?\d{1,20}(?:\.\d{1,20})?(?![\w-]|\.\d)/g,
} as const;

export type TextPatternName = keyof typeof patterns;

export function findAll(kind: TextPatternName, text: string): readonly string[] {
  const matches = [...text.matchAll(patterns[kind])].map(([whole, ...groups]) => groups.find(Boolean) ?? whole);
  return [...new Set(matches.map((match) => (kind === 'quoted' ? match.trim() : match.replace(/[.,;:!?]+$/, ''))))];
}

export function findNumbers(text: string): readonly number[] {
  const bare = text.replace(patterns.uris, ' ').replace(patterns.emails, ' ');
  return [...bare.matchAll(patterns.numbers)].map(([match]) => Number(match.replace(/[$,]/g, '')));
}

/** Replaces quoted text, so that its words are not mistaken for the speaker's. */
export function maskQuoted(text: string): { readonly masked: string; restore(part: string): string } {
  const kept: string[] = [];
  const keep = (whole: string): string => {
    kept.push(whole);
    return `\u0001${kept.length - 1}\u0002`;
  };
  const masked = text
    .replace(patterns.quoted, keep)
    // "Review this code: …": the text after the colon is the material.
    .replace(/(?<=\b(?:this|these|following|below)\b[^:\n]{0,60}:\s)\s*\S.*$/s, keep);
  const restore = (part: string): string =>
    // A mask may contain another.
    part.replace(/\u0001(\d+)\u0002/g, (_, index) => restore(kept[Number(index)] ?? ''));
  return { masked, restore };
}

const mostKept = 1_000;
/** A document may have names of any length, and a thousand long ones would take much memory. */
const longestKept = 200;

/**
 * A function of a name that caches its results. Policies see the same tools and parameters in every decision of every
 * run, and a pattern with classes of letters takes about a millisecond to compile.
 */
export function memoizeByName<T>(make: (name: string) => T): (name: string) => T {
  const kept = new Map<string, T>();
  return (name) => {
    if (name.length > longestKept) return make(name);
    const known = kept.get(name);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    const made = make(name);
    kept.set(name, made);
    return made;
  };
}
