import { formatSteps } from '../../format/expression/evaluation-limits.ts';
import { isDecoded } from '../../format/extensions/read-decode.ts';
import type { Match } from '../../format/model/attack-verdict.ts';
import type { Projection } from '../../format/model/binding-views.ts';
import { createEvaluationError, type EvaluationError } from '../../format/model/errors.ts';
import type { DisguiseFinder } from '../../format/model/extension-points.ts';
import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { formatProtocolTitle } from '../../format/registry/protocols.ts';
import { type AsyncEvaluators, compileIndicator, reportLackingEvaluator } from './indicator.ts';
import { type IndicatorOutcome, nothingToJudge, notMatched, outOfReach } from './indicator-outcome.ts';
import type { MessageView } from './message-view.ts';
import { findProjectableTarget } from './projections.ts';
import { createTally, type SearchTally, tallyOutcome, tallyProjection } from './search-tally.ts';
import { listCandidates } from './semantic.ts';

type Matched = Extract<IndicatorOutcome, { result: 'matched' }>;
type Unmatched = Exclude<IndicatorOutcome, Matched>;

/** The state of one indicator. Only the best outcome is kept, so memory does not grow with the trace. */
export interface IndicatorTrack {
  readonly indicator: NormalizedIndicator;
  readonly run: (view: MessageView) => IndicatorOutcome;
  /** Looks behind disguises, if the indicator has `x-decode`. */
  readonly findDisguised: ReturnType<DisguiseFinder> | undefined;
  /** The same in one message by itself, which is not joined with others. */
  readonly searchOnce: ReturnType<DisguiseFinder> | undefined;
  readonly projectable: string | undefined;
  /** The best outcome on messages, apart from matches in our own text. */
  best: { readonly rank: number; readonly outcome: IndicatorOutcome } | undefined;
  projected: Matched | undefined;
  failedProjection: IndicatorOutcome | undefined;
  /** A match in our own text. The search continues, because a match in the agent's text outranks it. */
  own: Matched | undefined;
  /** The outcome for lack of the needed evaluator. */
  readonly lacking: IndicatorOutcome | undefined;
  readonly tally: SearchTally;
}

export function createTrack(
  indicator: NormalizedIndicator,
  evaluators: AsyncEvaluators,
  expressionSteps: number,
  findDisguised: DisguiseFinder | undefined,
  proofs?: readonly (readonly string[])[],
): IndicatorTrack {
  const { pattern, semantic } = indicator;
  const lacking = reportLackingEvaluator(indicator, evaluators);
  const search =
    pattern !== undefined && findDisguised !== undefined && isDecoded(indicator)
      ? () => findDisguised(pattern, expressionSteps, proofs)
      : undefined;
  return {
    indicator,
    run:
      lacking !== undefined && semantic !== undefined
        ? (view) => (listCandidates(semantic, view).length === 0 ? notMatched : lacking)
        : compileIndicator(indicator, evaluators.cel, expressionSteps),
    findDisguised: search?.(),
    searchOnce: search === undefined ? undefined : (message, source) => search()(message, source),
    projectable: findProjectableTarget(indicator),
    best: undefined,
    projected: undefined,
    failedProjection: undefined,
    own: undefined,
    lacking,
    tally: createTally(),
  };
}

/** Ranks outcomes below a match: an error first, then an unjudged message, then a clean miss, then a missing field. */
function rankUnmatched(outcome: Unmatched): number {
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
export function isTrackSettled({ best }: IndicatorTrack): boolean {
  return best?.rank === highestRank;
}

export function settleTrack(
  track: IndicatorTrack,
  outcome: IndicatorOutcome,
  view: MessageView,
  record: MessageRecord,
): void {
  tallyOutcome(track.tally, outcome, view, record);
  if (outcome.result === 'matched') {
    const matched = placeMatch(outcome, { record: record.seq }, view.isOurs);
    if (!matched.match?.own) track.best = { rank: highestRank, outcome: matched };
    else if (track.own?.match?.projection !== undefined || track.own === undefined) track.own = matched;
    return;
  }
  keepBetter(track, outcome);
}

function keepBetter(track: IndicatorTrack, outcome: Unmatched): void {
  const rank = rankUnmatched(outcome);
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
  track: IndicatorTrack,
  outcome: IndicatorOutcome,
  view: MessageView,
  projection: Projection,
): void {
  const { record, path, stream } = projection;
  if (stream?.isCut) track.tally.isCut = true;
  if (stream === undefined) {
    track.tally.views += 1;
    track.tally.viewPath = path;
  }
  tallyProjection(track.tally, outcome, view, projection);
  if (outcome.result === 'matched') {
    const matched = placeMatch(outcome, { record, projection: path }, view.isOurs);
    if (matched.match?.own) track.own ??= matched;
    else track.projected ??= matched;
    // A stream may lack a field that its parts have, so a missing field there says nothing.
  } else if (outcome.result === 'error' && !stream?.isRespelt && !(stream !== undefined && outcome.error.missingField))
    track.failedProjection ??= outcome;
  else if (outcome.result === 'skipped' || (outcome.result === 'not_matched' && outcome.score !== undefined))
    keepBetter(track, outcome);
}

function placeMatch(
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

/** How far the agent got to the actor or protocol that an indicator looks at: any of its messages was served, or none. */
export type Contact = 'served' | 'refused' | 'none';

/** The outcome over the whole trace. A match in the agent's text outranks one in ours. */
export function concludeTrack(
  track: IndicatorTrack,
  contact: Contact,
  exceededSteps: number | undefined,
): IndicatorOutcome {
  const { best, projected, failedProjection, own, lacking, indicator } = track;
  if (isTrackSettled(track) && best !== undefined) return best.outcome;
  if (projected !== undefined) return projected;
  if (own !== undefined) return own;
  // A semantic indicator reports its missing judge only if there was a text to judge.
  const isUnread = indicator.semantic !== undefined && best?.outcome.result !== 'skipped';
  if (lacking !== undefined && !isUnread) return lacking;
  if (exceededSteps !== undefined) return { result: 'error', error: createBudgetError(indicator, exceededSteps) };
  if (failedProjection !== undefined) return failedProjection;
  const wasReached = contact === 'served' || best !== undefined;
  if (wasReached && lacking !== undefined) return { result: 'skipped', evidence: nothingToJudge };
  if (best !== undefined) return best.outcome;
  return wasReached
    ? { result: 'not_matched' }
    : { result: 'skipped', evidence: `${outOfReach}: ${describeNoContact(indicator, contact)}` };
}

function describeNoContact({ actor, protocol }: NormalizedIndicator, contact: Contact): string {
  const side = actor === undefined ? formatProtocolTitle(protocol) : `"${actor}"`;
  if (contact === 'refused')
    return `every message of the agent ${actor === undefined ? 'over' : 'to'} ${side} was refused`;
  return actor === undefined ? `the agent sent nothing over ${side}` : `the agent never contacted ${side}`;
}

function createBudgetError({ pattern, expression }: NormalizedIndicator, steps: number): EvaluationError {
  const other = expression === undefined ? 'semantic_error' : 'cel_error';
  return createEvaluationError(
    pattern === undefined ? other : 'regex_timeout',
    `evaluating the document takes more than ${formatSteps(steps)} steps`,
  );
}
