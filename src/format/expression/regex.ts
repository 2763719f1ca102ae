import { RE2JS } from 're2js';
import { createEvaluationError, type EvaluationError } from '../model/errors.ts';
import { addTextWork, addWork } from './counted-work.ts';
import { type CompileFailure, defaultLimits, formatSteps, formatThrownReason } from './evaluation-limits.ts';
import { countPlainGroups, findRequiredLiterals, type RequiredLiterals } from './plain-regex.ts';

export interface RegexMatch {
  readonly from: number;
  readonly to: number;
  /** The first capture group, if it took part in the match. */
  readonly group?: string;
}

/** A compiled RE2 expression. A search that would take too many steps gives an error instead of hanging. */
export interface Regex {
  readonly groupCount: number;
  test(text: string, withinSteps?: number): boolean | EvaluationError;
  find(text: string, withinSteps?: number): RegexMatch | undefined | EvaluationError;
  /** Every match that is not empty, from left to right. */
  findAll(text: string): readonly RegexMatch[] | EvaluationError;
}

/** RE2 takes at most program size × text length steps. Up to this number they are not counted. */
const uncountedSteps = 1_000_000;
const maximumLength = 16_384;

export function compileRegex(source: string, expressionSteps = defaultLimits.expressionSteps): Regex | CompileFailure {
  if (source.length > maximumLength) return { failure: `expression is longer than ${maximumLength} characters` };
  let compiled: RE2JS | undefined;
  const re2 = (): RE2JS => {
    compiled ??= RE2JS.compile(source);
    return compiled;
  };
  let counting: CountingRegex | undefined;
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
    addTextWork(text.length);
    return filter(text);
  };
  /** Tests for a match before it locates one: most texts do not match, and the test is much faster. */
  function search<T>(text: string, steps: number, nothing: T, locate: (compiled: RE2JS, text: string) => T) {
    if (!mayMatch(text)) return nothing;
    const run = (compiled: RE2JS): T => (compiled.test(text) ? locate(compiled, text) : nothing);
    if (re2().programSize() * text.length <= uncountedSteps) {
      addWork(text.length);
      return run(re2());
    }
    counting ??= createCountingRegex(source);
    const result = counting.run(steps - text.length, run);
    addWork(text.length);
    return result === 'exceeded' ? createExcessError(steps, text) : result.found;
  }
  return {
    groupCount,
    test: (text, withinSteps = expressionSteps) => search(text, withinSteps, false, () => true),
    find: (text, withinSteps = expressionSteps) =>
      search<RegexMatch | undefined>(text, withinSteps, undefined, findMatch),
    findAll: (text) => search<readonly RegexMatch[]>(text, expressionSteps, [], findAll),
  };
}

interface CountingRegex {
  run<T>(steps: number, search: (compiled: RE2JS) => T): { readonly found: T } | 'exceeded';
}

/** The parts of the library's compiled expression that counting needs. Its version is pinned, and tests show that it counts. */
interface RegexInternals {
  readonly re2Input: {
    readonly prog: { inst: Instruction[] };
    readonly dfa: { clearCache(): void };
  };
}

interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: Int32Array;
  readonly next: unknown;
}

class TooManySteps extends Error {}

let visits = 0;
let mostVisits = 0;

/** An instruction that counts how often an engine looks at it: the only work that can exceed the length of the text. */
class CountingInstruction {
  readonly kind: number;
  out: number;
  arg: number;
  runes: Int32Array;
  next: unknown;

  constructor({ op, out, arg, runes, next }: Instruction) {
    this.kind = op;
    this.out = out;
    this.arg = arg;
    this.runes = runes;
    this.next = next;
  }

  get op(): number {
    if (++visits > mostVisits) throw new TooManySteps();
    return this.kind;
  }
}

/** Compiles an expression whose steps are counted, for texts that are long enough to matter. */
function createCountingRegex(source: string): CountingRegex {
  const compiled = RE2JS.compile(source);
  const { re2Input } = compiled as unknown as RegexInternals;
  const { prog } = re2Input;
  const [first] = prog.inst;
  // The library's methods of instructions stay available.
  if (first !== undefined && Object.getPrototypeOf(CountingInstruction.prototype) === Object.prototype)
    Object.setPrototypeOf(CountingInstruction.prototype, Object.getPrototypeOf(first));
  mostVisits = Number.POSITIVE_INFINITY;
  prog.inst = prog.inst.map((instruction) => new CountingInstruction(instruction));
  re2Input.dfa.clearCache();
  return {
    run(steps, search) {
      // What earlier searches left in the cache would change the count.
      re2Input.dfa.clearCache();
      visits = 0;
      mostVisits = steps;
      try {
        return { found: search(compiled) };
      } catch (thrown) {
        if (thrown instanceof TooManySteps) return 'exceeded';
        throw thrown;
      } finally {
        addWork(visits);
      }
    },
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

function createExcessError(steps: number, text: string): EvaluationError {
  return createEvaluationError(
    'regex_timeout',
    `regular expression takes more than ${formatSteps(steps)} steps on ${text.length} characters`,
  );
}
