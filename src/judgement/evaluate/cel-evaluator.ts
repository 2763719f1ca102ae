import { type CelProgram, compileCel } from '../../format/expression/cel.ts';
import { defaultLimits, isCompileFailure } from '../../format/expression/evaluation-limits.ts';
import { createEvaluationError, type EvaluationError } from '../../format/model/errors.ts';
import type { CelEvaluator } from '../../format/model/extension-points.ts';

const maximumPrograms = 1_000;

/** Makes the default CEL evaluator: standard functions, bounded work, each expression compiled once. */
export function createCelEvaluator(expressionSteps: number = defaultLimits.expressionSteps): CelEvaluator {
  const programs = new Map<string, CelProgram | EvaluationError>();
  return {
    evaluate(expression, context) {
      let program = programs.get(expression);
      if (program === undefined) {
        const compiled = compileCel(expression, expressionSteps);
        program = isCompileFailure(compiled) ? createEvaluationError('cel_error', compiled.failure) : compiled;
        if (programs.size >= maximumPrograms) programs.clear();
        programs.set(expression, program);
      }
      return typeof program === 'function' ? program(context) : program;
    },
  };
}
