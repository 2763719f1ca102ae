import { isClientMode } from '../../src/format/registry/known-modes.ts';
import type { RunTrace } from '../../src/report/html/page-data.ts';

/** The columns of a sequence diagram: the actors that speak to the agent, the agent, and the actors that it calls. */
export interface Lanes {
  readonly names: readonly string[];
  readonly agent: number;
  /** The lane of an actor of the trace. */
  of(actor: number): number;
  /** The centre of a lane, in percent. */
  centre(lane: number): number;
  readonly width: number;
}

export function lanesOf({ actors }: RunTrace, name: string): Lanes {
  const left = [...actors.keys()].filter((actor) => isClientMode(actors[actor]?.mode ?? ''));
  const right = [...actors.keys()].filter((actor) => !left.includes(actor));
  const order: readonly (number | undefined)[] = [...left, undefined, ...right];
  const lanes = new Map(order.map((actor, lane) => [actor, lane]));
  const agent = left.length;
  const width = 100 / order.length;
  return {
    names: order.map((actor) => (actor === undefined ? name : (actors[actor]?.name ?? ''))),
    agent,
    of: (actor) => lanes.get(actor) ?? agent,
    centre: (lane) => (lane + 0.5) * width,
    width,
  };
}

/** A range of rows in which an actor was in one phase. */
export interface Band {
  readonly actor: number;
  readonly phase: string;
  readonly from: number;
  readonly to: number;
  /** Whether it is the second, fourth … phase of its actor. */
  readonly odd: boolean;
}

export function bandsOf({ actor: actors, phase: phases, phases: names }: RunTrace): readonly Band[] {
  const open = new Map<number, { phase: number; from: number; odd: boolean }>();
  const bands: Band[] = [];
  const close = (actor: number, to: number): void => {
    const band = open.get(actor);
    if (band !== undefined) bands.push({ actor, phase: names[band.phase] ?? '', from: band.from, to, odd: band.odd });
  };
  for (const [row, actor] of actors.entries()) {
    const phase = phases[row] ?? -1;
    const band = open.get(actor);
    if (actor < 0 || phase < 0 || band?.phase === phase) continue;
    close(actor, row);
    open.set(actor, { phase, from: row, odd: band !== undefined && !band.odd });
  }
  for (const actor of open.keys()) close(actor, actors.length);
  return bands;
}
