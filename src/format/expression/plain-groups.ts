// Compiling the first RE2 expression takes a tenth of the time that checking a small document takes, and most expressions are
// never searched with: documents are only checked, or no text contains the literals that a match needs. Where it is plain
// that RE2 accepts an expression, it is therefore compiled when it is first searched with.

const flags = /^\(\?[ims]+\)/;
const member = String.raw`(?:[^\][\\^\-\ud800-\udfff]|\\[dDwWsStnrfv\\^$.*+?()[\]{}|/-])`;
const part = [
  String.raw`[^\\^$.*+?()[\]{}|\ud800-\udfff]`,
  String.raw`\\[dDwWsSbBtnrfv\\^$.*+?()[\]{}|/]`,
  // RE2 takes a hyphen only in a range, or first or last.
  String.raw`\[\^?-?(?:${member}(?:-${member})?)+-?\]`,
  String.raw`\((?:(?!\?)|\?:)`,
  '[)|^$.*+?]',
  String.raw`\{\d{1,4}(?:,\d{0,4})?\}`,
].join('|');
// No text can be split into these parts in two ways, so looking for a split takes linear time.
const plain = new RegExp(`^(?:${part}){0,1000}$`);

/** RE2's own limit, for counted repeats within one another. */
const mostRepeats = 1000;

/**
 * The number of capture groups of an expression that RE2 certainly accepts; undefined if only RE2 can tell. Whether groups
 * are closed and repeats have something to repeat, the platform's own parser knows.
 */
export function countPlainGroups(source: string): number | undefined {
  const rest = source.replace(flags, '');
  if (!plain.test(rest)) return undefined;
  const repeats = [...rest.matchAll(/\{(\d+),?(\d*)/g)].map(([, least, most]) => Math.max(1, Number(most || least)));
  if (repeats.reduce((product, count) => product * count, 1) > mostRepeats) return undefined;
  try {
    // An empty alternative matches, so that the result tells the number of groups.
    return (new RegExp(`${rest}|`, 'u').exec('')?.length ?? 1) - 1;
  } catch {
    return undefined;
  }
}
