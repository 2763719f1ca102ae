import { RE2JS } from 're2js';
import { createEvaluationError, type EvaluationError } from '../model/errors.ts';
import { readMonotonicMs } from '../model/monotonic.ts';
import { type CompileFailure, defaultLimits, formatThrownReason } from './evaluation-limits.ts';
import { countPlainGroups, findRequiredLiterals, type RequiredLiterals } from './plain-regex.ts';

export interface RegexMatch {
  readonly from: number;
  readonly to: number;
  /** The first capture group, if it took part in the match. */
  readonly group?: string;
}

/** A compiled RE2 expression. A search that runs out of time gives an error instead of hanging. */
export interface Regex {
  readonly groupCount: number;
  test(text: string, withinMs?: number): boolean | EvaluationError;
  find(text: string, withinMs?: number): RegexMatch | undefined | EvaluationError;
  /** Every match that is not empty, from left to right. */
  findAll(text: string): readonly RegexMatch[] | EvaluationError;
}

/** RE2 takes at most program size × text length steps. Below this number (about 20 ms) the clock is not checked. */
const unmeasuredSteps = 1_000_000;
const maximumLength = 16_384;

export function compileRegex(source: string, expressionMs = defaultLimits.expressionMs): Regex | CompileFailure {
  if (source.length > maximumLength) return { failure: `expression is longer than ${maximumLength} characters` };
  let compiled: RE2JS | undefined;
  const re2 = (): RE2JS => {
    compiled ??= RE2JS.compile(source);
    return compiled;
  };
  const plain = countPlainGroups(source);
  let groupCount: number;
  try {
    groupCount = plain ?? re2().groupCount();
  } catch (thrown) {
    return { failure: formatThrownReason(thrown).replace('error parsing regexp: ', '') };
  }
  let filter: ((text: string) => boolean) | undefined;
  const mayMatch = (text: string): boolean => {
    filter ??= createLiteralFilter(plain === undefined ? undefined : findRequiredLiterals(source));
    return filter(text);
  };
  /** Tests for a match before it locates one: most texts do not match, and the test is much faster. */
  function search<T>(text: string, milliseconds: number, nothing: T, locate: (compiled: RE2JS, text: string) => T) {
    if (!mayMatch(text)) return nothing;
    const compiled = re2();
    const isShort = compiled.programSize() * text.length <= unmeasuredSteps;
    const read = isShort ? text : wrapTimedText(text, readMonotonicMs() + milliseconds);
    try {
      return compiled.test(read) ? locate(compiled, read) : nothing;
    } catch (thrown) {
      if (thrown instanceof OutOfTime) return createTimeoutError(milliseconds, text);
      throw thrown;
    }
  }
  return {
    groupCount,
    test: (text, withinMs = expressionMs) => search(text, withinMs, false, () => true),
    find: (text, withinMs = expressionMs) => search<RegexMatch | undefined>(text, withinMs, undefined, findMatch),
    findAll: (text) => search<readonly RegexMatch[]>(text, expressionMs, [], findAll),
  };
}

/**
 * Whether a text contains any of the literals that a match needs. The platform's engine handles an alternation of literals
 * in linear time. The `u` flag makes it fold case as RE2 does (`k` and the Kelvin sign).
 */
function createLiteralFilter(required: RequiredLiterals | undefined): (text: string) => boolean {
  if (required === undefined) return () => true;
  const [only] = required.texts;
  if (required.texts.length === 1 && only !== undefined && !required.ignoreCase) return (text) => text.includes(only);
  const alternatives = required.texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const filter = new RegExp(alternatives, required.ignoreCase ? 'iu' : '');
  return (text) => filter.test(text);
}

function findMatch(compiled: RE2JS, text: string): RegexMatch | undefined {
  const matcher = compiled.matcher(text);
  if (!matcher.find()) return undefined;
  const group = matcher.groupCount() > 0 ? matcher.group(1) : null;
  const span = { from: matcher.start(), to: matcher.end() };
  return group === null ? span : { ...span, group };
}

function findAll(compiled: RE2JS, text: string): readonly RegexMatch[] {
  const matcher = compiled.matcher(text);
  const matches: RegexMatch[] = [];
  while (matcher.find())
    if (matcher.start() < matcher.end()) matches.push({ from: matcher.start(), to: matcher.end() });
  return matches;
}

function createTimeoutError(milliseconds: number, text: string): EvaluationError {
  return createEvaluationError(
    'regex_timeout',
    `regular expression took longer than ${Math.round(milliseconds)} ms on ${text.length} characters`,
  );
}

/** Thrown to end a search whose time is up. */
export class OutOfTime extends Error {}

/** The number of reads between two checks of the clock. The slowest expressions take some microseconds per read. */
const readsBetweenLooks = 256;

/**
 * A text that RE2 reads like a string and that ends the search when its time is up. JavaScript cannot interrupt a search
 * from outside, but the search has to read its text.
 */
class TimedText {
  // The library accepts any object that calls itself a string.
  readonly [Symbol.toStringTag] = 'String';
  readonly length: number;
  readonly #text: string;
  readonly #deadline: number;
  #reads = 0;

  constructor(text: string, deadline: number) {
    this.#text = text;
    this.#deadline = deadline;
    this.length = text.length;
  }

  charCodeAt(index: number): number {
    this.#reads += 1;
    if (this.#reads % readsBetweenLooks === 0 && readMonotonicMs() > this.#deadline) throw new OutOfTime();
    return this.#text.charCodeAt(index);
  }

  indexOf(part: string, from: number): number {
    return this.#text.indexOf(part, from);
  }

  substring(from: number, to: number): string {
    return this.#text.substring(from, to);
  }

  toString(): string {
    return this.#text;
  }
}

/** Wraps a text for RE2. Reading it after the deadline throws. */
export function wrapTimedText(text: string, deadline: number): string {
  return new TimedText(text, deadline) as unknown as string;
}
