import { outOfReach } from '../evaluate/outcome.ts';
import type { NormalizedIndicator } from '../model/normalized.ts';
import type { TaskState } from '../model/results.ts';
import type { IndicatorVerdict } from '../model/verdict.ts';
import { protocolOf } from '../registry/modes.ts';
import type { DeliveryFacts } from './delivery.ts';
import type { RunOutcome } from './outcome.ts';

// Whether the user's task was done, decided in this one table. `not_done` is what is left when nothing else is known:
// an agent that fails, runs out of its time or breaks off has not done its task.

/** Whether the user's task was done, and why not where it was not. */
export interface RunTask {
  readonly state: TaskState;
  /** Of `not_done` and `unknown`. */
  readonly reason?: string;
  /** What each check says of the run. */
  readonly checks: readonly IndicatorVerdict[];
}

export interface TaskCase {
  /** Nothing where the document does not say how one knows. */
  readonly checks: readonly NormalizedIndicator[] | undefined;
  /** One for each check, in their order. */
  readonly verdicts: readonly IndicatorVerdict[];
  readonly facts: DeliveryFacts;
  readonly outcome: RunOutcome;
}

interface Row {
  readonly state: TaskState;
  /** Why the row fits; nothing if it does not. */
  fits(run: TaskCase): string | undefined;
}

const rows: readonly Row[] = [
  {
    state: 'unknown',
    fits: ({ checks }) =>
      checks === undefined ? 'the document does not say how one knows that its task was done' : undefined,
  },
  { state: 'done', fits: ({ verdicts }) => (verdicts.every(isMet) ? '' : undefined) },
  {
    state: 'unknown',
    fits: ({ outcome }) =>
      outcome.outcome === 'not_applicable' || outcome.outcome === 'error' ? outcome.reason : undefined,
  },
  { state: 'unknown', fits: cutByOthers },
  { state: 'unknown', fits: ({ facts: { unread } }) => unread[0] && 'the agent sent what cannot be read' },
  { state: 'unknown', fits: unseen },
  { state: 'not_done', fits: unmet },
  { state: 'unknown', fits: unevaluated },
];

/** The first row that fits says whether the task was done. */
export function decideTask(run: TaskCase): RunTask {
  const checks = run.verdicts;
  for (const { state, fits } of rows) {
    const reason = fits(run);
    if (reason !== undefined) return reason === '' ? { state, checks } : { state, reason, checks };
  }
  return { state: 'unknown', checks };
}

/** Our own words are no act of the agent's. */
function isMet({ result, match }: IndicatorVerdict): boolean {
  return result === 'matched' && match?.own !== true;
}

/** Limits are the agent's to keep; that somebody stopped the run, or lost a part of its trace, is not its doing. */
function cutByOthers({ facts: { end, cuts } }: TaskCase): string | undefined {
  if (end === undefined) return 'the trace does not say how the run ended';
  if (end.reason === 'stopped') return 'the run was stopped before the agent was done';
  return cuts.find(({ actor }) => actor === undefined)?.reason;
}

/** Whoever stands in for an actor sees what the agent says to it, and we do not. */
function unseen({ checks = [], verdicts, facts }: TaskCase): string | undefined {
  const played = Object.entries(facts.actors).filter(([name]) => !facts.end?.skipped.includes(name));
  const blind = checks.find(
    ({ protocol, actor }, index) =>
      !isMet(verdicts[index] ?? noVerdict) &&
      !played.some(([name, { mode }]) =>
        actor === undefined ? protocolOf(mode) === protocol : name === actor,
      ),
  );
  if (blind === undefined) return undefined;
  const { id, actor, protocol } = blind;
  return `${id} looks at what the agent says ${actor === undefined ? `over ${protocol}` : `to "${actor}"`}, which was not played`;
}

const noVerdict: IndicatorVerdict = { indicatorId: '', result: 'skipped' };

function unmet({ verdicts }: TaskCase): string | undefined {
  const first = verdicts.find(
    ({ result, match, evidence = '', error }) =>
      result === 'not_matched' ||
      match?.own === true ||
      (result === 'skipped' && evidence.startsWith(outOfReach)) ||
      // Whoever did nothing has sent no message that has the field.
      (result === 'error' && error?.missingField === true),
  );
  if (first === undefined) return undefined;
  const why = first.match?.own ? 'matches only in what we sent ourselves' : first.looked?.sentence;
  const said = why ?? first.evidence;
  return said === undefined ? `${first.indicatorId} does not match` : `${first.indicatorId}: ${said}`;
}

function unevaluated({ verdicts }: TaskCase): string | undefined {
  const open = verdicts.find(({ result }) => result === 'error' || result === 'skipped');
  if (open === undefined) return undefined;
  const why = open.evidence === undefined ? '' : `: ${open.evidence}`;
  return `${open.indicatorId} ${open.result === 'error' ? 'failed' : 'was skipped'}${why}`;
}
