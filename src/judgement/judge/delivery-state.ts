import type { Mode } from '../../format/model/enumeration-types.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import type { EndRecord } from '../../format/model/trace-record.ts';
import type { ActorContact, Incident } from './delivery-facts.ts';
import { createFaultedRequests, type FaultedRequests } from './faulted-requests.ts';
import { createInventory, type Inventory } from './inventory.ts';
import { createPieceState, type PieceState } from './piece-state.ts';

/**
 * What the records so far say of a run. It is plain data, and each record that is folded in changes it in place. Its size
 * does not grow with the trace.
 */
export interface DeliveryState {
  readonly actors: Map<string, ActorTally>;
  readonly pieces: PieceState;
  readonly inventory: Inventory;
  readonly faulted: FaultedRequests;
  readonly surfaces: Set<string>;
  /** The phase in which an actor was first asked for the list of a surface. */
  readonly listedIn: Map<string, string>;
  /** Requests that the agent cancelled. */
  readonly takenBack: Set<string>;
  /** Records from which secrets were removed. */
  readonly masked: Set<number>;
  readonly troubles: Incident[];
  readonly cuts: Incident[];
  readonly unread: Incident[];
  readonly overdue: Incident[];
  end: EndRecord | undefined;
  nextSeq: number;
  hasPieces: boolean;
  isVisible: boolean;
  hasAnswered: boolean;
  lastActivity: number;
  lastUse: number;
  lastRefusal: number;
}

/** What the records so far say of one actor. */
export interface ActorTally extends ActorContact {
  readonly mode: Mode;
  readonly phases: readonly string[];
  reached: boolean;
  isHeard: boolean;
  readonly refusals: Map<string, number>;
  engaged: boolean;
  served: number;
  trouble?: string | undefined;
  readonly entered: Set<string>;
  readonly eras: Set<string>;
  readonly declared: Set<string>;
  hasDeclared: boolean;
}

/** The number of reasons for refusals that are kept apart for an actor. */
const mostRefusals = 20;

/** The size at which a collection of requests or records stops growing. */
export const mostKept = 10_000;

export function createDeliveryState({ attack }: NormalizedDocument): DeliveryState {
  return {
    actors: new Map(
      attack.execution.actors.map(({ name, mode, phases }) => [
        name,
        createTally(
          mode,
          phases.map((phase) => phase.name),
        ),
      ]),
    ),
    pieces: createPieceState(),
    inventory: createInventory(),
    faulted: createFaultedRequests(),
    surfaces: new Set(),
    listedIn: new Map(),
    takenBack: new Set(),
    masked: new Set(),
    troubles: [],
    cuts: [],
    unread: [],
    overdue: [],
    end: undefined,
    nextSeq: 0,
    hasPieces: false,
    isVisible: false,
    hasAnswered: false,
    lastActivity: -1,
    lastUse: -1,
    lastRefusal: -1,
  };
}

function createTally(mode: Mode, phases: readonly string[] = []): ActorTally {
  const nothing = { reached: false, isHeard: false, engaged: false, served: 0, hasDeclared: false };
  return { mode, phases, ...nothing, refusals: new Map(), entered: new Set(), eras: new Set(), declared: new Set() };
}

/** The tally of an actor. An actor that no document names is counted from its first message. */
export function findTally({ actors }: DeliveryState, actor: string, mode: Mode): ActorTally {
  let tally = actors.get(actor);
  if (tally === undefined) {
    tally = createTally(mode);
    actors.set(actor, tally);
  }
  return tally;
}

/** Counts a message that the agent sent to an actor and that was not served. */
export function noteRefusal({ refusals }: ActorTally, reason: string): void {
  const before = refusals.get(reason);
  if (before !== undefined || refusals.size < mostRefusals) refusals.set(reason, (before ?? 0) + 1);
}
