import { findNearest } from '../format/registry/suggestions.ts';

/** Codes that a wrong one may have meant: the same code without dash or zeros, or the nearest in spelling. */
export function findNearestCodes(asked: string, codes: readonly string[]): readonly string[] {
  const [, letter = '', digits] = /^([a-z]?)[-_ ]?0*(\d+)$/i.exec(asked) ?? [];
  if (digits !== undefined) {
    const suffix = `-${digits.padStart(3, '0')}`;
    const same = codes.filter((code) => code.endsWith(suffix) && code.toLowerCase().startsWith(letter.toLowerCase()));
    if (same.length > 0) return same;
    return codes.filter((code) => code.endsWith(suffix));
  }
  const near = findNearest(asked, codes);
  return near === undefined ? [] : [near];
}
