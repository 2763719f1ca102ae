/**
 * Finds a character of a YAML string in the scalar as it is written: quoted, folded over lines, indented. Apart from quotes
 * and escapes YAML adds and removes only white space, so the other characters are counted. Undefined if an escape may stand
 * for white space.
 */
export function findWrittenOffset(written: string, value: string, within: number): number | undefined {
  const [quote] = written;
  if (quote === '"' && /\\[^"\\/]/.test(written)) return undefined;
  const one = quote === '"' ? /\\?\S/g : quote === "'" ? /''|\S/g : /\S/g;
  one.lastIndex = /^[|>].*|^["']|^/.exec(written)?.[0].length ?? 0;
  let left = value.slice(0, within).replace(/\s/g, '').length;
  for (const { index } of written.matchAll(one)) if (left-- === 0) return index;
  return undefined;
}
