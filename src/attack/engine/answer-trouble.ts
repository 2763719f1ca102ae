import type { ValueMap } from '../../format/model/value.ts';
import type { ActorState, OpenCall } from './actor.ts';

// Problems with the answers to our requests.

/** A problem with an answer, and what it means for the run. */
export interface AnswerTrouble extends ValueMap {
  readonly reason: string;
  /**
   * `trouble`: the agent failed; `cut_off`: the agent broke off an answer that it had begun; `unread`: a part of the
   * answer could not be read.
   */
  readonly cause: 'trouble' | 'cut_off' | 'unread';
}

/** An agent that broke off after it began to answer is `cut_off`; one that had not begun has failed. */
export function toTransportTrouble(reason: string | undefined, open?: OpenCall): AnswerTrouble | undefined {
  if (reason === undefined) return undefined;
  return { reason, cause: open?.hasBegun ? 'cut_off' : 'trouble' };
}

/** Finds the problem with an answer that ends as given. `ended` is undefined when the transport reports no reason. */
export function findAnswerTrouble(
  { trouble, overAt, reader }: OpenCall,
  ended: AnswerTrouble | undefined,
): AnswerTrouble | undefined {
  if (overAt !== undefined) return trouble;
  const early = reader.end();
  return ended ?? trouble ?? (early === undefined ? undefined : { reason: early, cause: 'cut_off' });
}

interface TroubledCall extends AnswerTrouble {
  readonly session: string;
}

/**
 * Lists the calls that are still open when the run ends for `reason`, the calls that were given up and never answered,
 * and unfinished work. A peer that had the whole run for its work has failed.
 */
export function listTroubledCalls(
  { calls, asked, unfinished }: ActorState,
  reason: string,
  isOutOfTime: boolean,
): readonly TroubledCall[] {
  const open = [...calls].flatMap(([session, call]) => {
    if (call.polls !== undefined) return [];
    const trouble = findAnswerTrouble(call, { reason, cause: 'cut_off' });
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
