import { includedViews } from './bindings/included.ts';
import { createCelEvaluator } from './evaluate/cel-evaluator.ts';
import {
  type AsyncTraceEvaluator,
  createAsyncTraceEvaluator,
  createTraceEvaluator,
  type TraceEvaluation,
  type TraceEvaluator,
  type TraceOptions,
} from './evaluate/trace.ts';
import { defaultLimits } from './expression/limits.ts';
import type { AsyncSemanticEvaluator, CelEvaluator, SemanticEvaluator } from './model/extension-points.ts';
import type { NormalizedDocument } from './model/normalized.ts';
import type { TraceRecord } from './model/trace.ts';
import type { BindingViews } from './model/views.ts';

/** How a trace is evaluated, and with which views of its messages. */
export interface EvaluateTraceOptions<Semantic = SemanticEvaluator>
  extends Omit<TraceOptions<Semantic>, 'cel'> {
  /** The default evaluator if left out; `null` for none, which skips expressions. */
  readonly cel?: CelEvaluator | null | undefined;
  /** Views of bindings beside the included ones. */
  readonly bindings?: readonly BindingViews[] | undefined;
}

function viewsOf<Semantic>({ bindings = [] }: EvaluateTraceOptions<Semantic>): readonly BindingViews[] {
  return [...includedViews, ...bindings];
}

function withCel<Semantic>(options: EvaluateTraceOptions<Semantic>): TraceOptions<Semantic> {
  const { expressionMs } = { ...defaultLimits, ...options.limits };
  return { ...options, cel: options.cel === undefined ? createCelEvaluator(expressionMs) : options.cel };
}

/** The verdict of a whole recorded run, with delivery and outcome. */
export function evaluateTrace(
  document: NormalizedDocument,
  records: Iterable<TraceRecord>,
  options: EvaluateTraceOptions = {},
): TraceEvaluation {
  const evaluator = traceEvaluator(document, options);
  for (const record of records) evaluator.add(record);
  return evaluator.finish();
}

/** The incremental twin of `evaluateTrace`. */
export function traceEvaluator(
  document: NormalizedDocument,
  options: EvaluateTraceOptions = {},
): TraceEvaluator {
  return createTraceEvaluator(document, viewsOf(options), withCel(options));
}

/** `evaluateTrace` for records that arrive over time, and semantic evaluators that have to wait. */
export async function evaluateTraceAsync(
  document: NormalizedDocument,
  records: Iterable<TraceRecord> | AsyncIterable<TraceRecord>,
  options: EvaluateTraceOptions<AsyncSemanticEvaluator> = {},
): Promise<TraceEvaluation> {
  const evaluator = asyncTraceEvaluator(document, options);
  for await (const record of records) await evaluator.add(record);
  return evaluator.finish();
}

/** The incremental twin of `evaluateTraceAsync`. */
export function asyncTraceEvaluator(
  document: NormalizedDocument,
  options: EvaluateTraceOptions<AsyncSemanticEvaluator> = {},
): AsyncTraceEvaluator {
  return createAsyncTraceEvaluator(document, viewsOf(options), withCel(options));
}
