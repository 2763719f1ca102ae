import { defaultLimits, type EvaluationLimits } from '../expression/limits.ts';
import { isEvaluationError } from '../model/errors.ts';
import type {
  AsyncSemanticEvaluator,
  CelEvaluator,
  SeeThrough,
  SemanticEvaluator,
} from '../model/extension-points.ts';
import { monotonicMs } from '../model/monotonic.ts';
import type { NormalizedDocument, NormalizedIndicator } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import { isMessageRecord, type TraceRecord } from '../model/trace.ts';
import type { AttackVerdict, IndicatorVerdict } from '../model/verdict.ts';
import type { BindingViews, Projection } from '../model/views.ts';
import { messageValue } from '../primitives/message-value.ts';
import { operationName } from '../registry/operations.ts';
import { createEchoes } from './echoes.ts';
import { createSeenMethods, describeLooked } from './looked.ts';
import { type MessageView, viewMessage } from './message-view.ts';
import { createSamples } from './near-miss.ts';
import { failed, type IndicatorOutcome, toVerdict } from './outcome.ts';
import { createProjector, isOffered } from './projections.ts';
import { trackReach } from './reach.ts';
import { selects } from './select.ts';
import { semanticOutcome, semanticOutcomeAsync } from './semantic.ts';
import { concludeTrack, createTrack, isSettled, settle, settleProjected, type Track } from './track.ts';
import { combineVerdicts } from './verdict.ts';

/** How a trace is evaluated. */
export interface TraceOptions<Semantic> {
  /** Null for none; then expressions are skipped. */
  readonly cel: CelEvaluator | null;
  readonly semantic?: Semantic | undefined;
  readonly limits?: Partial<EvaluationLimits> | undefined;
  /** Default: true. */
  readonly projections?: boolean | undefined;
  /** Looks behind disguises for indicators with `x-decode`; `seeThrough` of `oatf/runtime` is one. Default: no decoding. */
  readonly seeThrough?: SeeThrough | undefined;
}

/** The parts of a document that are evaluated: its indicators, and the checks of its task. */
export interface Evaluable {
  readonly document: NormalizedDocument;
  readonly checks?: readonly NormalizedIndicator[] | undefined;
}

/** A semantic judgement that is still pending. */
export interface OpenJudgement {
  readonly semantic: NonNullable<NormalizedIndicator['semantic']>;
  readonly view: MessageView;
  settle(outcome: IndicatorOutcome): void;
}

/** The result of evaluating a trace. */
export interface Evaluated {
  readonly verdict: AttackVerdict;
  /** One verdict per check, in the same order. */
  readonly checks: readonly IndicatorVerdict[];
}

/** Evaluates a run while it happens. */
export interface TraceEvaluator {
  add(record: TraceRecord): void;
  finish(): Evaluated;
}

/** A `TraceEvaluator` whose semantic evaluator may answer with a promise. */
export interface AsyncTraceEvaluator {
  add(record: TraceRecord): Promise<void>;
  finish(): Promise<Evaluated>;
}

/** Evaluates a run record by record. Memory does not grow with the trace. */
export function createTraceEvaluator(
  evaluable: Evaluable,
  views: readonly BindingViews[],
  options: TraceOptions<SemanticEvaluator>,
): TraceEvaluator {
  const core = createCore(evaluable, views, options);
  const judge = (judgements: readonly OpenJudgement[]): void => {
    for (const { semantic, view, settle } of judgements)
      if (options.semantic !== undefined) settle(semanticOutcome(semantic, view, options.semantic));
  };
  return {
    add: (record) => judge(core.add(record)),
    finish() {
      judge(core.end());
      return core.conclude();
    },
  };
}

/** Like `createTraceEvaluator`, for a semantic evaluator that may answer with a promise. */
export function createAsyncTraceEvaluator(
  evaluable: Evaluable,
  views: readonly BindingViews[],
  options: TraceOptions<AsyncSemanticEvaluator>,
): AsyncTraceEvaluator {
  const core = createCore(evaluable, views, options);
  const judge = async (judgements: readonly OpenJudgement[]): Promise<void> => {
    for (const { semantic, view, settle } of judgements)
      if (options.semantic !== undefined)
        settle(await semanticOutcomeAsync(semantic, view, options.semantic));
  };
  return {
    add: (record) => judge(core.add(record)),
    async finish() {
      await judge(core.end());
      return core.conclude();
    },
  };
}

/** Gives a surface its OATF name, because records use OATF's names in every era. */
function underOwnName(indicator: NormalizedIndicator): NormalizedIndicator {
  const { surface, protocol } = indicator;
  return surface === undefined ? indicator : { ...indicator, surface: operationName(protocol, surface) };
}

