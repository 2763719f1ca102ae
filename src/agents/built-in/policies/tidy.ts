/**
 * The beginning of a text, with runs of white space shortened. The texts are untrusted, and expressions would scan the
 * same characters of long white space again and again.
 */
export function tidy(text: string, longest: number): string {
  return text
    .slice(0, longest)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, (gap) => (gap.indexOf('\n') === gap.lastIndexOf('\n') ? '\n' : '\n\n'));
}
