import { createEchoes } from '../evaluate/echoes.ts';
import type { Mode, Protocol } from '../model/enumerations.ts';
import { stringifyJson } from '../model/json.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import { observedProtocol } from '../model/observation.ts';
import {
  type EndRecord,
  isEndRecord,
  isFaulted,
  isMessageRecord,
  type MarkerRecord,
  type MessageRecord,
  type TraceRecord,
} from '../model/trace.ts';
import type { Value } from '../model/value.ts';
import type { BindingViews, Signs } from '../model/views.ts';
import { isClientMode } from '../registry/modes.ts';
import { listChanges } from '../registry/pieces.ts';
import { erasOf } from '../registry/protocols.ts';
import { blanked } from './blanked.ts';

// What got through to the agent and what came of it, record by record. Memory does not grow with the trace.

/** What the records tell of an actor. */
export interface ActorFacts {
  readonly mode: Mode;
  /** The agent sent this actor anything at all. */
  readonly reached: boolean;
  /** The agent used what the actor offers, or answered it. */
  readonly engaged: boolean;
  /** Messages that were sent to the agent. */
  readonly served: number;
  /** Why the agent did not get to the end of an answer, the first time it did not. */
  readonly trouble?: string;
  /** The eras that the agent spoke to it in, where its protocol has several. */
  readonly eras?: readonly string[];
  readonly phases: readonly string[];
  readonly phasesEntered: readonly string[];
}

/** When a piece first reached the agent. */
export interface Arrival {
  /** The record that carried it. */
  readonly seq: number;
  /** It answered a use of the agent's, so that the agent was at work when it came. */
  readonly byUse: boolean;
}

/** Something that went wrong, and with whom. */
export interface Incident {
  readonly actor?: string;
  readonly reason: string;
  /** Nobody was there. */
  readonly absent?: true;
  /** It is a refusal, where it is known that the same agent answers what is harmless. */
  readonly refuses?: true;
}

export interface DeliveryFacts {
  readonly actors: { readonly [actor: string]: ActorFacts };
  /** The end record; a trace without one does not say how the run ended. */
  readonly end: EndRecord | undefined;
  /** Whether any message of ours says which pieces it carries. */
  readonly hasPieces: boolean;
  /** Whether anybody speaks to the agent where its answers are seen. */
  readonly isVisible: boolean;
  readonly lastSign: number;
  readonly lastUse: number;
  readonly troubles: readonly Incident[];
  readonly cuts: readonly Incident[];
  readonly unread: readonly Incident[];
  /** Expressions that were not through with a message in their time. */
  readonly overdue: readonly Incident[];
  /** When a piece arrived, at its pointer in the normalized actor; nothing if it did not. */
  arrivalOf(actor: string, at: string, written?: string): Arrival | undefined;
  /** Why a request that carried the piece was not understood. */
  refusalOf(actor: string, at: string): string | undefined;
  /** Whether a piece was on its way to the agent when that broke off. */
  wasBegun(actor: string, at: string): boolean;
  /** Whether anything that carries the piece was written out. */
  wasSent(actor: string, at: string): boolean;
  /** Whether a client of the actor has said what it can do, and this was not among it. */
  lacksCapability(actor: string, capability: string): boolean;
  /** Whether the agent turned to a surface, or says itself that it has it. */
  usesSurface(surface: string): boolean;
  /** Requests of ours that may have been refused, and the last record that may be a refusal; -1 where none is. */
  readonly turnedDown: readonly Carrier[];
  readonly lastRefusal: number;
}

export interface DeliveryTracker {
  add(record: TraceRecord): void;
  facts(): DeliveryFacts;
}

interface Tally {
  readonly mode: Mode;
  readonly phases: readonly string[];
  reached: boolean;
  engaged: boolean;
  served: number;
  trouble?: string | undefined;
  readonly entered: Set<string>;
  readonly eras: Set<string>;
  readonly declared: Set<string>;
  hasDeclared: boolean;
}

interface Carried {
  readonly arrival: Arrival;
  /** Names of templates that resolved to nothing in the message. */
  readonly unresolved: readonly string[];
}

/** A request of ours whose answer will tell whether it was understood. */
export interface Carrier {
  readonly actor: string;
  readonly session: string | undefined;
  readonly seq: number;
  readonly pieces: readonly string[];
  readonly unresolved: readonly string[];
}

const mostPending = 10_000;
const mostIncidents = 50;

