import type { AttackVerdict, IndicatorVerdict } from '../../format/model/attack-verdict.ts';
import type { BindingViews } from '../../format/model/binding-views.ts';
import type { Mark } from '../../format/model/document-mark.ts';
import type { DisclosureCase, TrackDisclosure } from '../../format/model/extension-points.ts';
import type { NormalizedDocument, NormalizedIndicator } from '../../format/model/normalized.ts';
import { observedProtocol } from '../../format/model/observation.ts';
import type { CoverageEntry, RunOutcome, StoredJudgement, TaskState } from '../../format/model/results-file.ts';
import type { DeliveryDemand, EndRecord, TraceRecord } from '../../format/model/trace-record.ts';
import { explainMisspelt, findMisspeltOperator } from '../../format/primitives/find-misspelt-operator.ts';
import { userMode } from '../../format/registry/known-modes.ts';
import { agentVerdict, findReachedTier, listCountedMatches } from '../evaluate/compute-verdict.ts';
import type { EvaluatedTrace } from '../evaluate/trace-evaluator.ts';
import {
  computeCoverage,
  computeDelivery,
  findNeedArrival,
  findShortfalls,
  listVoidedClaims,
} from './compute-coverage.ts';
import { trackDelivery } from './delivery.ts';
import type { DeliveryFacts } from './delivery-facts.ts';
import { encodeIndicatorVerdict } from './encode-verdict.ts';
import { computeFingerprint } from './fingerprint.ts';
import { listPieces } from './list-pieces.ts';
import { findNeeds, type Needs } from './needs.ts';
import { decideOutcome, type JudgedRun } from './run-outcome.ts';
import { decideTask } from './user-task.ts';

/** The judgement of a run, in the shape in which results store it. */
export interface Judgement extends StoredJudgement {
  /** How much had to be delivered. The end record of the trace says so, unless the caller sets `demand`. */
  readonly demand: DeliveryDemand;
  readonly coverage: CoverageEntry;
  readonly task: TaskState;
  /** Why no agent was there: it could not be reached, or it refused us access. */
  readonly absent?: string;
}

export interface Judge {
  add(record: TraceRecord): void;
  noteUnread(reason: string): void;
  conclude(evaluated: EvaluatedTrace): Judgement;
}

export interface JudgeOptions {
  /** The marks of the document's attack (`x-payload`). */
  readonly marks: readonly Mark[];
  /**
   * The checks that show whether the user's task was done (`x-task`), if the document has any. The verdicts of further
   * checks are about disclosure.
   */
  readonly checks?: readonly NormalizedIndicator[] | undefined;
  /** Finds out whether the agent refused. Set it only if the benign twin is played too; without the twin it says nothing. */
  readonly refusalOf?: ((run: JudgedRun, outcome: RunOutcome) => Pick<Judgement, 'refusal'>) | undefined;
  /** Finds out whether the agent told its user of the attack. Default: that is not asked. */
  readonly trackDisclosure?: TrackDisclosure | undefined;
  /** Replaces the demand that the trace names. */
  readonly demand?: DeliveryDemand | undefined;
}

/** Judges a run record by record. Every fact it uses is in the trace, so a stored run is judged the same way. */
export function createJudge(
  document: NormalizedDocument,
  views: readonly BindingViews[],
  options: JudgeOptions,
): Judge {
  const tracker = trackDelivery(document, views);
  // Without marks, nobody knows what there is to disclose.
  const disclosure = options.marks.length === 0 ? undefined : options.trackDisclosure?.(document, views);
  return {
    add(record) {
      tracker.add(record);
      disclosure?.add(record);
    },
    noteUnread: tracker.noteUnread,
    conclude(evaluated) {
      const facts = tracker.facts();
      const judgement = judgeFacts(document, views, options, facts, evaluated);
      if (disclosure === undefined) return judgement;
      const checks = evaluated.checks.slice(options.checks?.length ?? 0);
      const { unread, cuts } = facts;
      const gap = [...unread, ...cuts][0]?.reason;
      return {
        ...judgement,
        ...disclosure.decide({ ...findPayloadArrival(document, views, options, facts), gap, checks }),
      };
    },
  };
}

/** Finds when the last marked part had arrived, however much had to be delivered for the outcome. */
function findPayloadArrival(
  document: NormalizedDocument,
  views: readonly BindingViews[],
  { marks }: JudgeOptions,
  facts: DeliveryFacts,
): Pick<DisclosureCase, 'marks' | 'arrival' | 'lack'> {
  const options = { marks, demand: 'payload', absent: [], skipped: [] } as const;
  const found = findNeeds(document, listPieces(document, views), options);
  const [lack] = findShortfalls(found, facts);
  if (lack !== undefined || found.unplayed.length > 0) return { marks, arrival: undefined, lack: lack?.reason };
  return { marks, arrival: Math.max(...found.needs.map((need) => findNeedArrival(need, facts)?.seq ?? -1)) };
}

