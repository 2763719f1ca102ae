import type { PhaseAwait } from '../../format/extensions/read-await.ts';
import type { ValueMap } from '../../format/model/value.ts';
import type { ActorState } from './actor.ts';
import type { StepWork } from './work.ts';

// Our extension `x-await`: a phase may wait for extractor values before it sends anything of its own accord. It serves
// requests meanwhile.

export interface OpenAwait {
  readonly names: readonly string[];
  readonly until: number;
}

/** Begins to wait. Values that exist already are not waited for. */
export function beginAwaiting(work: StepWork, awaits: readonly PhaseAwait[]): void {
  work.awaiting = keepOpenAwaits(
    awaits.map(({ names, withinMs }) => ({ names, until: work.now + withinMs })),
    work.context.shared(),
    work.now,
  );
  for (const { until } of work.awaiting) work.effects.push({ kind: 'wake', at: until });
}

/** Stops waiting once every value has come or its time is over, and names the values that are missing. */
export function stopAwaiting(work: StepWork): { readonly missing: readonly string[] } | 'waiting' {
  const values = work.context.shared();
  if (keepOpenAwaits(work.awaiting, values, work.now).length > 0) return 'waiting';
  const missing = work.awaiting.flatMap(({ names }) => names.filter((name) => !Object.hasOwn(values, name)));
  work.awaiting = [];
  return { missing };
}

/** Tells whether an actor waits for values and all of them have come. */
export function hasCome({ awaiting }: ActorState, shared: () => ValueMap): boolean {
  return awaiting.length > 0 && keepOpenAwaits(awaiting, shared(), Number.NEGATIVE_INFINITY).length === 0;
}

function keepOpenAwaits(awaits: readonly OpenAwait[], values: ValueMap, now: number): readonly OpenAwait[] {
  return awaits.filter(({ names, until }) => now < until && names.some((name) => !Object.hasOwn(values, name)));
}
