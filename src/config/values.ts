// Texts that flags, variables and files all write in the same way.

/** How often, such as 2/s. */
export const ratePattern = /^(\d{1,6}(?:\.\d{1,3})?)\/([smh])$/;

/** A share from 0 to 1, such as 0.05 or 5%. */
export function shareFrom(text: string): number | undefined {
  const [, number, percent] = /^(\d{1,3}(?:\.\d{1,9})?|\.\d{1,9})( ?%)?$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  const share = percent === undefined ? Number(number) : Number(number) / 100;
  return share <= 1 ? share : undefined;
}

/** How many runs, repeats and the like there can be. */
export const mostRuns = 100_000;

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
