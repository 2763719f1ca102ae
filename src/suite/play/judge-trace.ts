import type { Usage } from '../../agents/adapters/agent-under-test.ts';
import { includedViews } from '../../attack/bindings/included-views.ts';
import { readAllChecks, readTaskChecks } from '../../format/extensions/read-checks.ts';
import { findDocumentMarks } from '../../format/extensions/read-marks.ts';
import type { AttackVerdict } from '../../format/model/attack-verdict.ts';
import type { BindingViews } from '../../format/model/binding-views.ts';
import type { CelEvaluator, SemanticEvaluator } from '../../format/model/extension-points.ts';
import type { NormalizedDocument, NormalizedIndicator } from '../../format/model/normalized.ts';
import type { TraceRecord } from '../../format/model/trace-record.ts';
import { trackDisclosure } from '../../judgement/disclosure/track-disclosure.ts';
import { findDisguised } from '../../judgement/disguise/find-disguised.ts';
import { createJudgedTraceEvaluator } from '../../judgement/evaluate/judged-trace-evaluator.ts';
import {
  createTraceEvaluator,
  type EvaluableDocument,
  type EvaluatedTrace,
  type TraceOptions,
} from '../../judgement/evaluate/trace-evaluator.ts';
import { createJudge, type Judgement } from '../../judgement/judge/judge-run.ts';
import { findRefusal } from '../../judgement/judge/run-outcome.ts';
import type { ExaminedJudge } from '../judging/examined-judge.ts';
import { judgeDisclosure } from '../judging/judge-disclosure.ts';

export interface TraceJudgeOptions extends EvaluationOptions {
  /** How messages are viewed. Default: as the included bindings view them. */
  readonly views?: readonly BindingViews[] | undefined;
  /** Whether the judgement says how the agent refused. Only a suite that may play the benign twin too can use it. */
  readonly tellsRefusal?: boolean | undefined;
}

/** The verdict on a run, and its judgement. */
interface JudgedTrace extends Judgement {
  readonly verdict: AttackVerdict;
  /** The questions and tokens of the semantic judge, if one was asked. */
  readonly judged?: JudgeFacts;
}

export interface TraceJudge {
  add(record: TraceRecord): void;
  noteUnread(reason: string): void;
  finish(): Promise<JudgedTrace>;
}

/**
 * Judges a run, live or stored, semantic judge included. It uses the document as written and the trace as stored, so
 * that both give the same judgement.
 */
export async function judgeTrace(
  document: NormalizedDocument,
  { views = includedViews, tellsRefusal, ...options }: TraceJudgeOptions,
): Promise<TraceJudge> {
  const checks = readAllChecks(document);
  const marks = findDocumentMarks(document) ?? [];
  const evaluation = await createEvaluation({ document, checks }, views, options);
  const disclosure = trackDisclosure(document, views);
  const judge = createJudge(document, views, {
    marks,
    checks: readTaskChecks(document),
    trackDisclosure: () => disclosure,
    ...(tellsRefusal && { refusalOf: findRefusal }),
  });
  return {
    add(record) {
      judge.add(record);
      evaluation.add(record);
    },
    noteUnread: judge.noteUnread,
    finish: () =>
      countExpense(options.judge, evaluation.isAsked, async () => {
        const evaluated = await evaluation.finish();
        const judgement = judge.conclude(evaluated);
        const told = options.judge && (await judgeDisclosure(options.judge, judgement, disclosure.wordsAfterPayload()));
        return { verdict: evaluated.verdict, ...judgement, ...told };
      }),
  };
}

/** The questions and tokens that the judge spent on a run. */
export interface JudgeFacts {
  readonly name: string;
  /** Questions of exams included; a question that was answered before is not asked again. */
  readonly questions: number;
  /** Tokens and cost, if the judge counts them. */
  readonly usage?: Usage | undefined;
}

/** Evaluates a run, with a judge if there is one and the document has semantic indicators. */
export interface Evaluation {
  /** Whether the judge is asked about the messages of the run. */
  readonly isAsked: boolean;
  add(record: TraceRecord): void;
  finish(): Promise<EvaluatedTrace>;
}

interface EvaluationOptions extends Pick<TraceOptions<SemanticEvaluator>, 'projections' | 'limits'> {
  readonly judge?: ExaminedJudge | undefined;
}

async function createEvaluation(
  evaluable: EvaluableDocument,
  views: readonly BindingViews[],
  { judge, ...options }: EvaluationOptions,
): Promise<Evaluation> {
  const indicators = [...(evaluable.document.attack.indicators ?? []), ...(evaluable.checks ?? [])];
  const all = { ...options, findDisguised, cel: await loadCelEvaluator(indicators) };
  if (judge === undefined || !indicators.some(({ semantic }) => semantic !== undefined)) {
    const evaluator = createTraceEvaluator(evaluable, views, all);
    return { isAsked: false, add: evaluator.add, finish: async () => evaluator.finish() };
  }
  const evaluator = createJudgedTraceEvaluator(evaluable, views, all);
  return { isAsked: true, add: evaluator.add, finish: () => evaluator.finish(judge.ask, judge.name) };
}

/** Runs are judged one after the other, so that the cost of each is known. `isTold` names the judge whatever was asked. */
function countExpense<T extends object>(
  judge: ExaminedJudge | undefined,
  isTold: boolean,
  work: () => Promise<T>,
): Promise<T & { readonly judged?: JudgeFacts }> {
  if (judge === undefined) return work();
  return judge.inTurn(async () => {
    const before = judge.spent();
    const result = await work();
    const { questions, usage } = judge.spent();
    const asked = questions - before.questions;
    if (asked === 0 && !isTold) return result;
    const spent = usage !== undefined && { usage: subtractUsage(before.usage, usage) };
    return { ...result, judged: { name: judge.name, questions: asked, ...spent } };
  });
}

function subtractUsage(before: Usage | undefined, { inputTokens, outputTokens, cost }: Usage): Usage {
  return {
    inputTokens: inputTokens - (before?.inputTokens ?? 0),
    outputTokens: outputTokens - (before?.outputTokens ?? 0),
    ...(cost !== undefined && { cost: Number((cost - (before?.cost ?? 0)).toPrecision(12)) }),
  };
}

/** CEL takes long to load. Most documents have no expressions and need not wait for it before the first answer. */
async function loadCelEvaluator(indicators: readonly NormalizedIndicator[]): Promise<CelEvaluator | null> {
  if (!indicators.some(({ expression }) => expression !== undefined)) return null;
  return (await import('../../judgement/evaluate/cel-evaluator.ts')).createCelEvaluator();
}
