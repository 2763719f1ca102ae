import type { CoverageEntry, RunEntry } from '../../format/model/results-file.ts';
import { describeWaiting, type EndRecord } from '../../format/model/trace-record.ts';
import { findAgentInterface, userMode } from '../../format/registry/known-modes.ts';
import { findPieceKind, isSeenInUse } from '../../format/registry/piece-kinds.ts';
import { formatProtocolTitle } from '../../format/registry/protocols.ts';
import type { Arrival, DeliveryFacts } from './delivery-facts.ts';
import type { PlacedPiece } from './list-pieces.ts';
import type { Need, Needs } from './needs.ts';

/** Says how far each actor got. `absent` actors are left out: the operator stands in for them, so we deliver nothing. */
export function computeDelivery(
  { pieces }: Pick<CoverageEntry, 'pieces'>,
  { actors, end }: DeliveryFacts,
  absent: readonly string[],
): RunEntry['delivery'] {
  const delivered = pieces.filter((piece) => piece.delivered && findPieceKind(piece.kind).group !== 'notice');
  return Object.fromEntries(
    Object.entries(actors).flatMap(([actor, { phases_entered, ...facts }]) => {
      if (absent.includes(actor)) return [];
      const own = delivered.filter((piece) => piece.actor === actor);
      const waiting = end?.waiting?.[actor];
      // An actor without phases is not in the document: it only speaks for the user, and so it has no pieces.
      const seen =
        facts.phases.length === 0
          ? { delivered: facts.reached, phases_entered, phases_seen: phases_entered }
          : {
              delivered: own.length > 0,
              ...(waiting !== undefined && { waiting }),
              phases_entered,
              phases_seen: [...new Set(own.map(({ phase }) => phase))],
            };
      return [[actor, { ...facts, ...seen }] as const];
    }),
  );
}

/** The three ways in which a need can stay unmet. */
type Lack = 'not_applicable' | 'not_sent' | 'not_delivered';

export interface Shortfall {
  readonly lack: Lack;
  readonly reason: string;
}

export function computeCoverage(pieces: readonly PlacedPiece[], needs: Needs, facts: DeliveryFacts): CoverageEntry {
  const needed = new Set(needs.needs.flatMap(({ anyOf }) => anyOf));
  const loss = findAdapterLoss(facts);
  const covered = pieces.map((piece) => {
    const { actor, phase, at, kind, label } = piece;
    const arrived = findPieceArrival(piece, facts) !== undefined;
    const isLost = arrived && loss !== undefined && isSaidByUser(piece);
    const delivered = arrived && !isLost;
    const why = delivered ? {} : { reason: isLost ? loss : findPieceLack(piece, {}, facts).reason };
    return { actor, phase, at, kind, label, delivered, needed: needed.has(piece), ...why };
  });
  const reasons = [...findShortfalls(needs, facts).map(({ reason }) => reason), ...(loss === undefined ? [] : [loss])];
  return {
    delivered: covered.filter(({ delivered }) => delivered).length,
    of: covered.length,
    inferred: needs.inferred,
    missing: [...new Set([...reasons, ...needs.unplayed.map((part) => `no binding plays ${part}`)])],
    pieces: covered,
  };
}

/** Reports a loss that only the agent's adapter saw. It counts only if a user actor of the document spoke. */
export function findAdapterLoss({ end, actors }: DeliveryFacts): string | undefined {
  const isSpoken = Object.values(actors).some(({ mode, phases }) => mode === userMode && phases.length > 0);
  return end?.missed === undefined || !isSpoken ? undefined : `not all of the attack reached the agent: ${end.missed}`;
}

/** An adapter does not tell which of the user's words were lost, so none of them counts as delivered. */
function isSaidByUser({ mode, kind }: PlacedPiece): boolean {
  return mode === userMode && findPieceKind(kind).group === 'said';
}

/** The unmet needs, in the order of `needs`. */
export function findShortfalls({ needs }: Needs, facts: DeliveryFacts): readonly Shortfall[] {
  return needs
    .filter((need) => findNeedArrival(need, facts) === undefined)
    .map((need) => explainShortfall(need, facts));
}

/** Finds the first arrival among the pieces that meet a need; undefined if none of them arrived. */
export function findNeedArrival({ anyOf, written }: Need, facts: DeliveryFacts): Arrival | undefined {
  let first: Arrival | undefined;
  for (const piece of anyOf) {
    const arrival = findPieceArrival(piece, facts, written);
    if (arrival !== undefined && (first === undefined || arrival.seq < first.seq)) first = arrival;
  }
  return first;
}

