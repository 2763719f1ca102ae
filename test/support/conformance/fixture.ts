import { isDeepStrictEqual } from 'node:util';
import * as oatf from '../../../src/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: fixtures are data from outside
export type Fixture = any;

export interface CheckOptions {
  /**
   * Public fixtures name the least that must be reported. Ours name all of it, so that an expectation which is left
   * out shows.
   */
  readonly exact?: boolean;
}

/** The expected and the actual result; undefined if the case passed. */
export type Failure = string | undefined;

/** The actual result of a case, whether or not it was expected. */
export interface Check<Observed> {
  observe(fixture: Fixture, file: string): Observed;
  judge(observed: Observed, fixture: Fixture, file: string, options: CheckOptions): Failure;
}

export function documentOf(text: string): oatf.Document {
  const parsed = oatf.parse(text);
  if (!parsed.ok) throw new Error(`does not parse: ${shown(parsed.errors)}`);
  return parsed.document;
}

export function difference(expected: unknown, actual: unknown): Failure {
  return isDeepStrictEqual(plain(expected), plain(actual))
    ? undefined
    : `expected ${shown(expected)}, got ${shown(actual)}`;
}

/** Through JSON, so that an absent field and an undefined one are the same. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** An empty expectation, or one with a key that is never read, would always pass. */
export function unreadable(expected: Fixture, known: readonly string[]): Failure {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected))
    return `\`expected\` must be a mapping, found ${shown(expected)}`;
  const keys = Object.keys(expected);
  if (keys.length === 0) return '`expected` says nothing';
  const unknown = keys.find((key) => !known.includes(key));
  return unknown === undefined ? undefined : `\`expected\` has \`${unknown}\`, which means nothing here`;
}

export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
