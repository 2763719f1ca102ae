import type { NormalizedActor } from '../../format/model/normalized.ts';
import { setOwn, type Value, type ValueMap } from '../../format/model/value.ts';
import type { ActorProgram } from './actor.ts';
import type { ActorLoop } from './actor-loop.ts';
import { hasNothingOpen } from './calls.ts';
import type { Transport } from './ports.ts';
import type { RunEnd } from './run-end.ts';

/** An actor of a run, with its transport and the loop that plays it. */
export interface PlayedActor {
  readonly name: string;
  readonly isClient: boolean;
  readonly phases: NormalizedActor['phases'];
  readonly program: ActorProgram;
  readonly transport: Transport;
  readonly loop: ActorLoop;
}

/** A client is done in its terminal phase, or when nothing is left that could end its phase. */
export function isDone({ loop, phases, transport }: PlayedActor, now: number): boolean {
  const state = loop.state();
  const hasBegun = state.phase >= 0;
  if (!hasBegun || !hasNothingOpen(state, now)) return false;
  if (state.phase >= phases.length - 1) return true;
  return phases[state.phase]?.trigger?.after === undefined && !transport.isConnected();
}

export function isReceivingFrom({ transport }: PlayedActor): boolean {
  return transport.isReceiving?.() === true;
}

/** Since when every actor is in its terminal phase. */
export function findTerminalSince(actors: readonly PlayedActor[]): number | undefined {
  let since = 0;
  for (const { loop, phases } of actors) {
    const { phase, enteredAt } = loop.state();
    if (phase < phases.length - 1) return undefined;
    since = Math.max(since, enteredAt);
  }
  return since;
}

/** The values that each actor has extracted, under the names by which other actors use them. */
export function collectSharedValues(actors: readonly PlayedActor[]): ValueMap {
  const values: Record<string, Value> = {};
  for (const { name, loop } of actors)
    for (const [key, value] of Object.entries(loop.state().values)) setOwn(values, `${name}.${key}`, value);
  return values;
}

/** The event that each actor's phase still waited for. */
export function listWaitingEvents(actors: readonly PlayedActor[]): RunEnd['waiting'] {
  return Object.fromEntries(
    actors.flatMap(({ name, loop, phases }) => {
      const { phase: index, trigger } = loop.state();
      const { name: phase, trigger: ends } = phases[index] ?? {};
      if (phase === undefined || ends?.event === undefined || index >= phases.length - 1) return [];
      return [[name, { phase, event: ends.event, count: trigger.eventCount, of: ends.count ?? 1 }] as const];
    }),
  );
}