export function createCore(
  { document, checks = [] }: Evaluable,
  views: readonly BindingViews[],
  options: TraceOptions<SemanticEvaluator | AsyncSemanticEvaluator>,
) {
  const limits = { ...defaultLimits, ...options.limits };
  const cel = options.cel ?? undefined;
  const reach = trackReach();
  const { indicators = [] } = document.attack;
  // Indicators come first: if time runs out, the checks are the ones left unevaluated.
  const tracks = [...indicators, ...checks].map((indicator) =>
    createTrack(
      underOwnName(indicator),
      { cel, semantic: options.semantic },
      limits.expressionMs,
      options.seeThrough,
    ),
  );
  const protocols = new Set(tracks.map(({ indicator }) => indicator.protocol));
  const withPaths = options.projections !== false;
  const targets = withPaths ? tracks.flatMap(({ projectable }) => projectable ?? []) : [];
  const projector = createProjector(views, protocols, targets);
  const echoes = createEchoes(views, protocols);
  const seen = createSeenMethods();
  let spentMs = 0;
  let addedAt = 0;
  const isOutOfTime = (): boolean => spentMs + monotonicMs() - addedAt > limits.documentMs;

  function evaluate(
    track: Track,
    view: MessageView,
    source: string,
    settled: (outcome: IndicatorOutcome) => void,
  ): OpenJudgement | undefined {
    const { semantic } = track.indicator;
    if (semantic !== undefined && options.semantic !== undefined) return { semantic, view, settle: settled };
    const outcome = track.run(view);
    const isOpen = outcome.result === 'not_matched' && !view.isOurs;
    const seen = isOpen ? track.seeThrough?.(view.theirs(), source) : undefined;
    if (seen === undefined) settled(outcome);
    else settled(isEvaluationError(seen) ? failed(seen) : { result: 'matched', ...seen });
    return undefined;
  }

  function project(projections: readonly Projection[], repeated: readonly Path[]): OpenJudgement[] {
    return projections.flatMap((projection) => {
      let view: MessageView | undefined;
      return tracks.flatMap((track) => {
        if (isSettled(track) || track.projected !== undefined) return [];
        if (projection.own && track.own !== undefined) return [];
        if (!isOffered(projection, track, withPaths) || isOutOfTime()) return [];
        view ??= viewMessage(projection.content, {
          isOurs: projection.own,
          echoes: echoes?.inProjection(projection, repeated),
        });
        const seenAs = view;
        const source = `${projection.actor} ${projection.path}`;
        const settled = (outcome: IndicatorOutcome): void =>
          settleProjected(track, outcome, seenAs, projection);
        return evaluate(track, seenAs, source, settled) ?? [];
      });
    });
  }

  return {
    add(record: TraceRecord): OpenJudgement[] {
      if (!isMessageRecord(record)) return [];
      reach.add(record);
      const isOurs = record.origin === 'attacker';
      if (!isOurs) seen.add(record);
      const repeated = echoes?.add(record) ?? [];
      if (spentMs > limits.documentMs) return [];
      addedAt = monotonicMs();
      let view: MessageView | undefined;
      const judgements: OpenJudgement[] = [];
      for (const track of tracks) {
        if (isSettled(track) || (isOurs && track.own !== undefined)) continue;
        if (!selects(track.indicator, record)) continue;
        // Only what the indicators before this one have done to the message takes time.
        if (view !== undefined && isOutOfTime()) break;
        view ??= viewMessage(messageValue(record), { isOurs, echoes: repeated });
        const seenAs = view;
        const settled = (outcome: IndicatorOutcome): void => settle(track, outcome, seenAs, record);
        const judgement = evaluate(track, seenAs, record.actor, settled);
        if (judgement !== undefined) judgements.push(judgement);
      }
      const projections = projector?.add(record) ?? [];
      if (projections.length > 0) judgements.push(...project(projections, repeated));
      spentMs += monotonicMs() - addedAt;
      return judgements;
    },
    end(): OpenJudgement[] {
      addedAt = monotonicMs();
      return projector === undefined ? [] : project(projector.finish(), []);
    },
    conclude(): Evaluated {
      const outOfTime = spentMs > limits.documentMs ? limits.documentMs : undefined;
      const samples = createSamples();
      const told = tracks.map((track): IndicatorVerdict => {
        const { id, protocol, actor } = track.indicator;
        const outcome = concludeTrack(track, reach.isReached(protocol, actor), outOfTime);
        const verdict = toVerdict(id, outcome);
        return outcome.result === 'not_matched'
          ? { ...verdict, looked: describeLooked(track.indicator, track.tally, outcome, seen, samples) }
          : verdict;
      });
      return {
        verdict: combineVerdicts(document.attack, told.slice(0, indicators.length)),
        checks: told.slice(indicators.length),
      };
    },
  };
}
