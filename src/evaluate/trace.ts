import { defaultLimits, type EvaluationLimits } from '../expression/limits.ts';
import { type EvaluationError, evaluationError } from '../model/errors.ts';
import type { AsyncSemanticEvaluator, CelEvaluator, SemanticEvaluator } from '../model/extension-points.ts';
import type { NormalizedDocument, NormalizedIndicator } from '../model/normalized.ts';
import { isMessageRecord, type TraceRecord } from '../model/trace.ts';
import type { Value } from '../model/value.ts';
import type { AttackVerdict } from '../model/verdict.ts';
import type { BindingViews, Projection } from '../model/views.ts';
import { messageValue } from '../primitives/message-value.ts';
import { compileIndicator, lackingEvaluator } from './indicator.ts';
import { type MessageView, viewMessage } from './message-view.ts';
import { type Outcome, outOfReach, toVerdict } from './outcome.ts';
import { createProjector, isOffered, projectableTarget } from './projections.ts';
import { trackReach } from './reach.ts';
import { selects } from './select.ts';
import { semanticOutcome, semanticOutcomeAsync } from './semantic.ts';
import { combineVerdicts } from './verdict.ts';

/** How a trace is evaluated. */
export interface TraceOptions<Semantic> {
  /** `null` for none, which skips expressions. */
  readonly cel: CelEvaluator | null;
  readonly semantic?: Semantic | undefined;
  readonly limits?: Partial<EvaluationLimits> | undefined;
  /** On unless set to false. */
  readonly projections?: boolean | undefined;
}

/** What is known of an indicator so far. Only the best outcome is kept, so memory does not grow with the trace. */
interface Track {
  readonly indicator: NormalizedIndicator;
  readonly run: (view: MessageView) => Outcome;
  readonly projectable: string | undefined;
  best: { readonly rank: number; readonly outcome: Outcome } | undefined;
  projected: Outcome | undefined;
  failedProjection: Outcome | undefined;
  /** What it is without the evaluator that it needs. */
  readonly lacking: Outcome | undefined;
}

/** A semantic judgement that is still to be made. */
interface Judgement {
  readonly semantic: NonNullable<NormalizedIndicator['semantic']>;
  readonly message: Value;
  settle(outcome: Outcome): void;
}

/** Judges a run while it happens. */
export interface TraceEvaluator {
  add(record: TraceRecord): void;
  finish(): AttackVerdict;
}

/** The same for a semantic evaluator that has to wait. */
export interface AsyncTraceEvaluator {
  add(record: TraceRecord): Promise<void>;
  finish(): Promise<AttackVerdict>;
}

/** Judges a run record by record; memory stays flat however long it is. */
export function createTraceEvaluator(
  document: NormalizedDocument,
  views: readonly BindingViews[],
  options: TraceOptions<SemanticEvaluator>,
): TraceEvaluator {
  const core = createCore(document, views, options);
  const judge = (judgements: readonly Judgement[]): void => {
    for (const { semantic, message, settle } of judgements)
      if (options.semantic !== undefined) settle(semanticOutcome(semantic, message, options.semantic));
  };
  return {
    add: (record) => judge(core.add(record)),
    finish() {
      judge(core.end());
      return core.conclude();
    },
  };
}

/** The same for a semantic evaluator that has to wait. */
export function createAsyncTraceEvaluator(
  document: NormalizedDocument,
  views: readonly BindingViews[],
  options: TraceOptions<AsyncSemanticEvaluator>,
): AsyncTraceEvaluator {
  const core = createCore(document, views, options);
  const judge = async (judgements: readonly Judgement[]): Promise<void> => {
    for (const { semantic, message, settle } of judgements)
      if (options.semantic !== undefined)
        settle(await semanticOutcomeAsync(semantic, message, options.semantic));
  };
  return {
    add: (record) => judge(core.add(record)),
    async finish() {
      await judge(core.end());
      return core.conclude();
    },
  };
}

/** One match is a match; a failure counts for more than a clean miss, and that for more than a missing field. */
function rankOf(outcome: Outcome): number {
  switch (outcome.result) {
    case 'matched':
      return 4;
    case 'error':
      return outcome.error.missingField ? 0 : 3;
    case 'not_matched':
      return 2;
    case 'skipped':
      return 1;
  }
}

const highestRank = 4;

