import type { EndRecord, WaitingFor } from '../model/trace.ts';
import { doorOf } from '../registry/modes.ts';
import { isSeenInUse, pieceKind } from '../registry/pieces.ts';
import { protocolTitle } from '../registry/protocols.ts';
import type { ActorFacts, Arrival, DeliveryFacts } from './delivery-facts.ts';
import type { Need, Needs } from './needs.ts';
import type { PlacedPiece } from './pieces.ts';

/** A piece of the document, and whether it reached the agent. */
export interface CoveredPiece {
  readonly actor: string;
  /** The phase that writes the piece. */
  readonly phase: string;
  /** JSON Pointer into the normalized actor, as records carry it. */
  readonly at: string;
  readonly kind: string;
  readonly label: string;
  readonly delivered: boolean;
  /** Whether the attack needs this piece, or one of a group of pieces that this one belongs to. */
  readonly needed: boolean;
  /** Why the piece did not reach the agent, in words. */
  readonly reason?: string;
}

/** The pieces of a document, and which of them reached the agent. */
export interface Coverage {
  readonly pieces: readonly CoveredPiece[];
  readonly delivered: number;
  /** True if the needed pieces were inferred because the document does not mark its attack. */
  readonly inferred: boolean;
  /** Why each unmet need was not met, in words. */
  readonly missing: readonly string[];
}

/** How much of an actor reached the agent. */
export interface ActorDelivery extends ActorFacts {
  /** Whether any piece of the actor reached the agent. */
  readonly delivered: boolean;
  /** The phases with at least one delivered piece that they wrote themselves. */
  readonly phasesSeen: readonly string[];
  /** How far the trigger of the actor's last phase had counted when the run ended. */
  readonly waiting?: WaitingFor;
}

/** The delivery of each actor, by its name. */
export interface Delivery {
  readonly [actor: string]: ActorDelivery;
}

/** Says how far each actor got. `absent` actors are left out: the operator stands in for them, so we deliver nothing. */
export function deliveryOf(
  { pieces }: Coverage,
  { actors, end }: DeliveryFacts,
  absent: readonly string[],
): Delivery {
  const delivered = pieces.filter((piece) => piece.delivered && pieceKind(piece.kind).group !== 'notice');
  return Object.fromEntries(
    Object.entries(actors).flatMap(([actor, facts]) => {
      if (absent.includes(actor)) return [];
      // An actor without phases is not in the document: it only speaks for the user, and so it has no pieces.
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

/** The three ways in which a need can stay unmet. */
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

/** The unmet needs, in the order of `needs`. */
export function shortfallsOf({ needs }: Needs, facts: DeliveryFacts): readonly Shortfall[] {
  return needs
    .filter((need) => arrivalOfNeed(need, facts) === undefined)
    .map((need) => shortfallOf(need, facts));
}

/** Finds the first arrival among the pieces that meet a need; undefined if none of them arrived. */
export function arrivalOfNeed({ anyOf, written }: Need, facts: DeliveryFacts): Arrival | undefined {
  let first: Arrival | undefined;
  for (const piece of anyOf) {
    const arrival = arrivalOfPiece(piece, facts, written);
    if (arrival !== undefined && (first === undefined || arrival.seq < first.seq)) first = arrival;
  }
  return first;
}

/**
 * Finds when a piece reached the agent. A sent piece does not count if the adapter cannot hand its kind to the agent, or if
 * the target is configured to be without its surface and use of that surface cannot be seen: the client may keep it back.
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

/** Says why a need is unmet. If several pieces could meet it, a piece that the agent could have received decides. */
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
    return { lack: 'not_delivered', reason: `"${actor}" was not played: it had no agent to speak to` };
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

/**
 * Says which declaration shows that the agent cannot receive a piece: the configuration, the adapter or the client's own.
 */
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

/** The surfaces that the configuration says the agent lacks, but that the agent uses or declares. */
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

/** Formats how far a trigger has counted: `tools/call 1 of 3`. */
export function counterInWords({ event, count, of }: WaitingFor): string {
  return `${event} ${count} of ${of}`;
}
