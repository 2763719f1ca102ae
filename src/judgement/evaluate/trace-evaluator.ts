import { readWork } from '../../format/expression/counted-work.ts';
import { defaultLimits, type EvaluationLimits } from '../../format/expression/evaluation-limits.ts';
import { findIndicatorProofs } from '../../format/extensions/canaries.ts';
import type { AttackVerdict, IndicatorVerdict } from '../../format/model/attack-verdict.ts';
import type { BindingViews, Echo, Projection } from '../../format/model/binding-views.ts';
import type { Protocol } from '../../format/model/enumeration-types.ts';
import { isEvaluationError } from '../../format/model/errors.ts';
import type {
  AsyncSemanticEvaluator,
  CelEvaluator,
  DisguiseFinder,
  SemanticEvaluator,
} from '../../format/model/extension-points.ts';
import { readMonotonicMs } from '../../format/model/monotonic.ts';
import type { NormalizedDocument, NormalizedIndicator } from '../../format/model/normalized.ts';
import { isMessageRecord, type MessageRecord, type TraceRecord } from '../../format/model/trace-record.ts';
import { messageValue } from '../../format/primitives/message-value.ts';
import { toOwnOperationName } from '../../format/registry/protocol-operations.ts';
import { combineVerdicts } from './compute-verdict.ts';
import { createErrorOutcome, type IndicatorOutcome, toVerdict } from './indicator-outcome.ts';
import { createMessageView, type MessageView } from './message-view.ts';
import { findInMixed, runOnMixed } from './mixed-texts.ts';
import { createSamples } from './near-miss.ts';
import { createProjector, isOffered } from './projections.ts';
import { createSeenMethods, describeLooked } from './search-tally.ts';
import { selects } from './select-messages.ts';
import { evaluateSemanticOutcome, evaluateSemanticOutcomeAsync } from './semantic.ts';
import { createEchoes } from './trace-echoes.ts';
import {
  type Contact,
  concludeTrack,
  createTrack,
  type IndicatorTrack,
  isTrackSettled,
  settleProjected,
  settleTrack,
} from './track.ts';

/** How a trace is evaluated. */
export interface TraceOptions<Semantic> {
  /** Null for none; then expressions are skipped. */
  readonly cel: CelEvaluator | null;
  readonly semantic?: Semantic | undefined;
  readonly limits?: Partial<EvaluationLimits> | undefined;
  /** Default: true. */
  readonly projections?: boolean | undefined;
  /** Looks behind disguises for indicators with `x-decode`; `findDisguised` of `oatf/runtime` is one. Default: no decoding. */
  readonly findDisguised?: DisguiseFinder | undefined;
}

/** The parts of a document that are evaluated: its indicators, and the checks of its task. */
export interface EvaluableDocument {
  readonly document: NormalizedDocument;
  readonly checks?: readonly NormalizedIndicator[] | undefined;
}

/** A semantic judgement that is still pending. */
export interface OpenJudgement {
  readonly semantic: NonNullable<NormalizedIndicator['semantic']>;
  readonly view: MessageView;
  settle(outcome: IndicatorOutcome): void;
}

export interface EvaluatedTrace {
  readonly verdict: AttackVerdict;
  /** One verdict per check, in the same order. */
  readonly checks: readonly IndicatorVerdict[];
  /** Why the evaluation did not finish, although its counted work was within limits. It is our error, and no verdict. */
  readonly fault?: string;
}

/** Evaluates a run while it happens. */
interface IndicatorTraceEvaluator {
  add(record: TraceRecord): void;
  finish(): EvaluatedTrace;
}

/** A `TraceEvaluator` whose semantic evaluator may answer with a promise. */
interface AsyncIndicatorTraceEvaluator {
  add(record: TraceRecord): Promise<void>;
  finish(): Promise<EvaluatedTrace>;
}

