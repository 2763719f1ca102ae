import type { BindingViews } from '../../format/model/binding-views.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { isEndRecord, type TraceRecord } from '../../format/model/trace-record.ts';
import { type ActorFacts, type DeliveryFacts, noteIncident } from './delivery-facts.ts';
import { type ActorTally, createDeliveryState, type DeliveryState, findTally, mostKept } from './delivery-state.ts';
import { foldMarker } from './fold-marker.ts';
import { foldReceived, foldSent } from './fold-message.ts';
import { createReaders, type InterpretedRecord, interpretRecord } from './interpret-record.ts';
import { findMissingThing } from './inventory.ts';
import { findArrival, findPieceRefusal, hasPiece } from './piece-state.ts';

// Collects, record by record, what reached the agent and what the agent did then.

interface DeliveryTracker {
  add(record: TraceRecord): void;
  /** Notes something that could not be read and left no record. */
  noteUnread(reason: string): void;
  facts(): DeliveryFacts;
}

export function trackDelivery(document: NormalizedDocument, views: readonly BindingViews[]): DeliveryTracker {
  const readers = createReaders(views);
  const state = createDeliveryState(document);
  return {
    add: (record) => foldRecord(state, interpretRecord(readers, record)),
    noteUnread: (reason) => noteIncident(state.unread, { reason }),
    facts: () => readDeliveryFacts(state),
  };
}

/** Folds the next record of a trace into the state, in place. */
function foldRecord(state: DeliveryState, interpreted: InterpretedRecord): void {
  foldOrder(state, interpreted.record);
  if (interpreted.from === 'observation') return;
  if (interpreted.from === 'marker') {
    foldMarker(state, interpreted.record, interpreted.byUse);
    return;
  }
  const { from, record, activity } = interpreted;
  const tally = findTally(state, record.actor, record.mode);
  // A message in a phase shows that the phase began, even if no phase marker says so.
  if (record.phase !== undefined) tally.entered.add(record.phase);
  (from === 'agent' ? foldReceived : foldSent)(state, tally, record, activity);
}

/** Notes missing records, and how the run ended. */
function foldOrder(state: DeliveryState, record: TraceRecord): void {
  const { nextSeq, cuts } = state;
  if (record.seq > nextSeq) noteIncident(cuts, { reason: describeMissing(nextSeq, record.seq - 1) });
  if (record.seq < nextSeq) noteIncident(cuts, { reason: 'the trace holds records of more than one run' });
  state.nextSeq = record.seq + 1;
  // A record after the end record belongs to another run, so that end does not count.
  state.end = isEndRecord(record) ? record : undefined;
}

function describeMissing(first: number, last: number): string {
  return first === last ? `record ${first} is not in the trace` : `records ${first} to ${last} are not in the trace`;
}

/** What the records that were folded in say of the run. */
function readDeliveryFacts(state: DeliveryState): DeliveryFacts {
  const { actors, pieces, faulted, surfaces, masked, hasAnswered, lastActivity } = state;
  const { end, hasPieces, isVisible, lastUse, cuts, overdue } = state;
  return {
    actors: Object.fromEntries([...actors].map(([actor, tally]) => [actor, readActor(tally)])),
    contacts: actors,
    end,
    hasPieces,
    isVisible,
    lastActivity: hasAnswered ? Math.max(lastActivity, faulted.lastDeclined) : lastActivity,
    lastUse,
    troubles: hasAnswered ? state.troubles : [...state.troubles, ...faulted.declined],
    cuts,
    unread: [...state.unread, ...faulted.doubtful],
    overdue,
    findArrival: (actor, at, written) => findArrival(pieces, actor, at, written),
    findRefusal: (actor, at) => findPieceRefusal(pieces, actor, at),
    // In a trace with gaps, the page that has it may be missing.
    findAbsence: (actor, at) =>
      cuts.length + state.unread.length > 0 ? undefined : findMissingThing(state.inventory, actor, at),
    wasBegun: (actor, at) => hasPiece(pieces.begun, actor, at),
    wasSent: (actor, at) => hasPiece(pieces.sent, actor, at),
    turnedDown: pieces.turnedDown,
    lacksCapability(actor, capability) {
      const tally = actors.get(actor);
      return tally?.hasDeclared === true && !tally.declared.has(capability);
    },
    usesSurface: (surface) =>
      surfaces.has(surface) || [...actors.values()].some(({ declared }) => declared.has(surface)),
    wasMasked: (seq) => (seq === undefined ? masked.size > 0 : masked.has(seq) || masked.size === mostKept),
    lastRefusal: Math.max(state.lastRefusal, faulted.lastDeclined),
  };
}

function readActor({ mode, phases, reached, engaged, served, trouble, entered, eras }: ActorTally): ActorFacts {
  const troubled = trouble === undefined ? {} : { trouble };
  const spoken = eras.size === 0 ? {} : { eras: [...eras] };
  return { mode, reached, engaged, served, ...troubled, ...spoken, phases, phases_entered: [...entered] };
}
