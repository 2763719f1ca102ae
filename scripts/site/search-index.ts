import type { Rendered } from './render.ts';

/** The search index: page, title, anchor, heading and words of each passage. web/site/search.ts reads it. */
export function searchIndex(pages: readonly Rendered[]): string {
  const rows = pages.flatMap(({ source, title, passages }) =>
    passages.map(({ heading: { id, text, depth }, text: words }) => [
      source.path,
      title,
      depth === 1 ? '' : id,
      depth === 1 ? '' : text,
      words.replaceAll(/\s+/g, ' ').trim(),
    ]),
  );
  // The index is a script and not JSON, because a page that was opened from disk may load scripts but cannot fetch.
  return `globalThis.oatfPassages=${JSON.stringify(rows)};\n`;
}
