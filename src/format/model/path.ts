/** A position in a document: keys as the document spells them, and list indices. */
export type Path = readonly (string | number)[];

/** Formats a path: `attack.indicators[0].surface`. Keys are not quoted. */
export function formatPath(path: Path): string {
  let text = '';
  for (const segment of path)
    text += typeof segment === 'number' ? `[${segment}]` : text === '' ? segment : `.${segment}`;
  return text;
}
