import { CelScalar, celEnv, celFunc, isCelError, plan } from '@bufbuild/cel';
import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { createEvaluationError, type EvaluationError, isEvaluationError } from '../model/errors.ts';
import type { Value, ValueMap } from '../model/value.ts';
import { createBoundedFunctions, createMeter, type Meter } from './cel-functions.ts';
import { type CompileFailure, defaultLimits, formatSteps, formatThrownReason } from './evaluation-limits.ts';
import { fromCelResult, toCelView } from './json-view.ts';
import { listSubexpressions, parseCel } from './parse-cel.ts';
import { compileRegex, type Regex } from './regex.ts';

export type CelProgram = (context: ValueMap) => Value | EvaluationError;

const countFunction = '@count';
/** Compiling a character of a pattern can take as long as evaluating so many parts of an expression. */
const compilingParts = 100;

export function compileCel(
  source: string,
  expressionSteps = defaultLimits.expressionSteps,
): CelProgram | CompileFailure {
  const parsed = parseCel(source);
  if ('failure' in parsed) return parsed;
  const meter = createMeter(expressionSteps);
  const run = planWithinLimits(parsed.expr, meter, expressionSteps);
  const fail = (reason: string): EvaluationError =>
    meter.isExceeded()
      ? createEvaluationError('cel_error', `expression takes more than ${formatSteps(expressionSteps)} steps`)
      : toCelError(reason);
  return (context) => {
    meter.restart();
    try {
      const result = run(createViews(context));
      if (isCelError(result)) return fail(formatThrownReason(result));
      // An exists() that found its match with too many steps is no result either.
      return meter.isExceeded() ? fail('') : toOutcome(result);
    } catch (thrown) {
      return fail(formatThrownReason(thrown));
    }
  };
}

function planWithinLimits(expr: Expr, meter: Meter, expressionSteps: number) {
  const parts = guardLoops(expr);
  const regexes = new Map<string, Regex>();
  const written = new Set(listTexts(expr));
  const matches = (text: string, pattern: string): boolean => {
    // A pattern that the expression makes from the message is counted each time, compiled before or not.
    if (!written.has(pattern)) meter.count(compilingParts * pattern.length);
    const found = searchWith(regexes, pattern, expressionSteps, text);
    meter.count(1);
    return found === true;
  };
  const { STRING, BOOL, INT } = CelScalar;
  const env = celEnv({
    funcs: [
      ...createBoundedFunctions(meter),
      celFunc(countFunction, [INT], BOOL, (count) => {
        meter.count(Number(count));
        return true;
      }),
      celFunc('matches', [STRING, STRING], BOOL, matches),
    ],
    re2: { compile: (pattern) => ({ test: (text) => matches(text, pattern) }) },
  });
  const run = plan(env, expr);
  return (views: Parameters<typeof run>[0]) => {
    meter.count(parts);
    return run(views);
  };
}

/** The texts that are written in an expression. */
function listTexts(expr: Expr): readonly string[] {
  const constant = expr.exprKind.case === 'constExpr' ? expr.exprKind.value.constantKind : undefined;
  if (constant?.case === 'stringValue') return [constant.value];
  return listSubexpressions(expr).flatMap(listTexts);
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
  steps: number,
  text: string,
): boolean | EvaluationError {
  let regex = cache.get(pattern);
  if (regex === undefined) {
    const compiled = compileRegex(pattern, steps);
    if ('failure' in compiled) throw new Error(compiled.failure);
    // An expression can compute a pattern from the message, so the cache must not grow with the messages.
    if (cache.size >= 64) cache.clear();
    cache.set(pattern, compiled);
    regex = compiled;
  }
  return regex.test(text);
}

/**
 * CEL's only loops are comprehensions. This makes each loop condition count the parts of the loop too: an error there ends
 * the loop at once, while an error in the loop's step would only become its result. Returns the number of parts that are
 * evaluated once.
 */
function guardLoops(expr: Expr): number {
  if (expr.exprKind.case !== 'comprehensionExpr')
    return listSubexpressions(expr).reduce((sum, part) => sum + guardLoops(part), 1);
  const loop = expr.exprKind.value;
  const [once, repeated] = [
    [loop.iterRange, loop.accuInit, loop.result],
    [loop.loopCondition, loop.loopStep],
  ].map((list) => list.reduce((sum, part) => sum + (part === undefined ? 0 : guardLoops(part)), 1));
  const count = constExpr(BigInt(repeated ?? 1));
  if (loop.loopCondition !== undefined)
    loop.loopCondition = callExpr('_&&_', [loop.loopCondition, callExpr(countFunction, [count])]);
  return once ?? 1;
}

function constExpr(value: bigint): Expr {
  return {
    $typeName: 'cel.expr.Expr',
    id: 0n,
    exprKind: {
      case: 'constExpr',
      value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'int64Value', value } },
    },
  };
}

function callExpr(name: string, args: Expr[]): Expr {
  return {
    $typeName: 'cel.expr.Expr',
    id: 0n,
    exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } },
  };
}

function toOutcome(result: unknown): Value | EvaluationError {
  const value = fromCelResult(result);
  if (value === undefined)
    return createEvaluationError('type_error', 'expression gives a value that JSON does not have');
  // A message can look like one of our errors. A map would be no valid result anyway, since it is not a boolean.
  return isEvaluationError(value) ? createEvaluationError('type_error', 'expression gives a map') : value;
}

// The library distinguishes its errors only by their text. Its version is pinned, and tests check these texts.
const missingField = /^(field not found|index .+ out of bounds)/;
const unknownFunction = /^unbound function/;

function toCelError(reason: string): EvaluationError {
  if (unknownFunction.test(reason)) return createEvaluationError('unsupported_method', reason);
  const error = createEvaluationError('cel_error', reason);
  return missingField.test(reason) ? { ...error, missingField: true } : error;
}
