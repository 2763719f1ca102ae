import { stringifyJson } from '../../format/model/json-text-values.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import type { Value } from '../../format/model/value.ts';
import type { Arrival, PendingPiece } from './delivery-facts.ts';

// Which pieces went out, and which of them arrived.

/** The pieces that records name. A record that is folded in changes the state in place: copies would cost too much. */
export interface PieceState {
  // By actor, then by piece: joining each piece with its actor into one key would cost more than a look-up.
  readonly arrived: Map<string, Map<string, CarriedPiece[]>>;
  readonly sent: Map<string, Set<string>>;
  readonly begun: Map<string, Set<string>>;
  /** Why requests with a piece were not understood. */
  readonly refusals: Map<string, string>;
  /** Requests of ours that wait for their answer. */
  readonly pending: Map<string, PendingPiece>;
  readonly turnedDown: PendingPiece[];
}

interface CarriedPiece {
  readonly arrival: Arrival;
  /** Names of the templates that resolved to nothing in the message. */
  readonly unresolved: readonly string[];
}

const mostPending = 10_000;
const mostArrivals = 50;

export function createPieceState(): PieceState {
  return {
    arrived: new Map(),
    sent: new Map(),
    begun: new Map(),
    refusals: new Map(),
    pending: new Map(),
    turnedDown: [],
  };
}

/** Notes that a message with these pieces was begun and broke off. */
export function noteBegun({ begun }: PieceState, actor: string, pieces: readonly string[]): void {
  addTo(begun, actor, pieces);
}

/** Notes that a message with these pieces was written out. */
export function noteSent({ sent }: PieceState, actor: string, pieces: readonly string[]): void {
  addTo(sent, actor, pieces);
}

export function noteArrival(
  { arrived }: PieceState,
  { actor, pieces, unresolved }: PendingPiece,
  arrival: Arrival,
): void {
  let ofActor = arrived.get(actor);
  if (ofActor === undefined) {
    ofActor = new Map();
    arrived.set(actor, ofActor);
  }
  for (const piece of pieces) {
    const before = ofActor.get(piece);
    if (before === undefined) ofActor.set(piece, [{ arrival, unresolved }]);
    // A later arrival matters if a template resolved to nothing in every earlier one.
    else if (before.length < mostArrivals) before.push({ arrival, unresolved });
  }
}

export function listAskedPieces({ pending }: PieceState, actor: string, answered: string): readonly string[] {
  return pending.get(joinKey(actor, answered))?.pieces ?? [];
}

/** Notes a request of ours. Its answer names it by this key. */
export function awaitAnswer({ pending }: PieceState, key: string, asked: PendingPiece): void {
  if (pending.size < mostPending) pending.set(joinKey(asked.actor, key), asked);
}

export function notePieceAnswer(
  state: PieceState,
  actor: string,
  answered: string,
  { refusal, refuses }: { readonly refusal?: string; readonly refuses?: true },
): void {
  const { pending, refusals, turnedDown } = state;
  const key = joinKey(actor, answered);
  const asked = pending.get(key);
  if (asked === undefined) return;
  if (refusal === undefined) noteArrival(state, asked, { seq: asked.seq, byUse: false });
  else for (const piece of asked.pieces) refusals.set(joinKey(actor, piece), refusal);
  if (refuses) turnedDown.push(asked);
  pending.delete(key);
}

/** Notes a refusal by HTTP status. It ends the whole exchange, so it names a session but no request. */
export function noteTurnedDown(
  { pending, turnedDown }: PieceState,
  actor: string | undefined,
  session: string | undefined,
): void {
  for (const [key, asked] of pending) {
    if (asked.actor !== actor || asked.session !== session) continue;
    turnedDown.push(asked);
    pending.delete(key);
  }
}

export function findArrival({ arrived }: PieceState, actor: string, at: string, written?: string): Arrival | undefined {
  const ofActor = arrived.get(actor);
  const carried = [...(ofActor?.get(at) ?? []), ...(ofActor?.get(pointToList(at)) ?? [])];
  return carried.find(
    ({ unresolved }) => written === undefined || !unresolved.some((name) => isTemplateMentioned(written, name)),
  )?.arrival;
}

export function findPieceRefusal({ refusals }: PieceState, actor: string, at: string): string | undefined {
  return refusals.get(joinKey(actor, at)) ?? refusals.get(joinKey(actor, pointToList(at)));
}

/** Whether a piece is in a set, by itself or with its whole list. */
export function hasPiece(byActor: ReadonlyMap<string, ReadonlySet<string>>, actor: string, at: string): boolean {
  const pieces = byActor.get(actor);
  return pieces !== undefined && (pieces.has(at) || pieces.has(pointToList(at)));
}

function addTo(byActor: Map<string, Set<string>>, actor: string, pieces: readonly string[]): void {
  let ofActor = byActor.get(actor);
  if (ofActor === undefined) {
    ofActor = new Set();
    byActor.set(actor, ofActor);
  }
  for (const piece of pieces) ofActor.add(piece);
}

export function joinKey(actor: string, part: string): string {
  return `${actor}\0${part}`;
}

/** The pointer that stands for the whole list that an item belongs to. */
export function pointToList(at: string): string {
  return at.replace(/\/\d+$/, '/*');
}

export function isTemplateMentioned(written: string, name: string): boolean {
  return written.includes(`{{${name}}}`);
}

/** The ids of a client's requests are its session's own. */
export function formatRequestKey(actor: string, session: string | undefined, id: Value): string {
  return joinKey(actor, stringifyJson([session ?? null, id]));
}

/** An answer names its request by id. In a protocol without ids, each request has its own session. */
export function formatAnswerKey({ id, session }: MessageRecord): string {
  return stringifyJson((id ?? session ?? null) as Value);
}
