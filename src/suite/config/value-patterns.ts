// Formats and words that flags, environment variables and files share.

/** The agent name for clients that connect by themselves. */
export const externalAgent = 'external';

/** A rate, such as 2/s. */
export const ratePattern = /^(\d{1,6}(?:\.\d{1,3})?)\/([smh])$/;

/** The same as a JSON Schema pattern; the rate must be above zero. */
export const ratePatternText = '^(?=[0-9.]*[1-9])[0-9]{1,6}(\\.[0-9]{1,3})?/[smh]$';

/** Reads a share from 0 to 1, such as 0.05 or 5%. */
export function shareFrom(text: string): number | undefined {
  const [, number, percent] = /^(\d{1,3}(?:\.\d{1,9})?|\.\d{1,9})( ?%)?$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  const share = percent === undefined ? Number(number) : Number(number) / 100;
  return share <= 1 ? share : undefined;
}

const decimals = '(\\.[0-9]{1,9})?';
const none = '(\\.0{1,9})?';
/** The same as a JSON Schema pattern: at most 1, or at most 100 %. */
export const sharePatternText = `^(0{1,3}${decimals}|0{0,2}1${none}|\\.[0-9]{1,9}|([0-9]{1,2}${decimals}|0[0-9]{2}${decimals}|100${none}|\\.[0-9]{1,9}) ?%)$`;

/** The limit for numbers of runs, repeats and retries. */
export const mostRuns = 100_000;

/** The highest seed: seeds have 32 bits. */
export const mostSeed = 2 ** 32 - 1;

/** The beginning of an http URL; the scheme may be in capitals. */
export const httpUrlPattern = '^[hH][tT][tT][pP][sS]?://[^\\s/?#\\\\]';

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && new RegExp(httpUrlPattern).test(text);
}
