/**
 * A passage of the docs: its page, the page's title, anchor, heading and words. scripts/site/search-index.ts writes
 * them.
 */
export type Passage = readonly [path: string, title: string, anchor: string, heading: string, words: string];

export interface Finding {
  readonly passage: Passage;
  /** The text around the first match, in three parts; the middle one is the match. */
  readonly excerpt: readonly [before: string, match: string, after: string];
}

const most = 12;

/** Finds the passages that contain every typed word. Passages with the words in their titles come first. */
export function find(typed: string, passages: readonly Passage[]): readonly Finding[] {
  const terms = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return [];
  return passages
    .map((passage) => ({ passage, score: scoreOf(passage, terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ passage }) => ({ passage, excerpt: excerptOf(passage[4], terms) }));
}

function scoreOf([path, title, anchor, heading, words]: Passage, terms: readonly string[]): number {
  const places = [
    [title.toLowerCase(), anchor === '' ? 30 : 4],
    [heading.toLowerCase(), 20],
    [words.toLowerCase(), 1],
  ] as const;
  let score = isAside(path) ? 0.5 : 1;
  for (const term of terms) {
    const found = places.reduce((sum, [text, worth]) => sum + worthIn(text, term) * worth, 0);
    if (found === 0) return 0;
    score *= found;
  }
  return score;
}

/** A whole word scores higher than the beginning of a word, and that higher than a part within it. */
function worthIn(text: string, term: string): number {
  const at = text.indexOf(term);
  if (at < 0) return 0;
  const isBeginning = [...text.matchAll(/[\p{L}\p{N}_/-]+/gu)].some(([word]) => word.startsWith(term));
  return text === term ? 4 : isBeginning ? 2 : 1;
}

/** Pages that few people look for come last. */
function isAside(path: string): boolean {
  return path.startsWith('decisions/') || path.startsWith('library/') || path === 'changelog';
}

function excerptOf(words: string, terms: readonly string[]): Finding['excerpt'] {
  const lower = words.toLowerCase();
  const term = terms.find((each) => lower.includes(each));
  if (term === undefined) return [words.slice(0, 120), '', ''];
  const at = lower.indexOf(term);
  const from = at < 50 ? 0 : words.indexOf(' ', at - 50) + 1;
  return [
    (from > 0 ? '…' : '') + words.slice(from, at),
    words.slice(at, at + term.length),
    words.slice(at + term.length, at + term.length + 80),
  ];
}
