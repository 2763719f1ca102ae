import type { Value } from '../model/value.ts';
import type { Unfinished } from './actor.ts';
import { isClientBinding, type LastingWork, type PeerRequest } from './binding.ts';
import type { Work } from './work.ts';

// Work of the peer's that outlasts its answer. Once nothing else is left to say, the peer is asked for it until it is
// over. Indicators see what it answers; triggers and extractors do not, because no document has asked.

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** How long to wait before work that was asked for so often is asked for again. */
export function pauseBefore(polls: number): number {
  return Math.min(firstPauseMs * 2 ** polls, longestPauseMs);
}

/** A peer that names new work with every part of a stream would fill the memory. */
export const mostUnfinished = 100;

/** Notes what an answer says of lasting work. `full` where there is more of it than can be waited for. */
export function noteProgress(work: Work, ask: string, call: PeerRequest, content: Value): 'noted' | 'full' {
  const said = lastingIn(work)?.progress(call, content);
  if (said === undefined) return 'noted';
  const { name, state } = said;
  if (state === 'over') finish(work, name);
  if (state !== 'begun' || work.unfinished.has(name)) return 'noted';
  if (work.unfinished.size >= mostUnfinished) return 'full';
  waitFor(work, name, { begunBy: ask, polls: 0 });
  return 'noted';
}

/** Whatever does not say that the work goes on ends the asking; without an answer, `content` is left out. */
export function notePolled(work: Work, name: string, call: PeerRequest, content?: Value): void {
  const before = work.unfinished.get(name);
  if (before === undefined) return;
  const said = content === undefined ? undefined : lastingIn(work)?.progress(call, content);
  if (said === undefined || said.state === 'over') finish(work, name);
  else waitFor(work, name, before);
}

/** What is to be asked for now. */
export function takePolls(work: Work): readonly (readonly [name: string, poll: PeerRequest])[] {
  const lasting = lastingIn(work);
  if (lasting === undefined) return [];
  const due = [...work.unfinished].filter(
    ([, { notBefore }]) => notBefore !== undefined && notBefore <= work.now,
  );
  return due.map(([name, { begunBy, polls }]) => {
    setUnfinished(work, name, { begunBy, polls: polls + 1 });
    return [name, lasting.poll(name)];
  });
}

function waitFor(work: Work, name: string, { begunBy, polls }: Unfinished): void {
  const notBefore = work.now + pauseBefore(polls);
  setUnfinished(work, name, { begunBy, polls, notBefore });
  work.effects.push({ kind: 'wake', at: notBefore });
}

function setUnfinished(work: Work, name: string, entry: Unfinished): void {
  work.unfinished = new Map(work.unfinished).set(name, entry);
}

function finish(work: Work, name: string): void {
  if (!work.unfinished.has(name)) return;
  const unfinished = new Map(work.unfinished);
  unfinished.delete(name);
  work.unfinished = unfinished;
}

function lastingIn({ context: { binding } }: Work): LastingWork | undefined {
  return isClientBinding(binding) ? binding.lasting : undefined;
}
