import type { EndRecord, WaitingFor } from '../model/trace.ts';
import { doorOf } from '../registry/modes.ts';
import { isSeenInUse, pieceKind } from '../registry/pieces.ts';
import { protocolTitle } from '../registry/protocols.ts';
import type { ActorFacts, Arrival, DeliveryFacts } from './delivery.ts';
import type { Need, Needs } from './needs.ts';
import type { PlacedPiece } from './pieces.ts';

/** A piece of the document, and whether it reached the agent. */
export interface CoveredPiece {
  readonly actor: string;
  /** The phase that writes it. */
  readonly phase: string;
  /** JSON Pointer into the normalized actor, as records carry it. */
  readonly at: string;
  readonly kind: string;
  readonly label: string;
  readonly delivered: boolean;
  /** The attack needs it, or one of several of which it is one. */
  readonly needed: boolean;
  /** Why it did not reach the agent, in words. */
  readonly reason?: string;
}

/** Which pieces of the document reached the agent. */
export interface Coverage {
  readonly pieces: readonly CoveredPiece[];
  readonly delivered: number;
  /** What is needed was inferred: the document does not mark its attack. */
  readonly inferred: boolean;
  /** What was needed and did not reach the agent, each with why, in words. */
  readonly missing: readonly string[];
}

/** How far an actor got through to the agent. */
export interface ActorDelivery extends ActorFacts {
  /** Something of the actor's reached the agent. */
  readonly delivered: boolean;
  /** Phases of which something reached the agent that they wrote. */
  readonly phasesSeen: readonly string[];
  /** How far the trigger of the phase had come in which the actor was at the end. */
  readonly waiting?: WaitingFor;
}

/** How far each actor got through, by its name. */
export interface Delivery {
  readonly [actor: string]: ActorDelivery;
}

/** How far each actor got; one that the operator stands in for is nobody's to deliver. */
export function deliveryOf(
  { pieces }: Coverage,
  { actors, end }: DeliveryFacts,
  absent: readonly string[],
): Delivery {
  const delivered = pieces.filter((piece) => piece.delivered && pieceKind(piece.kind).group !== 'notice');
  return Object.fromEntries(
    Object.entries(actors).flatMap(([actor, facts]) => {
      if (absent.includes(actor)) return [];
      // What is said for the user where no actor does stands in no document; it has no pieces.
      if (facts.phases.length === 0)
        return [[actor, { ...facts, delivered: facts.reached, phasesSeen: facts.phasesEntered }] as const];
      const own = delivered.filter((piece) => piece.actor === actor);
      const phasesSeen = [...new Set(own.map(({ phase }) => phase))];
      const waiting = end?.waiting?.[actor];
      const waited = waiting === undefined ? {} : { waiting };
      return [[actor, { ...facts, delivered: own.length > 0, phasesSeen, ...waited }] as const];
    }),
  );
}

/** Why a need is not met. */
export type Lack = 'not_applicable' | 'not_sent' | 'not_delivered';

export interface Shortfall {
  readonly lack: Lack;
  readonly reason: string;
}

export function coverageOf(pieces: readonly PlacedPiece[], needs: Needs, facts: DeliveryFacts): Coverage {
  const needed = new Set(needs.needs.flatMap(({ anyOf }) => anyOf));
  const covered = pieces.map((piece) => {
    const { actor, phase, at, kind, label } = piece;
    const delivered = arrivalOfPiece(piece, facts) !== undefined;
    const why = delivered ? {} : { reason: lackOf(piece, {}, facts).reason };
    return { actor, phase, at, kind, label, delivered, needed: needed.has(piece), ...why };
  });
  const reasons = shortfallsOf(needs, facts).map(({ reason }) => reason);
  return {
    pieces: covered,
    delivered: covered.filter(({ delivered }) => delivered).length,
    inferred: needs.inferred,
    missing: [...new Set([...reasons, ...needs.unplayed.map((part) => `no binding plays ${part}`)])],
  };
}

/** What is needed and was not met, in the order in which it is asked for. */
export function shortfallsOf({ needs }: Needs, facts: DeliveryFacts): readonly Shortfall[] {
  return needs
    .filter((need) => arrivalOfNeed(need, facts) === undefined)
    .map((need) => shortfallOf(need, facts));
}

/** When a need was met: as soon as one of its pieces had arrived. */
export function arrivalOfNeed({ anyOf, written }: Need, facts: DeliveryFacts): Arrival | undefined {
  let first: Arrival | undefined;
  for (const piece of anyOf) {
    const arrival = arrivalOfPiece(piece, facts, written);
    if (arrival !== undefined && (first === undefined || arrival.seq < first.seq)) first = arrival;
  }
  return first;
}

