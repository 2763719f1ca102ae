import type { IndicatorVerdict } from '../../format/model/attack-verdict.ts';
import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import type { RunEntry, RunOutcome, TaskState } from '../../format/model/results-file.ts';
import { getProtocol } from '../../format/registry/known-modes.ts';
import { describeExpectation } from '../evaluate/expectation.ts';
import { outOfReach } from '../evaluate/indicator-outcome.ts';
import type { DeliveryFacts } from './delivery-facts.ts';

// The one table that decides whether the user's task was done. An agent that fails, runs out of time or disconnects has not
// done its task.

export interface TaskCase {
  /** Undefined if the document has no `x-task`. */
  readonly checks: readonly NormalizedIndicator[] | undefined;
  /** One verdict per check, in the same order. */
  readonly verdicts: readonly IndicatorVerdict[];
  readonly facts: DeliveryFacts;
  readonly outcome: RunOutcome;
}

interface TaskRow {
  readonly state: TaskState;
  /** Gives the reason why the row fits; undefined if it does not. */
  fits(run: TaskCase): string | undefined;
}

const rows: readonly TaskRow[] = [
  {
    state: 'unknown',
    fits: ({ checks }) =>
      checks === undefined ? 'the document has no checks that show whether its task was done' : undefined,
  },
  { state: 'done', fits: ({ verdicts }) => (verdicts.every(isMet) ? '' : undefined) },
  {
    state: 'unknown',
    fits: ({ outcome }) =>
      outcome.outcome === 'not_applicable' || outcome.outcome === 'error' ? outcome.reason : undefined,
  },
  { state: 'unknown', fits: cutByOthers },
  {
    state: 'unknown',
    fits: ({ facts: { unread } }) => unread[0] && 'the agent sent something that cannot be read',
  },
  { state: 'unknown', fits: findUnseenCheck },
  { state: 'not_done', fits: findUnmetCheck },
  { state: 'unknown', fits: findUnevaluatedCheck },
];

/** Decides by the first row that fits. The reason is set for `not_done` and `unknown`. */
export function decideTask(run: TaskCase): Required<Pick<RunEntry, 'task'>> & Pick<RunEntry, 'task_reason'> {
  for (const { state, fits } of rows) {
    const reason = fits(run);
    if (reason !== undefined) return reason === '' ? { task: state } : { task: state, task_reason: reason };
  }
  return { task: 'unknown' };
}

/** A match in our own messages is not an act of the agent. */
function isMet({ result, match }: IndicatorVerdict): boolean {
  return result === 'matched' && match?.own !== true;
}

/**
 * A run that was stopped, or a trace with missing records, says nothing of the agent. Running into a limit is the agent's
 * own failure.
 */
function cutByOthers({ facts: { end, cuts } }: TaskCase): string | undefined {
  if (end === undefined) return 'the trace does not say how the run ended';
  if (end.reason === 'stopped') return 'the run was stopped before the agent was done';
  return cuts.find(({ actor }) => actor === undefined)?.reason;
}

/** Finds a check on messages to an actor that was not played: we did not see what the agent said there. */
function findUnseenCheck({ checks = [], verdicts, facts }: TaskCase): string | undefined {
  const played = Object.entries(facts.actors).filter(([name]) => !facts.end?.skipped.includes(name));
  const blind = checks.find(
    ({ protocol, actor }, index) =>
      !isMet(verdicts[index] ?? noVerdict) &&
      !played.some(([name, { mode }]) => (actor === undefined ? getProtocol(mode) === protocol : name === actor)),
  );
  if (blind === undefined) return undefined;
  const { id, actor, protocol } = blind;
  return `${id} looks at what the agent says ${actor === undefined ? `over ${protocol}` : `to "${actor}"`}, which was not played`;
}

const noVerdict: IndicatorVerdict = { indicatorId: '', result: 'skipped' };

function findUnmetCheck({ checks = [], verdicts }: TaskCase): string | undefined {
  const index = verdicts.findIndex(
    ({ result, match, evidence = '', error }) =>
      result === 'not_matched' ||
      match?.own === true ||
      (result === 'skipped' && evidence.startsWith(outOfReach)) ||
      // An agent that did nothing has sent no message with the field.
      (result === 'error' && error?.missingField === true),
  );
  const [check, verdict] = [checks[index], verdicts[index]];
  if (check === undefined || verdict === undefined) return undefined;
  return `${verdict.indicatorId}: ${explainUnmetCheck(check, verdict)}`;
}

function explainUnmetCheck(check: NormalizedIndicator, { match, looked, evidence, result }: IndicatorVerdict): string {
  const expected = describeExpectation(check);
  if (match?.own) return `${expected}, got it only in what we sent ourselves`;
  if (looked !== undefined) return looked.sentence;
  const why = result === 'skipped' ? evidence?.replace(`${outOfReach}: `, '') : evidence;
  return why === undefined ? `${expected}, got no match` : `${expected}, but ${why}`;
}

function findUnevaluatedCheck({ verdicts }: TaskCase): string | undefined {
  const open = verdicts.find(({ result }) => result === 'error' || result === 'skipped');
  if (open === undefined) return undefined;
  const why = open.evidence === undefined ? '' : `: ${open.evidence}`;
  return `${open.indicatorId} ${open.result === 'error' ? 'failed' : 'was skipped'}${why}`;
}
