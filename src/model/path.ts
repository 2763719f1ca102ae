/** Where something stands in a document: keys as the document spells them, and list indices. */
export type Path = readonly (string | number)[];

/** `attack.indicators[0].surface`; a key is appended as it stands, unquoted. */
export function formatPath(path: Path): string {
  let text = '';
  for (const segment of path)
    text += typeof segment === 'number' ? `[${segment}]` : text === '' ? segment : `.${segment}`;
  return text;
}
