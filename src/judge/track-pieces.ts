import type { Arrival, DeliveryFacts, PendingPiece } from './delivery-facts.ts';

// Which pieces went out, and which of them arrived.

interface Carried {
  readonly arrival: Arrival;
  /** Names of the templates that resolved to nothing in the message. */
  readonly unresolved: readonly string[];
}

type PieceFacts = Pick<DeliveryFacts, 'arrivalOf' | 'refusalOf' | 'wasBegun' | 'wasSent' | 'turnedDown'>;

export interface PieceTracker extends PieceFacts {
  /** Notes that a message with these pieces was begun and broke off. */
  begin(actor: string, pieces: readonly string[]): void;
  /** Notes that a message with these pieces was written out. */
  send(actor: string, pieces: readonly string[]): void;
  arrive(carried: PendingPiece, arrival: Arrival): void;
  /** A request of ours waits for its answer, which names the request by this key. */
  ask(key: string, asked: PendingPiece): void;
  answer(actor: string, key: string, how: { readonly refusal?: string; readonly refuses?: true }): void;
  /** A refusal by HTTP status ends the whole exchange, so it names a session but no request. */
  turnDown(actor: string | undefined, session: string | undefined): void;
}

const mostPending = 10_000;
const mostArrivals = 50;

export function trackPieces(): PieceTracker {
  // By actor, then by piece: a message names its pieces anew, and joining each with its actor costs more than a look-up.
  const arrived = new Map<string, Map<string, Carried[]>>();
  const sent = new Map<string, Set<string>>();
  const begun = new Map<string, Set<string>>();
  const refusals = new Map<string, string>();
  const pending = new Map<string, PendingPiece>();
  const turnedDown: PendingPiece[] = [];

  function arrive({ actor, pieces, unresolved }: PendingPiece, arrival: Arrival): void {
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

  function carriedAt(actor: string, at: string): readonly Carried[] {
    const ofActor = arrived.get(actor);
    return [...(ofActor?.get(at) ?? []), ...(ofActor?.get(listOf(at)) ?? [])];
  }

  return {
    begin: (actor, pieces) => addTo(begun, actor, pieces),
    send: (actor, pieces) => addTo(sent, actor, pieces),
    arrive,
    ask(key, asked) {
      if (pending.size < mostPending) pending.set(keyOf(asked.actor, key), asked);
    },
    answer(actor, answered, { refusal, refuses }) {
      const key = keyOf(actor, answered);
      const asked = pending.get(key);
      if (asked === undefined) return;
      if (refusal === undefined) arrive(asked, { seq: asked.seq, byUse: false });
      else for (const piece of asked.pieces) refusals.set(keyOf(actor, piece), refusal);
      if (refuses) turnedDown.push(asked);
      pending.delete(key);
    },
    turnDown(actor, session) {
      for (const [key, asked] of pending) {
        if (asked.actor !== actor || asked.session !== session) continue;
        turnedDown.push(asked);
        pending.delete(key);
      }
    },
    arrivalOf: (actor, at, written) =>
      carriedAt(actor, at).find(
        ({ unresolved }) => written === undefined || !unresolved.some((name) => mentions(written, name)),
      )?.arrival,
    refusalOf: (actor, at) => refusals.get(keyOf(actor, at)) ?? refusals.get(keyOf(actor, listOf(at))),
    wasBegun: (actor, at) => isIn(begun.get(actor), at),
    wasSent: (actor, at) => isIn(sent.get(actor), at),
    turnedDown,
  };
}

function addTo(byActor: Map<string, Set<string>>, actor: string, pieces: readonly string[]): void {
  let ofActor = byActor.get(actor);
  if (ofActor === undefined) {
    ofActor = new Set();
    byActor.set(actor, ofActor);
  }
  for (const piece of pieces) ofActor.add(piece);
}

/** Whether a piece is in a set, by itself or with its whole list. */
function isIn(pieces: ReadonlySet<string> | undefined, at: string): boolean {
  return pieces !== undefined && (pieces.has(at) || pieces.has(listOf(at)));
}

export function keyOf(actor: string, part: string): string {
  return `${actor}\0${part}`;
}

/** The pointer that stands for the whole list that an item belongs to. */
export function listOf(at: string): string {
  return at.replace(/\/\d+$/, '/*');
}

export function mentions(written: string, name: string): boolean {
  return written.includes(`{{${name}}}`);
}