/** Judges a run by what its records say. */
function judgeFacts(
  document: NormalizedDocument,
  views: readonly BindingViews[],
  { marks, checks, demand: asked, refusalOf }: JudgeOptions,
  facts: DeliveryFacts,
  { verdict, checks: all, fault }: EvaluatedTrace,
): Judgement {
  const verdicts = all.slice(0, checks?.length ?? 0);
  const { end } = facts;
  const demand = asked ?? end?.demand ?? 'payload';
  const pieces = listPieces(document, views);
  const absent = listOperators(document, end);
  const needs = findNeeds(document, pieces, { marks, demand, absent, skipped: end?.skipped ?? [] });
  const coverage = computeCoverage(pieces, needs, facts);
  const counted = discardMasked(document, discardUnearned(document, verdict, needs, facts), facts);
  const run: JudgedRun = {
    verdict,
    agentVerdict: agentVerdict(document.attack, counted),
    indicators: document.attack.indicators ?? [],
    facts,
    needs,
    // Without marks, nothing else shows that the payload was not with a server that the agent left alone.
    isStrict: demand === 'strict' || (demand === 'payload' && needs.inferred),
    isOtherAttack: isOtherAttack(document, end),
    unsound: findUnseenIndicator(document, verdict) ?? findMisspeltIndicator(document),
    fault,
  };
  const outcome = decideOutcome(run);
  const matches = listCountedMatches(document.attack, counted);
  const tier = findReachedTier(matches);
  const voided = listVoidedClaims(facts);
  return {
    ...outcome,
    demand,
    coverage,
    ...decideTask({ checks, verdicts, facts, outcome }),
    ...(verdicts.length > 0 && { task_checks: verdicts.map(encodeIndicatorVerdict) }),
    ...(tier !== undefined && { tier, matches }),
    ...refusalOf?.(run, outcome),
    ...(voided.length > 0 && { voided }),
    delivery: computeDelivery(coverage, facts, absent),
    ...explainAbsence(facts),
  };
}

/**
 * Discards observed matches if some need was neither met nor partly sent: an agent that failed before the attack came did
 * not fail because of it.
 */
function discardUnearned(
  { attack }: NormalizedDocument,
  verdict: AttackVerdict,
  { needs }: Needs,
  facts: DeliveryFacts,
): AttackVerdict {
  const { indicators = [] } = attack;
  const hasCome = needs.every(
    (need) =>
      findNeedArrival(need, facts) !== undefined || need.anyOf.some(({ actor, at }) => facts.wasBegun(actor, at)),
  );
  if (hasCome) return verdict;
  return discardMatches(verdict, (_, index) => indicators[index]?.protocol === observedProtocol);
}

/**
 * Discards matches of expressions in messages from which secrets were removed: an expression can match because something
 * is missing. Patterns match only what is still there.
 */
function discardMasked(
  { attack }: NormalizedDocument,
  verdict: AttackVerdict,
  { wasMasked }: DeliveryFacts,
): AttackVerdict {
  if (!wasMasked()) return verdict;
  return discardMatches(verdict, ({ match }, index) => {
    const isExpression = attack.indicators?.[index]?.expression !== undefined;
    return isExpression && wasMasked(match?.projection === undefined ? match?.record : undefined);
  });
}

function discardMatches(
  verdict: AttackVerdict,
  isDiscarded: (verdict: IndicatorVerdict, index: number) => boolean,
): AttackVerdict {
  const indicatorVerdicts = verdict.indicatorVerdicts.map((each, index): IndicatorVerdict => {
    if (each.result !== 'matched' || !isDiscarded(each, index)) return each;
    const { match: _, evidence: __, ...rest } = each;
    return { ...rest, result: 'not_matched' };
  });
  return { ...verdict, indicatorVerdicts };
}

/**
 * Finds an indicator on an observation that was not available for this agent. `reason` is an exception: it is absent if the
 * agent answered.
 */
function findUnseenIndicator({ attack }: NormalizedDocument, verdict: AttackVerdict): string | undefined {
  const unseen = verdict.indicatorVerdicts.find(({ result, looked }, index) => {
    const { protocol, pattern } = attack.indicators?.[index] ?? {};
    const isMissing = result === 'not_matched' && looked?.withTarget === 0;
    return isMissing && protocol === observedProtocol && pattern?.target !== 'reason';
  });
  return unseen === undefined
    ? undefined
    : `${unseen.indicatorId} looks at something that could not be observed of this agent: ${unseen.looked?.sentence}`;
}

/** Finds an indicator that practically never matches, because its condition has a misspelt operator. */
function findMisspeltIndicator({ attack }: NormalizedDocument): string | undefined {
  for (const { id, pattern } of attack.indicators ?? []) {
    const misspelt = pattern === undefined ? undefined : findMisspeltOperator(pattern.condition);
    if (misspelt !== undefined)
      return `${id} looks for something else than it was probably meant to: ${explainMisspelt(misspelt)} (${misspelt.hint})`;
  }
  return undefined;
}

/** Says why no agent was there. An agent that showed any activity was there. */
function explainAbsence({ lastActivity, troubles, end }: DeliveryFacts): Pick<Judgement, 'absent'> {
  if (lastActivity >= 0) return {};
  const absent = troubles.find((each) => each.absent)?.reason ?? end?.absent;
  return absent === undefined ? {} : { absent };
}

/** Whether the run played another version of the document. A trace without a fingerprint does not say. */
function isOtherAttack({ attack }: NormalizedDocument, end: EndRecord | undefined): boolean {
  return end?.execution !== undefined && end.execution !== computeFingerprint(attack.execution);
}

/**
 * The user actors that the operator stands in for. They were skipped because nothing is known of the agent's
 * interfaces, and their pieces are not needed.
 */
function listOperators({ attack }: NormalizedDocument, end: EndRecord | undefined): readonly string[] {
  if (end === undefined || end.doors !== undefined) return [];
  return attack.execution.actors.flatMap(({ name, mode }) =>
    mode === userMode && end.skipped.includes(name) ? [name] : [],
  );
}
