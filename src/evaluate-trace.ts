import { includedViews } from './bindings/included.ts';
import { createCelEvaluator } from './evaluate/cel-evaluator.ts';
import { createAsyncTraceEvaluator, createTraceEvaluator, type TraceOptions } from './evaluate/trace.ts';
import { defaultLimits } from './expression/limits.ts';
import { createJudge, type Judgement, type JudgeOptions } from './judge/judge.ts';
import { marksOf } from './marks/read-marks.ts';
import { taskOf } from './marks/read-task.ts';
import type { AsyncSemanticEvaluator, CelEvaluator, SemanticEvaluator } from './model/extension-points.ts';
import type { NormalizedDocument } from './model/normalized.ts';
import type { DeliveryDemand, TraceRecord } from './model/trace.ts';
import type { AttackVerdict } from './model/verdict.ts';
import type { BindingViews } from './model/views.ts';

/** How a trace is evaluated, and with which views of its messages. */
export interface EvaluateTraceOptions<Semantic = SemanticEvaluator>
  extends Omit<TraceOptions<Semantic>, 'cel'> {
  /** The CEL evaluator. Default: the built-in one. If null, expressions are skipped. */
  readonly cel?: CelEvaluator | null | undefined;
  /** Views of further bindings, besides the included ones. */
  readonly bindings?: readonly BindingViews[] | undefined;
  /** How much must have reached the agent. Default: the demand that the trace names. */
  readonly demand?: DeliveryDemand | undefined;
}

/** The spec's verdict on a run, with its delivery, coverage, outcome and user's task. */
export interface TraceEvaluation extends Judgement {
  readonly verdict: AttackVerdict;
}

/** Judges a run record by record. */
export interface TraceEvaluator {
  add(record: TraceRecord): void;
  finish(): TraceEvaluation;
}

/** A `TraceEvaluator` whose semantic evaluator may answer with a promise. */
export interface AsyncTraceEvaluator {
  add(record: TraceRecord): Promise<void>;
  finish(): Promise<TraceEvaluation>;
}

function viewsOf<Semantic>({ bindings = [] }: EvaluateTraceOptions<Semantic>): readonly BindingViews[] {
  return [...includedViews, ...bindings.filter((view) => !includedViews.includes(view))];
}

function withCel<Semantic>(options: EvaluateTraceOptions<Semantic>): TraceOptions<Semantic> {
  const { expressionMs } = { ...defaultLimits, ...options.limits };
  return { ...options, cel: options.cel === undefined ? createCelEvaluator(expressionMs) : options.cel };
}

function judgedBy<Semantic>(
  document: NormalizedDocument,
  { demand }: EvaluateTraceOptions<Semantic>,
): JudgeOptions {
  return { marks: marksOf(document) ?? [], checks: taskOf(document), demand };
}

/** Evaluates a whole recorded run: its verdict, delivery and outcome. */
export function evaluateTrace(
  document: NormalizedDocument,
  records: Iterable<TraceRecord>,
  options: EvaluateTraceOptions = {},
): TraceEvaluation {
  const evaluator = traceEvaluator(document, options);
  for (const record of records) evaluator.add(record);
  return evaluator.finish();
}

/** The incremental version of `evaluateTrace`. */
export function traceEvaluator(
  document: NormalizedDocument,
  options: EvaluateTraceOptions = {},
): TraceEvaluator {
  const views = viewsOf(options);
  const checks = taskOf(document);
  const evaluator = createTraceEvaluator({ document, checks }, views, withCel(options));
  const judge = createJudge(document, views, judgedBy(document, options));
  return {
    add(record) {
      judge.add(record);
      evaluator.add(record);
    },
    finish() {
      const evaluated = evaluator.finish();
      return { verdict: evaluated.verdict, ...judge.conclude(evaluated) };
    },
  };
}

/** Works like `evaluateTrace`, for records that arrive over time and semantic evaluators that answer with a promise. */
export async function evaluateTraceAsync(
  document: NormalizedDocument,
  records: Iterable<TraceRecord> | AsyncIterable<TraceRecord>,
  options: EvaluateTraceOptions<AsyncSemanticEvaluator> = {},
): Promise<TraceEvaluation> {
  const evaluator = asyncTraceEvaluator(document, options);
  for await (const record of records) await evaluator.add(record);
  return evaluator.finish();
}

/** The incremental version of `evaluateTraceAsync`. */
export function asyncTraceEvaluator(
  document: NormalizedDocument,
  options: EvaluateTraceOptions<AsyncSemanticEvaluator> = {},
): AsyncTraceEvaluator {
  const views = viewsOf(options);
  const checks = taskOf(document);
  const evaluator = createAsyncTraceEvaluator({ document, checks }, views, withCel(options));
  const judge = createJudge(document, views, judgedBy(document, options));
  return {
    async add(record) {
      judge.add(record);
      await evaluator.add(record);
    },
    async finish() {
      const evaluated = await evaluator.finish();
      return { verdict: evaluated.verdict, ...judge.conclude(evaluated) };
    },
  };
}
