import type { ValueMap } from '../model/value.ts';
import type { ActorState, OpenCall } from './actor.ts';

// What went wrong with what the peer was asked.

/** What went wrong with an answer, and what that makes of the run. */
export interface AnswerTrouble extends ValueMap {
  readonly reason: string;
  /** `trouble`: the agent failed; `cut_off`: it broke off what it had begun; `unread`: not all of it could be read. */
  readonly cause: 'trouble' | 'cut_off' | 'unread';
}

/** An agent that had begun to answer broke off; one that had not, failed. */
export function ofTransport(reason: string | undefined, open?: OpenCall): AnswerTrouble | undefined {
  if (reason === undefined) return undefined;
  return { reason, cause: open?.hasBegun ? 'cut_off' : 'trouble' };
}

/** What went wrong with an answer that ends as given, or for no reason of the transport's. */
export function troubleOf(
  { trouble, overAt, reader }: OpenCall,
  ended: AnswerTrouble | undefined,
): AnswerTrouble | undefined {
  if (overAt !== undefined) return trouble;
  const early = reader.end();
  return ended ?? trouble ?? (early === undefined ? undefined : { reason: early, cause: 'cut_off' });
}

export interface TroubledCall extends AnswerTrouble {
  readonly session: string;
}

/**
 * Calls that are still open when the run ends for `reason`, those that were given up and never answered, and work that
 * is still not over. A peer that had all the time of the run for its work has failed.
 */
export function troubledCalls(
  { calls, asked, unfinished }: ActorState,
  reason: string,
  isOutOfTime: boolean,
): readonly TroubledCall[] {
  const open = [...calls].flatMap(([session, call]) => {
    if (call.polls !== undefined) return [];
    const trouble = troubleOf(call, { reason, cause: 'cut_off' });
    return trouble === undefined ? [] : [{ session, ...trouble }];
  });
  const unanswered = [...asked].map(([session, { method }]) => ({
    session,
    reason: `${method} was not answered in time`,
    cause: 'trouble' as const,
  }));
  const endless: AnswerTrouble = isOutOfTime
    ? { reason: 'a task that never ended', cause: 'trouble' }
    : { reason, cause: 'cut_off' };
  const unended = [...unfinished.values()].map(({ begunBy }) => ({ session: begunBy, ...endless }));
  return [...open, ...unanswered, ...unended];
}