export function trackDelivery(document: NormalizedDocument, views: readonly BindingViews[]): DeliveryTracker {
  const byProtocol = new Map<Protocol, BindingViews>(views.map((view) => [view.protocol, view]));
  // An agent that only repeats what we said has said nothing.
  const echoes = createEchoes(views, new Set(byProtocol.keys()));
  const tallies = new Map<string, Tally>();
  const arrived = new Map<string, Carried[]>();
  const sent = new Set<string>();
  const begun = new Set<string>();
  const refusals = new Map<string, string>();
  const pending = new Map<string, Carrier>();
  const surfaces = new Set<string>();
  const listedIn = new Map<string, string>();
  const troubles: Incident[] = [];
  const cuts: Incident[] = [];
  const unread: Incident[] = [];
  const overdue: Incident[] = [];
  /** Requests that the document had broken, and what came in answer to one and cannot be read. */
  const faulted = new Set<string>();
  const doubtful: Incident[] = [];
  let end: EndRecord | undefined;
  let nextSeq = 0;
  let hasPieces = false;
  let isVisible = false;
  let lastSign = -1;
  let lastUse = -1;
  let lastRefusal = -1;
  const turnedDown: Carrier[] = [];

  for (const { name, mode, phases } of document.attack.execution.actors)
    tallyOf(
      name,
      mode,
      phases.map((phase) => phase.name),
    );

  function tallyOf(actor: string, mode: Mode, phases: readonly string[] = []): Tally {
    let tally = tallies.get(actor);
    if (tally === undefined) {
      const nothing = { reached: false, engaged: false, served: 0, hasDeclared: false };
      tally = { mode, phases, ...nothing, entered: new Set(), eras: new Set(), declared: new Set() };
      tallies.set(actor, tally);
    }
    return tally;
  }

  function arrive({ actor, pieces, unresolved }: Carrier, arrival: Arrival): void {
    for (const piece of pieces) {
      const key = keyOf(actor, piece);
      const before = arrived.get(key);
      if (before === undefined) arrived.set(key, [{ arrival, unresolved }]);
      // What came whole needs no second witness.
      else if (before.every((each) => each.unresolved.length > 0) && before.length < mostIncidents)
        before.push({ arrival, unresolved });
    }
  }

  function addOurs(record: MessageRecord, tally: Tally, signs: Signs): void {
    tally.served += 1;
    if (isClientMode(record.mode)) isVisible = true;
    const { actor, pieces, seq } = record;
    if (isFaulted(record)) faulted.add(keyOf(actor, answerKey(record)));
    for (const piece of record.begun ?? []) begun.add(keyOf(actor, piece));
    if (pieces === undefined) return;
    hasPieces = true;
    for (const piece of pieces) sent.add(keyOf(actor, piece));
    const all = { actor, session: record.session, seq, pieces, unresolved: record.unresolved ?? [] };
    const carried = isFaulted(record) ? takeFault(all, record) : all;
    const { answersIfDeclared } = signs;
    if (answersIfDeclared !== undefined && tally.declared.has(answersIfDeclared))
      arrive(carried, { seq, byUse: false });
    else if (record.kind === 'request') {
      if (pending.size < mostPending) pending.set(keyOf(actor, answerKey(record)), carried);
    } else arrive(carried, { seq, byUse: signs.use === true });
  }

  /** What was broken on its way out has reached its peer as that, whatever becomes of what it was to be. */
  function takeFault(carrier: Carrier, { sent: by }: MessageRecord): Carrier {
    arrive(
      { ...carrier, pieces: carrier.pieces.filter((piece) => piece === by?.rule) },
      { seq: carrier.seq, byUse: false },
    );
    return { ...carrier, pieces: carrier.pieces.filter((piece) => piece !== by?.rule) };
  }

  /** Whether a record tells what became of a request that the document had broken. */
  function isOfFaulted({ actor = '', id, session }: MessageRecord | MarkerRecord): boolean {
    return [id, session].some((name) => name !== undefined && faulted.has(keyOf(actor, stringifyJson(name))));
  }

  function addTheirs(record: MessageRecord, given: Signs): void {
    const tally = tallyOf(record.actor, record.mode);
    // Whoever answers what is broken with an error is at work.
    const signs =
      faulted.size > 0 && isOfFaulted(record) ? { ...given, alive: true, trouble: undefined } : given;
    tally.reached = true;
    const era = record.era ?? erasOf(record.protocol)[0];
    if (era !== undefined && !signs.probes) tally.eras.add(era);
    const isServed = record.refused === undefined;
    if (isServed && (record.kind === 'response' || record.kind === 'event')) {
      const key = keyOf(record.actor, answerKey(record));
      const asked = pending.get(key);
      if (asked !== undefined && signs.refusal === undefined) arrive(asked, { seq: asked.seq, byUse: false });
      if (asked !== undefined && signs.refusal !== undefined)
        for (const piece of asked.pieces) refusals.set(keyOf(record.actor, piece), signs.refusal);
      if (asked !== undefined && signs.refuses) turnedDown.push(asked);
      pending.delete(key);
    }
    if (record.covered)
      note(unread, { actor: record.actor, reason: 'secrets in it were covered when it was stored' });
    if (signs.alive) lastSign = record.seq;
    if (signs.use) {
      lastSign = record.seq;
      lastUse = record.seq;
      tally.engaged = true;
    }
    if (signs.surface !== undefined) surfaces.add(signs.surface);
    if (signs.surface !== undefined && signs.lists) noteListing(record, signs.surface);
    // What is wrong with an answer that is not taken is told by the end of its request.
    if (isServed) tally.trouble ??= signs.trouble;
    if (isServed && signs.trouble !== undefined)
      note(troubles, {
        actor: record.actor,
        reason: signs.trouble,
        ...(signs.absent && { absent: true }),
        ...(signs.refuses && { refuses: true }),
      });
    if (isServed && signs.refuses) lastRefusal = record.seq;
    if (isServed && signs.declares !== undefined) {
      tally.hasDeclared = true;
      for (const capability of signs.declares) tally.declared.add(capability);
    }
  }

  /** Who asks for a list again in a later phase sees what has changed in it. */
  function noteListing({ actor, phase = '' }: MessageRecord, surface: string): void {
    const key = keyOf(actor, surface);
    const first = listedIn.get(key) ?? phase;
    listedIn.set(key, first);
    if (first !== phase) surfaces.add(listChanges);
  }

  function addMarker(record: MarkerRecord): void {
    const { kind, actor, phase, reason } = record;
    const refuses = record.cause === 'trouble' && isRefusingStatus(record.status);
    const tally = actor === undefined ? undefined : tallies.get(actor);
    if (kind === 'phase' && phase !== undefined) tally?.entered.add(phase);
    const incident: Incident = {
      ...(actor !== undefined && { actor }),
      reason: String(reason ?? ''),
      ...(record.absent === true && { absent: true }),
      ...(refuses && { refuses }),
    };
    if (kind === 'wire') noteKeptBack(record);
    if (kind === 'malformed' && record.late !== true) {
      if (faulted.size > 0 && isOfFaulted(record)) note(doubtful, incident);
      else note(record.cause === 'cut_off' ? cuts : unread, incident);
    }
    if (kind === 'log' && record.cause === 'unjudged')
      note(overdue, { ...incident, reason: String(record.message ?? '') });
    if (kind !== 'connection' || typeof reason !== 'string') return;
    if (isOfFaulted(record) && endsFaulted(record)) return;
    if (tally !== undefined) tally.trouble ??= reason;
    if (refuses) turnDown(record);
    note(record.cause === 'cut_off' ? cuts : record.cause === 'unread' ? unread : troubles, incident);
  }

  /** Whether the end of a request that the document had broken is no failure: a refusal, or that we have left. */
  function endsFaulted({ seq, status }: MarkerRecord): boolean {
    const isRefused = typeof status === 'number';
    if (isRefused && status >= 500) return false;
    // What is said beside a refusal is its words; else it may be an answer that cannot be read.
    if (isRefused) lastSign = seq;
    else for (const each of doubtful) note(unread, each);
    doubtful.length = 0;
    return true;
  }

  /** What the document keeps back, or begins to keep the agent waiting for, has reached whoever waits for it. */
  function noteKeptBack({ seq, actor, session, pieces, method, mode, protocol }: MarkerRecord): void {
    if (actor === undefined || !Array.isArray(pieces)) return;
    hasPieces = true;
    const known = { seq, actor, mode: String(mode), protocol: String(protocol), method: String(method) };
    const view = byProtocol.get(known.protocol);
    const like = { ...known, timestamp: '', kind: 'response', origin: 'attacker', content: {} } as const;
    for (const piece of pieces as readonly string[]) sent.add(keyOf(actor, piece));
    const carried = { actor, session, seq, pieces: pieces as readonly string[], unresolved: [] };
    arrive(carried, { seq, byUse: view?.signs(like).use === true });
  }

  /** A refusal by HTTP status ends the exchange, so it names the session and no request. */
  function turnDown({ seq, actor, session }: MarkerRecord): void {
    lastRefusal = seq;
    for (const [key, asked] of pending) {
      if (asked.actor !== actor || asked.session !== session) continue;
      turnedDown.push(asked);
      pending.delete(key);
    }
  }

  function carriedAt(actor: string, at: string): readonly Carried[] {
    const whole = arrived.get(keyOf(actor, at)) ?? [];
    return [...whole, ...(arrived.get(keyOf(actor, listOf(at))) ?? [])];
  }

  return {
    add(record) {
      if (record.seq > nextSeq) note(cuts, { reason: missingRecords(nextSeq, record.seq - 1) });
      if (record.seq < nextSeq) note(cuts, { reason: 'the trace holds records of more than one run' });
      nextSeq = record.seq + 1;
      // Where a run goes on after its end, the end is another run's.
      end = isEndRecord(record) ? record : undefined;
      if (end !== undefined) return;
      if (!isMessageRecord(record)) return addMarker(record);
      // What was seen of the agent is nothing that it said or did.
      if (record.protocol === observedProtocol) return;
      const tally = tallyOf(record.actor, record.mode);
      // A phase in which something was said has begun, whether or not the records say so.
      if (record.phase !== undefined) tally.entered.add(record.phase);
      const fromAgent = record.origin === 'agent';
      const view = byProtocol.get(record.protocol);
      const ours = echoes?.add(record) ?? [];
      const own = ours.length === 0 ? record : { ...record, content: blanked(record.content, ours) };
      const signs = view?.signs(own) ?? (fromAgent ? unknownSigns : noSigns);
      if (fromAgent) addTheirs(record, signs);
      else addOurs(record, tally, signs);
    },
    facts: () => ({
      actors: Object.fromEntries([...tallies].map(([actor, tally]) => [actor, toFacts(tally)])),
      end,
      hasPieces,
      isVisible,
      lastSign,
      lastUse,
      troubles,
      cuts,
      unread: [...unread, ...doubtful],
      overdue,
      arrivalOf: (actor, at, written) =>
        carriedAt(actor, at).find(
          ({ unresolved }) => written === undefined || !unresolved.some((name) => mentions(written, name)),
        )?.arrival,
      refusalOf: (actor, at) => refusals.get(keyOf(actor, at)) ?? refusals.get(keyOf(actor, listOf(at))),
      wasBegun: (actor, at) => begun.has(keyOf(actor, at)) || begun.has(keyOf(actor, listOf(at))),
      wasSent: (actor, at) => sent.has(keyOf(actor, at)) || sent.has(keyOf(actor, listOf(at))),
      lacksCapability(actor, capability) {
        const tally = tallies.get(actor);
        return tally?.hasDeclared === true && !tally.declared.has(capability);
      },
      usesSurface: (surface) =>
        surfaces.has(surface) || [...tallies.values()].some(({ declared }) => declared.has(surface)),
      turnedDown,
      lastRefusal,
    }),
  };
}

