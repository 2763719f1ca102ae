import type { DeliveryEntry } from '../../format/model/results-file.ts';
import type { EndRecord } from '../../format/model/trace-record.ts';

// What the records say of a run: what reached the agent, and what the agent did then.

/** The facts about one actor that the records give, without the document. */
export type ActorFacts = Omit<DeliveryEntry, 'delivered' | 'phases_seen' | 'waiting'>;

/** Whether the agent found an actor. */
export interface ActorContact {
  /** Whether any message of the agent could be served. */
  readonly isHeard: boolean;
  /** Why messages of the agent were refused, and how many for each reason. */
  readonly refusals: ReadonlyMap<string, number>;
}

/** The first time that a piece reached the agent. */
export interface Arrival {
  /** The `seq` of the record that carried the piece. */
  readonly seq: number;
  /** True if the piece came in the answer to a use by the agent: the agent was at work when it arrived. */
  readonly byUse: boolean;
}

/** Something that went wrong, and the actor it happened to. */
export interface Incident {
  readonly actor?: string;
  readonly reason: string;
  /** Set if no peer was there to answer. */
  readonly absent?: true;
  /** Set if the incident counts as a refusal once the same agent is known to answer the benign twin. */
  readonly refuses?: true;
}

export interface DeliveryFacts {
  readonly actors: { readonly [actor: string]: ActorFacts };
  /** How the agent found each actor. */
  readonly contacts: ReadonlyMap<string, ActorContact>;
  /** The end record. A trace without one does not say how the run ended. */
  readonly end: EndRecord | undefined;
  /** Whether any message of ours lists the pieces that it carries. */
  readonly hasPieces: boolean;
  /** Whether a client actor spoke to the agent, so that the agent's answers are visible. */
  readonly isVisible: boolean;
  readonly lastActivity: number;
  readonly lastUse: number;
  readonly troubles: readonly Incident[];
  readonly cuts: readonly Incident[];
  readonly unread: readonly Incident[];
  /** Expressions that ran out of time on a message. */
  readonly overdue: readonly Incident[];
  /**
   * When a piece arrived, given its pointer in the normalized actor; undefined if it did not arrive. With `written`, only a
   * message in which all templates of that text resolved counts.
   */
  findArrival(actor: string, at: string, written?: string): Arrival | undefined;
  /** Why a request that carried the piece was not understood. */
  findRefusal(actor: string, at: string): string | undefined;
  /** What the agent lacks by its own lists, so that a request with the piece could not do what it asks. */
  findAbsence(actor: string, at: string): string | undefined;
  /** Whether a message with the piece was begun and broke off before its end. */
  wasBegun(actor: string, at: string): boolean;
  /** Whether a message with the piece was written out. */
  wasSent(actor: string, at: string): boolean;
  /** Whether a client of the actor has declared its capabilities and this one is not among them. */
  lacksCapability(actor: string, capability: string): boolean;
  /** Whether the agent used a surface, or declares that it has it. */
  usesSurface(surface: string): boolean;
  /** Whether secrets were removed from a record, or from any if `seq` is left out. */
  wasMasked(seq?: number): boolean;
  /** Requests of ours that may have been refused, and the last record that may be a refusal (-1 if there is none). */
  readonly turnedDown: readonly PendingPiece[];
  readonly lastRefusal: number;
}

/** A request of ours. Its answer will show whether it was understood. */
export interface PendingPiece {
  readonly actor: string;
  readonly session: string | undefined;
  readonly seq: number;
  readonly pieces: readonly string[];
  readonly unresolved: readonly string[];
}

const mostIncidents = 50;

/** Refusals are counted apart, so that many of them cannot hide a failure. */
export function noteIncident(incidents: Incident[], incident: Incident): void {
  const alike = incidents.filter(({ refuses }) => refuses === incident.refuses);
  if (alike.length < mostIncidents) incidents.push(incident);
}
