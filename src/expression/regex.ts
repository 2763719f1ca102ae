import { RE2JS } from 're2js';
import { type EvaluationError, evaluationError } from '../model/errors.ts';
import { type CompileFailure, defaultLimits, reasonOf } from './limits.ts';
import { requiredLiterals } from './required-literals.ts';

export interface RegexMatch {
  readonly from: number;
  readonly to: number;
  /** The first capture group, where it took part in the match. */
  readonly group?: string;
}

/** A compiled RE2 expression; a search that would take too long is an error, never a hang. */
export interface Regex {
  readonly groupCount: number;
  test(text: string): boolean | EvaluationError;
  find(text: string): RegexMatch | undefined | EvaluationError;
  /** Every match that has a length, from left to right. */
  findAll(text: string): readonly RegexMatch[] | EvaluationError;
}

/** RE2's worst case is program size × text length steps. Most searches are far below and run unmeasured. */
const stepsPerMs = 50_000;
const firstProbe = 4_096;
const maximumLength = 16_384;

export function compileRegex(
  source: string,
  expressionMs = defaultLimits.expressionMs,
): Regex | CompileFailure {
  if (source.length > maximumLength)
    return { failure: `expression is longer than ${maximumLength} characters` };
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (thrown) {
    return { failure: reasonOf(thrown).replace('error parsing regexp: ', '') };
  }
  const size = compiled.programSize();
  let filter: ((text: string) => boolean) | undefined;
  const mayMatch = (text: string): boolean => {
    filter ??= literalFilter(source);
    return filter(text);
  };
  const unmeasuredSteps = expressionMs * stepsPerMs;
  const test = (text: string): boolean | EvaluationError => {
    if (!mayMatch(text)) return false;
    return size * text.length <= unmeasuredSteps
      ? compiled.test(text)
      : probeThenTest(compiled, text, Math.max(firstProbe, Math.floor(unmeasuredSteps / size)), expressionMs);
  };
  return {
    groupCount: compiled.groupCount(),
    test,
    find(text) {
      const found = test(text);
      if (found !== true) return found === false ? undefined : found;
      // Captures take the slow engine over the whole text, and no probe tells how long in advance.
      return size * text.length <= unmeasuredSteps ? find(compiled, text) : timeout(expressionMs, text);
    },
    findAll(text) {
      const found = test(text);
      if (found !== true) return found === false ? [] : found;
      return size * text.length <= unmeasuredSteps ? findAll(compiled, text) : timeout(expressionMs, text);
    },
  };
}

/**
 * Whether a text has any of the literals that a match needs. An alternation of literals is linear in the
 * platform's engine; the `u` flag makes it fold case as RE2 does (`k` and the Kelvin sign).
 */
function literalFilter(source: string): (text: string) => boolean {
  const required = requiredLiterals(source);
  if (required === undefined) return () => true;
  const [only] = required.texts;
  if (required.texts.length === 1 && only !== undefined && !required.ignoreCase)
    return (text) => text.includes(only);
  const alternatives = required.texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const filter = new RegExp(alternatives, required.ignoreCase ? 'iu' : '');
  return (text) => filter.test(text);
}

function find(compiled: RE2JS, text: string): RegexMatch | undefined {
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

/**
 * A search cannot be interrupted, but it is linear: each probe is twice as long as the one before, so a
 * probe that used up half the time says that the whole text would use up more than all of it.
 */
function probeThenTest(
  compiled: RE2JS,
  text: string,
  first: number,
  milliseconds: number,
): boolean | EvaluationError {
  for (let length = first; length < text.length; length *= 2) {
    const start = Date.now();
    compiled.test(text.slice(0, length));
    if (Date.now() - start > milliseconds / 2) return timeout(milliseconds, text);
  }
  return compiled.test(text);
}

function timeout(milliseconds: number, text: string): EvaluationError {
  return evaluationError(
    'regex_timeout',
    `regular expression needs more than ${milliseconds} ms on ${text.length} characters`,
  );
}