function createCore(
  document: NormalizedDocument,
  views: readonly BindingViews[],
  options: TraceOptions<SemanticEvaluator | AsyncSemanticEvaluator>,
) {
  const limits = { ...defaultLimits, ...options.limits };
  const cel = options.cel ?? undefined;
  const reach = trackReach();
  const tracks = (document.attack.indicators ?? []).map(
    (indicator): Track => ({
      indicator,
      run: compileIndicator(indicator, cel, limits.expressionMs),
      projectable: projectableTarget(indicator),
      best: undefined,
      projected: undefined,
      failedProjection: undefined,
      lacking: lackingEvaluator(indicator, { cel, semantic: options.semantic }),
    }),
  );
  const targets = tracks.flatMap(({ projectable }) => projectable ?? []);
  const projector =
    options.projections === false || targets.length === 0 ? undefined : createProjector(views, targets);
  let spentMs = 0;
  let addedAt = 0;
  const isOutOfTime = (): boolean => spentMs + Date.now() - addedAt > limits.documentMs;

  function settle(track: Track, outcome: Outcome, record: number): void {
    const rank = rankOf(outcome);
    if (track.best === undefined || rank > track.best.rank)
      track.best = { rank, outcome: withRecord(outcome, { record }) };
  }

  function evaluate(track: Track, view: MessageView, settled: (outcome: Outcome) => void): Judgement[] {
    const { semantic } = track.indicator;
    if (semantic !== undefined && options.semantic !== undefined)
      return [{ semantic, message: view.message, settle: settled }];
    settled(track.run(view));
    return [];
  }

  function project(projections: readonly Projection[]): Judgement[] {
    return projections.flatMap((projection) => {
      let view: MessageView | undefined;
      return tracks.flatMap((track) => {
        const { projectable, indicator, best, projected } = track;
        if (projectable === undefined || best?.rank === highestRank || projected !== undefined) return [];
        if (!isOffered(projection, indicator, projectable) || isOutOfTime()) return [];
        view ??= viewMessage(projection.content);
        return evaluate(track, view, (outcome) => {
          const place = { record: projection.record, projection: projection.path };
          if (outcome.result === 'matched') track.projected = withRecord(outcome, place);
          else if (outcome.result === 'error') track.failedProjection ??= outcome;
        });
      });
    });
  }

  return {
    add(record: TraceRecord): Judgement[] {
      if (!isMessageRecord(record)) return [];
      reach.add(record);
      if (spentMs > limits.documentMs) return [];
      addedAt = Date.now();
      let view: MessageView | undefined;
      const judgements: Judgement[] = [];
      for (const track of tracks) {
        if (track.best?.rank === highestRank || !selects(track.indicator, record)) continue;
        if (isOutOfTime()) break;
        view ??= viewMessage(messageValue(record));
        for (const judgement of evaluate(track, view, (outcome) => settle(track, outcome, record.seq)))
          judgements.push(judgement);
      }
      if (projector !== undefined) judgements.push(...project(projector.add(record)));
      spentMs += Date.now() - addedAt;
      return judgements;
    },
    end(): Judgement[] {
      addedAt = Date.now();
      return projector === undefined ? [] : project(projector.finish());
    },
    conclude(): AttackVerdict {
      const outOfTime = spentMs > limits.documentMs ? limits.documentMs : undefined;
      return combineVerdicts(
        document.attack,
        tracks.map((track) => {
          const { id, protocol, actor } = track.indicator;
          return toVerdict(id, concludeTrack(track, reach.isReached(protocol, actor), outOfTime));
        }),
      );
    },
  };
}

function withRecord(
  outcome: Outcome,
  place: { readonly record: number; readonly projection?: string },
): Outcome {
  if (outcome.result !== 'matched') return outcome;
  const { projection } = place;
  return {
    ...outcome,
    evidence: projection === undefined ? outcome.evidence : `${projection}: ${outcome.evidence}`,
    match: { ...(outcome.match ?? { path: '', from: 0, to: 0 }), ...place },
  };
}

function concludeTrack(track: Track, reached: boolean, outOfTimeMs: number | undefined): Outcome {
  const { best, projected, failedProjection, lacking, indicator } = track;
  if (best?.rank === highestRank) return best.outcome;
  if (projected !== undefined) return projected;
  if (lacking !== undefined) return lacking;
  if (outOfTimeMs !== undefined) return { result: 'error', error: budgetError(indicator, outOfTimeMs) };
  if (failedProjection !== undefined) return failedProjection;
  if (best !== undefined) return best.outcome;
  return reached
    ? { result: 'not_matched' }
    : {
        result: 'skipped',
        evidence: `${outOfReach}: nothing came from the agent ${
          indicator.actor === undefined ? `over ${indicator.protocol}` : `to "${indicator.actor}"`
        }`,
      };
}

function budgetError({ pattern, expression }: NormalizedIndicator, milliseconds: number): EvaluationError {
  const other = expression === undefined ? 'semantic_error' : 'cel_error';
  return evaluationError(
    pattern === undefined ? other : 'regex_timeout',
    `evaluating the document took longer than ${milliseconds} ms`,
  );
}
