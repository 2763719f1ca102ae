/**
 * A text as far as it is read, with no long stretches of nothing. Texts come from anybody, and what looks for things
 * in them must not be made to walk the same empty ground again and again.
 */
export function tidy(text: string, longest: number): string {
  return text
    .slice(0, longest)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, (gap) => (gap.indexOf('\n') === gap.lastIndexOf('\n') ? '\n' : '\n\n'));
}