/**
 * Finds when a piece reached the agent. A sent piece does not count if the adapter cannot hand its kind to the agent, if the
 * agent lacks what it names, or if the target is configured to be without its surface and use of that surface cannot be seen:
 * the client may keep it back.
 */
function findPieceArrival(
  { actor, at, kind, surfaces }: PlacedPiece,
  facts: DeliveryFacts,
  written?: string,
): Arrival | undefined {
  const { lacks } = facts.end ?? {};
  const isKept = surfaces.some((surface) => !isSeenInUse(surface) && isWithout(surface, facts));
  const isLost = lacks?.includes(kind) || isKept || facts.findAbsence(actor, at) !== undefined;
  return isLost ? undefined : facts.findArrival(actor, at, written);
}

/** Says why a need is unmet. If several pieces could meet it, a piece that the agent could have received decides. */
function explainShortfall(need: Need, facts: DeliveryFacts): Shortfall {
  const each = need.anyOf.map((piece) => findPieceLack(piece, need, facts));
  return (
    each.find(({ lack }) => lack === 'not_delivered') ??
    each.find(({ lack }) => lack === 'not_sent') ??
    each[0] ?? { lack: 'not_delivered', reason: 'nothing of it could be delivered' }
  );
}

function findPieceLack(piece: PlacedPiece, need: Pick<Need, 'written'>, facts: DeliveryFacts): Shortfall {
  const { actor, at, label, phase } = piece;
  const inapplicable = explainInapplicable(piece, facts);
  if (inapplicable !== undefined) return { lack: 'not_applicable', reason: inapplicable };
  if (facts.end?.skipped.includes(actor))
    return { lack: 'not_delivered', reason: `"${actor}" was not played: it had no agent to speak to` };
  const kind = findPieceKind(piece.kind);
  if (!facts.actors[actor]?.phases_entered.includes(phase))
    return { lack: 'not_delivered', reason: explainNeverBegan(actor, phase, facts) };
  if (facts.findArrival(actor, at) !== undefined && need.written !== undefined)
    return { lack: 'not_delivered', reason: `a template in ${label} resolved to nothing` };
  const refusal = facts.findRefusal(actor, at);
  if (refusal !== undefined) return { lack: 'not_delivered', reason: `${label} was refused: ${refusal}` };
  const isOurs = kind.group === 'said' || kind.group === 'notice';
  if (isOurs && !facts.wasSent(actor, at))
    return { lack: 'not_sent', reason: `${label} (phase "${phase}" of "${actor}") could not be sent` };
  return { lack: 'not_delivered', reason: `${label} ${kind.missing}` };
}

/**
 * Says which declaration shows that the agent cannot receive a piece: the configuration, the adapter, the client's own or a
 * server's list.
 */
function explainInapplicable(piece: PlacedPiece, facts: DeliveryFacts): string | undefined {
  const { actor, at, mode, kind, label, capability, surfaces } = piece;
  const { end } = facts;
  const side = findAgentInterface(mode);
  if (side !== undefined && isShut(side, actor, end))
    return `the agent does not serve ${formatProtocolTitle(side)}, so "${actor}" cannot speak to it`;
  if (end?.lacks?.includes(kind)) return `this kind of agent cannot be handed ${label}`;
  if (capability !== undefined && facts.lacksCapability(actor, capability))
    return `the client declares no ${capability}`;
  const absence = facts.findAbsence(actor, at);
  if (absence !== undefined) return absence;
  const without = surfaces.find((surface) => isWithout(surface, facts));
  return without === undefined ? undefined : `the target is configured to be without ${without}`;
}

/** Whether the agent lacks a surface according to its configuration, and nothing that it did says otherwise. */
function isWithout(surface: string, { end, usesSurface }: DeliveryFacts): boolean {
  return (end?.without?.includes(surface) ?? false) && !usesSurface(surface);
}

/** The surfaces that the configuration says the agent lacks, but that the agent uses or declares. */
export function listVoidedClaims({ end, usesSurface }: DeliveryFacts): readonly string[] {
  return (end?.without ?? []).filter(usesSurface);
}

function isShut(side: string, actor: string, end: EndRecord | undefined): boolean {
  return end?.doors !== undefined && !end.doors.includes(side) && end.skipped.includes(actor);
}

function explainNeverBegan(actor: string, phase: string, { end, actors }: DeliveryFacts): string {
  const waiting = end?.waiting?.[actor];
  const counter = waiting === undefined ? '' : `: ${describeWaiting(waiting)}`;
  const isOnly = Object.values(actors).filter(({ phases }) => phases.length > 0).length === 1;
  return `phase "${phase}"${isOnly ? '' : ` of "${actor}"`} never began${counter}`;
}
