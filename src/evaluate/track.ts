import { type EvaluationError, evaluationError } from '../model/errors.ts';
import type { SeeThrough } from '../model/extension-points.ts';
import type { NormalizedIndicator } from '../model/normalized.ts';
import type { MessageRecord } from '../model/trace.ts';
import type { Match } from '../model/verdict.ts';
import type { Projection } from '../model/views.ts';
import { decodeKey } from '../registry/fields.ts';
import { type AsyncEvaluators, compileIndicator, lackingEvaluator } from './indicator.ts';
import { createTally, note, type Tally } from './looked.ts';
import type { MessageView } from './message-view.ts';
import { type IndicatorOutcome, nothingToJudge, notMatched, outOfReach } from './outcome.ts';
import { projectableTarget } from './projections.ts';
import { candidatesOf } from './semantic.ts';

type Matched = Extract<IndicatorOutcome, { result: 'matched' }>;
type Unmatched = Exclude<IndicatorOutcome, Matched>;

/** The state of one indicator. Only the best outcome is kept, so memory does not grow with the trace. */
export interface Track {
  readonly indicator: NormalizedIndicator;
  readonly run: (view: MessageView) => IndicatorOutcome;
  /** Looks behind disguises, if the indicator has `x-decode`. */
  readonly seeThrough: ReturnType<SeeThrough> | undefined;
  readonly projectable: string | undefined;
  /** The best outcome on messages, apart from matches in our own text. */
  best: { readonly rank: number; readonly outcome: IndicatorOutcome } | undefined;
  projected: Matched | undefined;
  failedProjection: IndicatorOutcome | undefined;
  /** A match in our own text. The search continues, because a match in the agent's text outranks it. */
  own: Matched | undefined;
  /** The outcome for lack of the needed evaluator. */
  readonly lacking: IndicatorOutcome | undefined;
  readonly tally: Tally;
}

export function createTrack(
  indicator: NormalizedIndicator,
  evaluators: AsyncEvaluators,
  expressionMs: number,
  seeThrough: SeeThrough | undefined,
): Track {
  const { pattern, semantic, extensions } = indicator;
  const lacking = lackingEvaluator(indicator, evaluators);
  return {
    indicator,
    run:
      lacking !== undefined && semantic !== undefined
        ? (view) => (candidatesOf(semantic, view).length === 0 ? notMatched : lacking)
        : compileIndicator(indicator, evaluators.cel, expressionMs),
    seeThrough:
      pattern !== undefined && extensions?.[decodeKey] === true
        ? seeThrough?.(pattern, expressionMs)
        : undefined,
    projectable: projectableTarget(indicator),
    best: undefined,
    projected: undefined,
    failedProjection: undefined,
    own: undefined,
    lacking,
    tally: createTally(),
  };
}

/** Ranks outcomes below a match: an error first, then an unjudged message, then a clean miss, then a missing field. */
function rankOf(outcome: Unmatched): number {
  switch (outcome.result) {
    case 'error':
      return outcome.error.missingField ? 0 : 3;
    case 'skipped':
      return 2;
    case 'not_matched':
      return 1;
  }
}

const highestRank = Number.POSITIVE_INFINITY;

/** Whether the agent's own messages gave a match, which nothing can outrank. */
export function isSettled({ best }: Track): boolean {
  return best?.rank === highestRank;
}

export function settle(
  track: Track,
  outcome: IndicatorOutcome,
  view: MessageView,
  record: MessageRecord,
): void {
  note(track.tally, outcome, view, record);
  if (outcome.result === 'matched') {
    const matched = placed(outcome, { record: record.seq }, view.isOurs);
    if (!matched.match?.own) track.best = { rank: highestRank, outcome: matched };
    else if (track.own?.match?.projection !== undefined || track.own === undefined) track.own = matched;
    return;
  }
  keepBetter(track, outcome);
}

function keepBetter(track: Track, outcome: Unmatched): void {
  const rank = rankOf(outcome);
  if (track.best === undefined || rank > track.best.rank || isNearer(outcome, track.best.outcome))
    track.best = { rank, outcome };
}

function isNearer(outcome: Unmatched, best: IndicatorOutcome): boolean {
  return (
    outcome.result === 'not_matched' &&
    best.result === 'not_matched' &&
    outcome.score !== undefined &&
    outcome.score > (best.score ?? -1)
  );
}

export function settleProjected(
  track: Track,
  outcome: IndicatorOutcome,
  view: MessageView,
  { record, path, stream }: Projection,
): void {
  if (stream?.isCut) track.tally.isCut = true;
  if (stream === undefined) {
    track.tally.views += 1;
    track.tally.viewPath = path;
  }
  if (outcome.result === 'matched') {
    const matched = placed(outcome, { record, projection: path }, view.isOurs);
    if (matched.match?.own) track.own ??= matched;
    else track.projected ??= matched;
    // A stream may lack a field that its parts have, so a missing field there says nothing.
  } else if (
    outcome.result === 'error' &&
    !stream?.isRespelt &&
    !(stream !== undefined && outcome.error.missingField)
  )
    track.failedProjection ??= outcome;
  else if (outcome.result === 'skipped' || (outcome.result === 'not_matched' && outcome.score !== undefined))
    keepBetter(track, outcome);
}

function placed(
  outcome: Matched,
  place: { readonly record: number; readonly projection?: string },
  isOurs: boolean,
): Matched {
  const { projection } = place;
  const match: Match = { ...(outcome.match ?? { path: '', from: 0, to: 0 }), ...place };
  return {
    ...outcome,
    evidence: projection === undefined ? outcome.evidence : `${projection}: ${outcome.evidence}`,
    match: isOurs ? { ...match, own: true } : match,
  };
}

/** The outcome over the whole trace. A match in the agent's text outranks one in ours. */
export function concludeTrack(
  track: Track,
  reached: boolean,
  outOfTimeMs: number | undefined,
): IndicatorOutcome {
  const { best, projected, failedProjection, own, lacking, indicator } = track;
  if (isSettled(track) && best !== undefined) return best.outcome;
  if (projected !== undefined) return projected;
  if (own !== undefined) return own;
  // A semantic indicator reports its missing judge only if there was a text to judge.
  const isUnread = indicator.semantic !== undefined && best?.outcome.result !== 'skipped';
  if (lacking !== undefined && !isUnread) return lacking;
  if (outOfTimeMs !== undefined) return { result: 'error', error: budgetError(indicator, outOfTimeMs) };
  if (failedProjection !== undefined) return failedProjection;
  const wasReached = reached || best !== undefined;
  if (wasReached && lacking !== undefined) return { result: 'skipped', evidence: nothingToJudge };
  if (best !== undefined) return best.outcome;
  return wasReached
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
