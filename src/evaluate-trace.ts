import { includedViews } from './attack/bindings/included-views.ts';
import { defaultLimits } from './format/expression/evaluation-limits.ts';
import { readAllChecks, readTaskChecks } from './format/extensions/read-checks.ts';
import { findDocumentMarks } from './format/extensions/read-marks.ts';
import type { AttackVerdict } from './format/model/attack-verdict.ts';
import type { BindingViews } from './format/model/binding-views.ts';
import type {
  AsyncSemanticEvaluator,
  CelEvaluator,
  SemanticEvaluator,
  TrackDisclosure,
} from './format/model/extension-points.ts';
import type { NormalizedDocument } from './format/model/normalized.ts';
import type { DeliveryDemand, TraceRecord } from './format/model/trace-record.ts';
import { createCelEvaluator } from './judgement/evaluate/cel-evaluator.ts';
import {
  createAsyncTraceEvaluator,
  createTraceEvaluator,
  type TraceOptions,
} from './judgement/evaluate/trace-evaluator.ts';
import { createJudge, type Judgement, type JudgeOptions } from './judgement/judge/judge-run.ts';

/** How a trace is evaluated, and with which views of its messages. */
export interface EvaluateTraceOptions<Semantic = SemanticEvaluator> extends Omit<TraceOptions<Semantic>, 'cel'> {
  /** The CEL evaluator. Default: the built-in one. If null, expressions are skipped. */
  readonly cel?: CelEvaluator | null | undefined;
  /** Views of further bindings, besides the included ones. */
  readonly bindings?: readonly BindingViews[] | undefined;
  /** How much must have reached the agent. Default: the demand that the trace names. */
  readonly demand?: DeliveryDemand | undefined;
  /** Decides whether the agent told its user of the attack; `trackDisclosure` of `oatf/runtime` does. Default: not asked. */
  readonly trackDisclosure?: TrackDisclosure | undefined;
}

/** The spec's verdict on a run, with its delivery, coverage, outcome and user's task. */
export interface TraceEvaluation extends Judgement {
  readonly verdict: AttackVerdict;
}

/** Judges a run record by record. */
export interface TraceEvaluator {
  add(record: TraceRecord): void;
  /** Notes a part of the trace that could not be read. What it held is not known, so the run cannot be `resisted`. */
  noteUnread(reason: string): void;
  finish(): TraceEvaluation;
}

function listBindingViews<Semantic>({ bindings = [] }: EvaluateTraceOptions<Semantic>): readonly BindingViews[] {
  return [...includedViews, ...bindings.filter((view) => !includedViews.includes(view))];
}

function addDefaultCel<Semantic>(options: EvaluateTraceOptions<Semantic>): TraceOptions<Semantic> {
  const { expressionSteps } = { ...defaultLimits, ...options.limits };
  return { ...options, cel: options.cel === undefined ? createCelEvaluator(expressionSteps) : options.cel };
}

function createJudgeOptions<Semantic>(
  document: NormalizedDocument,
  { demand, trackDisclosure }: EvaluateTraceOptions<Semantic>,
): JudgeOptions {
  return { marks: findDocumentMarks(document) ?? [], checks: readTaskChecks(document), demand, trackDisclosure };
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
export function traceEvaluator(document: NormalizedDocument, options: EvaluateTraceOptions = {}): TraceEvaluator {
  const views = listBindingViews(options);
  const checks = readAllChecks(document);
  const evaluator = createTraceEvaluator({ document, checks }, views, addDefaultCel(options));
  const judge = createJudge(document, views, createJudgeOptions(document, options));
  return {
    add(record) {
      judge.add(record);
      evaluator.add(record);
    },
    noteUnread: judge.noteUnread,
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
  const views = listBindingViews(options);
  const checks = readAllChecks(document);
  const evaluator = createAsyncTraceEvaluator({ document, checks }, views, addDefaultCel(options));
  const judge = createJudge(document, views, createJudgeOptions(document, options));
  for await (const record of records) {
    judge.add(record);
    await evaluator.add(record);
  }
  const evaluated = await evaluator.finish();
  return { verdict: evaluated.verdict, ...judge.conclude(evaluated) };
}
