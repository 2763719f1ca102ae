import { CelScalar, celEnv, celFunc, isCelError, plan } from '@bufbuild/cel';
import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { createEvaluationError, type EvaluationError, isEvaluationError } from '../model/errors.ts';
import { readMonotonicMs } from '../model/monotonic.ts';
import type { Value, ValueMap } from '../model/value.ts';
import { createBoundedFunctions, createMeter, type Meter } from './cel-functions.ts';
import { type CompileFailure, defaultLimits, formatThrownReason } from './evaluation-limits.ts';
import { fromCelResult, toCelView } from './json-view.ts';
import { listSubexpressions, parseCel } from './parse-cel.ts';
import { compileRegex, type Regex } from './regex.ts';

export type CelProgram = (context: ValueMap) => Value | EvaluationError;

const deadlineFunction = '@within_deadline';

export function compileCel(source: string, expressionMs = defaultLimits.expressionMs): CelProgram | CompileFailure {
  const parsed = parseCel(source);
  if ('failure' in parsed) return parsed;
  const clock = createDeadlineClock(expressionMs);
  const meter = createMeter(() => clock.check());
  const run = planWithinLimits(parsed.expr, clock, meter);
  return (context) => {
    clock.restart();
    meter.restart();
    try {
      return toOutcome(run(createViews(context)), clock);
    } catch (thrown) {
      return toCelError(formatThrownReason(thrown), clock);
    }
  };
}

function planWithinLimits(expr: Expr, clock: DeadlineClock, meter: Meter) {
  guardLoops(expr);
  const regexes = new Map<string, Regex>();
  const matches = (text: string, pattern: string): boolean => {
    const found = searchWith(regexes, pattern, clock.milliseconds, text);
    if (isEvaluationError(found)) clock.expire();
    return found === true;
  };
  const { STRING, BOOL } = CelScalar;
  const env = celEnv({
    funcs: [
      ...createBoundedFunctions(meter),
      celFunc(deadlineFunction, [], BOOL, () => clock.check()),
      celFunc('matches', [STRING, STRING], BOOL, matches),
    ],
    re2: { compile: (pattern) => ({ test: (text) => matches(text, pattern) }) },
  });
  return plan(env, expr);
}

function createViews(context: ValueMap) {
  // Without a prototype, `constructor` is an undeclared name like any other.
  const views: Record<string, ReturnType<typeof toCelView>> = Object.create(null);
  for (const [name, value] of Object.entries(context)) views[name] = toCelView(value);
  return views;
}

function searchWith(
  cache: Map<string, Regex>,
  pattern: string,
  milliseconds: number,
  text: string,
): boolean | EvaluationError {
  let regex = cache.get(pattern);
  if (regex === undefined) {
    const compiled = compileRegex(pattern, milliseconds);
    if ('failure' in compiled) throw new Error(compiled.failure);
    // An expression can compute a pattern from the message, so the cache must not grow with the messages.
    if (cache.size >= 64) cache.clear();
    cache.set(pattern, compiled);
    regex = compiled;
  }
  return regex.test(text);
}

interface DeadlineClock {
  readonly milliseconds: number;
  readonly expired: boolean;
  restart(): void;
  check(): boolean;
  expire(): void;
}

function createDeadlineClock(milliseconds: number): DeadlineClock {
  let deadline = 0;
  let expired = false;
  return {
    milliseconds,
    get expired() {
      return expired;
    },
    restart() {
      deadline = readMonotonicMs() + milliseconds;
      expired = false;
    },
    check() {
      expired ||= readMonotonicMs() > deadline;
      if (expired) throw new Error('out of time');
      return true;
    },
    expire() {
      expired = true;
    },
  };
}

/**
 * CEL's only loops are comprehensions. This makes each loop condition check the clock too: an error there ends the loop at
 * once, while an error in the loop's step would only become its result.
 */
function guardLoops(expr: Expr): void {
  for (const part of listSubexpressions(expr)) guardLoops(part);
  if (expr.exprKind.case !== 'comprehensionExpr') return;
  const loop = expr.exprKind.value;
  if (loop.loopCondition !== undefined)
    loop.loopCondition = callExpr('_&&_', [loop.loopCondition, callExpr(deadlineFunction, [])]);
}

function callExpr(name: string, args: Expr[]): Expr {
  return {
    $typeName: 'cel.expr.Expr',
    id: 0n,
    exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } },
  };
}

function toOutcome(result: unknown, clock: DeadlineClock): Value | EvaluationError {
  if (isCelError(result)) return toCelError(formatThrownReason(result), clock);
  // An exists() that found its match after the deadline still ran out of time.
  if (clock.expired) return toCelError('out of time', clock);
  const value = fromCelResult(result);
  if (value === undefined)
    return createEvaluationError('type_error', 'expression gives a value that JSON does not have');
  // A message can look like one of our errors. A map would be no valid result anyway, since it is not a boolean.
  return isEvaluationError(value) ? createEvaluationError('type_error', 'expression gives a map') : value;
}

// The library distinguishes its errors only by their text. Its version is pinned, and tests check these texts.
const missingField = /^(field not found|index .+ out of bounds)/;
const unknownFunction = /^unbound function/;

function toCelError(reason: string, clock: DeadlineClock): EvaluationError {
  if (clock.expired) return createEvaluationError('cel_error', `expression took longer than ${clock.milliseconds} ms`);
  if (unknownFunction.test(reason)) return createEvaluationError('unsupported_method', reason);
  const error = createEvaluationError('cel_error', reason);
  return missingField.test(reason) ? { ...error, missingField: true } : error;
}