/**
 * An adapter takes a whole request, also where its agent cannot be handed a part of it; and a client takes what it may
 * keep from its agent.
 */
function arrivalOfPiece(
  { actor, at, kind, surfaces }: PlacedPiece,
  facts: DeliveryFacts,
  written?: string,
): Arrival | undefined {
  const { lacks, without } = facts.end ?? {};
  const isKept = surfaces.some((surface) => !isSeenInUse(surface) && without?.includes(surface));
  return lacks?.includes(kind) || isKept ? undefined : facts.arrivalOf(actor, at, written);
}

/** Why a need is not met. Of several pieces that would do, one that the agent could have got speaks for all. */
function shortfallOf(need: Need, facts: DeliveryFacts): Shortfall {
  const each = need.anyOf.map((piece) => lackOf(piece, need, facts));
  return (
    each.find(({ lack }) => lack === 'not_delivered') ??
    each.find(({ lack }) => lack === 'not_sent') ??
    each[0] ?? { lack: 'not_delivered', reason: 'nothing of it could be delivered' }
  );
}

function lackOf(piece: PlacedPiece, need: Pick<Need, 'written'>, facts: DeliveryFacts): Shortfall {
  const { actor, at, label, phase } = piece;
  const inapplicable = inapplicableBy(piece, facts);
  if (inapplicable !== undefined) return { lack: 'not_applicable', reason: inapplicable };
  if (facts.end?.skipped.includes(actor))
    return { lack: 'not_delivered', reason: `"${actor}" was not played: nobody was there to speak to` };
  const kind = pieceKind(piece.kind);
  if (!facts.actors[actor]?.phasesEntered.includes(phase))
    return { lack: 'not_delivered', reason: neverBegan(actor, phase, facts) };
  if (facts.arrivalOf(actor, at) !== undefined && need.written !== undefined)
    return { lack: 'not_delivered', reason: `a template in ${label} resolved to nothing` };
  const refusal = facts.refusalOf(actor, at);
  if (refusal !== undefined) return { lack: 'not_delivered', reason: `${label} was refused: ${refusal}` };
  const isOurs = kind.group === 'said' || kind.group === 'notice';
  if (isOurs && !facts.wasSent(actor, at))
    return { lack: 'not_sent', reason: `${label} (phase "${phase}" of "${actor}") could not be sent` };
  return { lack: 'not_delivered', reason: `${label} ${kind.missing}` };
}

/** What the agent does not have, as was known before the run or as it said itself. */
function inapplicableBy(piece: PlacedPiece, facts: DeliveryFacts): string | undefined {
  const { actor, mode, kind, label, capability, surfaces } = piece;
  const { end } = facts;
  const door = doorOf(mode);
  if (door !== undefined && isShut(door, actor, end))
    return `the agent does not serve ${protocolTitle(door)}, so "${actor}" cannot speak to it`;
  if (end?.lacks?.includes(kind)) return `this kind of agent cannot be handed ${label}`;
  if (capability !== undefined && facts.lacksCapability(actor, capability))
    return `the client declares no ${capability}`;
  const voided = voidedClaims(facts);
  const without = surfaces.find((surface) => end?.without?.includes(surface) && !voided.includes(surface));
  return without === undefined ? undefined : `the target is configured to be without ${without}`;
}

/** Surfaces that the target is configured to be without, and that the agent uses or says it has. */
export function voidedClaims({ end, usesSurface }: DeliveryFacts): readonly string[] {
  return (end?.without ?? []).filter(usesSurface);
}

function isShut(door: string, actor: string, end: EndRecord | undefined): boolean {
  return end?.doors !== undefined && !end.doors.includes(door) && end.skipped.includes(actor);
}

function neverBegan(actor: string, phase: string, { end, actors }: DeliveryFacts): string {
  const waiting = end?.waiting?.[actor];
  const counter = waiting === undefined ? '' : `: ${counterInWords(waiting)}`;
  const isOnly = Object.values(actors).filter(({ phases }) => phases.length > 0).length === 1;
  return `phase "${phase}"${isOnly ? '' : ` of "${actor}"`} never began${counter}`;
}

/** How far a trigger had come: `tools/call 1 of 3`. */
export function counterInWords({ event, count, of }: WaitingFor): string {
  return `${event} ${count} of ${of}`;
}