/** Statuses with which a server turns down what it was asked. */
function isRefusingStatus(status: Value | undefined): boolean {
  return typeof status === 'number' && status >= 400 && status < 500 && !otherReasons.has(status);
}

/** Whoever may not come in, finds nothing, is too slow or comes too often was not refused for what it said. */
const otherReasons: ReadonlySet<number> = new Set([401, 403, 404, 408, 429]);

const noSigns: Signs = {};
/** Of a protocol that nobody has described, anything that the agent says is something. */
const unknownSigns: Signs = { alive: true, use: true };

function missingRecords(first: number, last: number): string {
  return first === last
    ? `record ${first} is not in the trace`
    : `records ${first} to ${last} are not in the trace`;
}

function note(incidents: Incident[], incident: Incident): void {
  if (incidents.length < mostIncidents) incidents.push(incident);
}

function keyOf(actor: string, part: string): string {
  return `${actor}\0${part}`;
}

/** An answer names its request by id; where a protocol has no ids, each request has a session of its own. */
function answerKey({ id, session }: MessageRecord): string {
  return stringifyJson((id ?? session ?? null) as Value);
}

/** The pointer that stands for a whole list. */
export function listOf(at: string): string {
  return at.replace(/\/\d+$/, '/*');
}

export function mentions(written: string, name: string): boolean {
  return written.includes(`{{${name}}}`);
}

function toFacts({ mode, phases, reached, engaged, served, trouble, entered, eras }: Tally): ActorFacts {
  const troubled = trouble === undefined ? {} : { trouble };
  const spoken = eras.size === 0 ? {} : { eras: [...eras] };
  return { mode, reached, engaged, served, ...troubled, ...spoken, phases, phasesEntered: [...entered] };
}
