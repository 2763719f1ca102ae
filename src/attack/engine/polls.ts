import type { Value } from '../../format/model/value.ts';
import type { UnfinishedWork } from './actor.ts';
import { isClientBinding, type LastingWork, type PeerRequest } from './binding.ts';
import type { StepWork } from './work.ts';

// Work of the peer that outlasts its answer. Once nothing else is left to send, the peer is polled until the work is
// over. Indicators see its answers; triggers and extractors do not, because the document made no such request.

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** The pause before the next poll, after this many polls. */
export function pauseBefore(polls: number): number {
  return Math.min(firstPauseMs * 2 ** polls, longestPauseMs);
}

/** Limits a peer that names new work in every part of a stream, which would fill the memory. */
export const mostUnfinished = 100;

/** Notes what an answer says about lasting work. Returns false when there is more work than can be waited for. */
export function noteProgress(work: StepWork, ask: string, call: PeerRequest, content: Value): boolean {
  const progress = getLastingWork(work)?.progress(call, content);
  if (progress === undefined) return true;
  const { name, state } = progress;
  if (state === 'over') finishWork(work, name);
  if (state !== 'begun' || work.unfinished.has(name)) return true;
  if (work.unfinished.size >= mostUnfinished) return false;
  waitFor(work, name, { begunBy: ask, polls: 0 });
  return true;
}

/**
 * Notes the answer to a poll; `content` is undefined when there was none. Any answer that does not say the work goes on
 * ends the polling.
 */
export function notePolled(work: StepWork, name: string, call: PeerRequest, content?: Value): void {
  const before = work.unfinished.get(name);
  if (before === undefined) return;
  const progress = content === undefined ? undefined : getLastingWork(work)?.progress(call, content);
  if (progress === undefined || progress.state === 'over') finishWork(work, name);
  else waitFor(work, name, before);
}

export function takePolls(work: StepWork): readonly (readonly [name: string, poll: PeerRequest])[] {
  const lasting = getLastingWork(work);
  if (lasting === undefined) return [];
  const due = [...work.unfinished].filter(([, { notBefore }]) => notBefore !== undefined && notBefore <= work.now);
  return due.map(([name, { begunBy, polls }]) => {
    setUnfinished(work, name, { begunBy, polls: polls + 1 });
    return [name, lasting.poll(name)];
  });
}

function waitFor(work: StepWork, name: string, { begunBy, polls }: UnfinishedWork): void {
  const notBefore = work.now + pauseBefore(polls);
  setUnfinished(work, name, { begunBy, polls, notBefore });
  work.effects.push({ kind: 'wake', at: notBefore });
}

function setUnfinished(work: StepWork, name: string, entry: UnfinishedWork): void {
  work.unfinished = new Map(work.unfinished).set(name, entry);
}

function finishWork(work: StepWork, name: string): void {
  const unfinished = new Map(work.unfinished);
  unfinished.delete(name);
  work.unfinished = unfinished;
}

function getLastingWork({ context: { binding } }: StepWork): LastingWork | undefined {
  return isClientBinding(binding) ? binding.lasting : undefined;
}