/** Evaluates a run record by record. Memory does not grow with the trace. */
export function createTraceEvaluator(
  evaluable: EvaluableDocument,
  views: readonly BindingViews[],
  options: TraceOptions<SemanticEvaluator>,
): IndicatorTraceEvaluator {
  const core = createCore(evaluable, views, options);
  const judge = (judgements: readonly OpenJudgement[]): void => {
    for (const { semantic, view, settle } of judgements)
      if (options.semantic !== undefined) settle(evaluateSemanticOutcome(semantic, view, options.semantic));
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
  evaluable: EvaluableDocument,
  views: readonly BindingViews[],
  options: TraceOptions<AsyncSemanticEvaluator>,
): AsyncIndicatorTraceEvaluator {
  const core = createCore(evaluable, views, options);
  const judge = async (judgements: readonly OpenJudgement[]): Promise<void> => {
    for (const { semantic, view, settle } of judgements)
      if (options.semantic !== undefined) settle(await evaluateSemanticOutcomeAsync(semantic, view, options.semantic));
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
function useOwnSurfaceName(indicator: NormalizedIndicator): NormalizedIndicator {
  const { surface, protocol } = indicator;
  return surface === undefined ? indicator : { ...indicator, surface: toOwnOperationName(protocol, surface) };
}

const guardMinutes = 10;

/** Notices that evaluation takes far longer than its counted work explains. The clock decides nothing else. */
function createGuard() {
  let spentMs = 0;
  let began = 0;
  const isStalled = (): boolean => spentMs > guardMinutes * 60_000;
  return {
    isStalled,
    begin() {
      began = readMonotonicMs();
    },
    end() {
      spentMs += readMonotonicMs() - began;
    },
    fault: () =>
      isStalled()
        ? `evaluation took longer than ${guardMinutes} minutes, although its steps were few enough`
        : undefined,
  };
}

export function createCore(
  { document, checks = [] }: EvaluableDocument,
  views: readonly BindingViews[],
  options: TraceOptions<SemanticEvaluator | AsyncSemanticEvaluator>,
) {
  const limits = { ...defaultLimits, ...options.limits };
  const cel = options.cel ?? undefined;
  const reach = trackReach();
  const { indicators = [] } = document.attack;
  // Indicators come first: if the steps run out, the checks are the ones left unevaluated.
  const tracks = [...indicators, ...checks].map((indicator) =>
    createTrack(
      useOwnSurfaceName(indicator),
      { cel, semantic: options.semantic },
      limits.expressionSteps,
      options.findDisguised,
      findIndicatorProofs(document, indicator),
    ),
  );
  const protocols = new Set(tracks.map(({ indicator }) => indicator.protocol));
  const withPaths = options.projections !== false;
  const targets = withPaths ? tracks.flatMap(({ projectable }) => projectable ?? []) : [];
  const projector = createProjector(views, protocols, targets);
  const echoes = createEchoes(views, protocols);
  const seen = createSeenMethods();
  let spent = 0;
  let addedAt = 0;
  const isOverBudget = (): boolean => spent + readWork() - addedAt > limits.documentSteps;
  const guard = createGuard();

  function evaluate(
    track: IndicatorTrack,
    view: MessageView,
    source: string,
    settled: (outcome: IndicatorOutcome) => void,
  ): OpenJudgement | undefined {
    const { semantic } = track.indicator;
    if (semantic !== undefined && options.semantic !== undefined) return { semantic, view, settle: settled };
    const outcome = runOnMixed(track, view, track.run(view));
    const isOpen = outcome.result === 'not_matched' && !view.isOurs;
    const seen = isOpen
      ? (track.findDisguised?.(view.theirs(), source) ?? findInMixed(track, view, source))
      : undefined;
    if (seen === undefined) settled(outcome);
    else settled(isEvaluationError(seen) ? createErrorOutcome(seen) : { result: 'matched', ...seen });
    return undefined;
  }

  function project(projections: readonly Projection[], repeated: readonly Echo[]): OpenJudgement[] {
    return projections.flatMap((projection) => {
      let view: MessageView | undefined;
      return tracks.flatMap((track) => {
        if (isTrackSettled(track) || track.projected !== undefined) return [];
        if (projection.own && track.own !== undefined) return [];
        if (!isOffered(projection, track, withPaths) || isOverBudget()) return [];
        view ??= createMessageView(projection.content, {
          isOurs: projection.own,
          echoes: echoes?.inProjection(projection, repeated),
        });
        const seenAs = view;
        const source = `${projection.actor} ${projection.path}`;
        const settled = (outcome: IndicatorOutcome): void => settleProjected(track, outcome, seenAs, projection);
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
      if (spent > limits.documentSteps || guard.isStalled()) return [];
      guard.begin();
      addedAt = readWork();
      let view: MessageView | undefined;
      const judgements: OpenJudgement[] = [];
      for (const track of tracks) {
        if (isTrackSettled(track) || (isOurs && track.own !== undefined)) continue;
        if (!selects(track.indicator, record)) continue;
        // Only what the indicators before this one have done to the message takes steps.
        if (view !== undefined && isOverBudget()) break;
        view ??= createMessageView(messageValue(record), { isOurs, echoes: repeated });
        const seenAs = view;
        const settled = (outcome: IndicatorOutcome): void => settleTrack(track, outcome, seenAs, record);
        const judgement = evaluate(track, seenAs, record.actor, settled);
        if (judgement !== undefined) judgements.push(judgement);
      }
      const projections = projector?.add(record) ?? [];
      if (projections.length > 0) judgements.push(...project(projections, repeated));
      spent += readWork() - addedAt;
      guard.end();
      return judgements;
    },
    end(): OpenJudgement[] {
      addedAt = readWork();
      return projector === undefined ? [] : project(projector.finish(), []);
    },
    conclude(): EvaluatedTrace {
      const exceeded = spent > limits.documentSteps ? limits.documentSteps : undefined;
      const fault = guard.fault();
      const samples = createSamples();
      const verdicts = tracks.map((track): IndicatorVerdict => {
        const { id, protocol, actor } = track.indicator;
        const outcome = concludeTrack(track, reach.findContact(protocol, actor), exceeded);
        const verdict = toVerdict(id, outcome);
        return outcome.result === 'not_matched'
          ? { ...verdict, looked: describeLooked(track.indicator, track.tally, outcome, seen, samples) }
          : verdict;
      });
      return {
        verdict: combineVerdicts(document.attack, verdicts.slice(0, indicators.length)),
        checks: verdicts.slice(indicators.length),
        ...(fault !== undefined && { fault }),
      };
    },
  };
}

/** Records whether any message of the agent was served, or only refused, by protocol and by actor. */
interface Reach {
  add(record: MessageRecord): void;
  /** How far the agent got to this actor, or over this protocol if no actor is given. */
  findContact(protocol: Protocol, actor: string | undefined): Contact;
}

export function trackReach(): Reach {
  const protocols = new Map<Protocol, Contact>();
  const actors = new Map<string, Contact>();
  return {
    add({ origin, protocol, actor, refused }) {
      if (origin !== 'agent') return;
      const contact = refused === undefined ? 'served' : 'refused';
      if (protocols.get(protocol) !== 'served') protocols.set(protocol, contact);
      if (actors.get(actor) !== 'served') actors.set(actor, contact);
    },
    findContact: (protocol, actor) => (actor === undefined ? protocols.get(protocol) : actors.get(actor)) ?? 'none',
  };
}
