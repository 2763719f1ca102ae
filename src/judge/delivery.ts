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
  mayRefuseFaulted,
  type TraceRecord,
} from '../model/trace.ts';
import type { Value } from '../model/value.ts';
import { type BindingViews, refusesFaulted, type Signs } from '../model/views.ts';
import { isClientMode } from '../registry/modes.ts';
import { listChanges } from '../registry/pieces.ts';
import { erasOf } from '../registry/protocols.ts';
import { blanked } from './blanked.ts';
import type { ActorFacts, DeliveryFacts, Incident } from './delivery-facts.ts';
import { keyOf, trackPieces } from './track-pieces.ts';

// Collects, record by record, what reached the agent and what the agent did then. Memory does not grow with the trace.

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

const mostIncidents = 50;
const mostKept = 10_000;

export function trackDelivery(document: NormalizedDocument, views: readonly BindingViews[]): DeliveryTracker {
  const byProtocol = new Map<Protocol, BindingViews>(views.map((view) => [view.protocol, view]));
  const readers = new Map(views.map((view) => [view.protocol, view.signReader?.() ?? view.signs]));
  // The agent's echo of our own text is no sign of life, so it is blanked before the signs are read.
  const echoes = createEchoes(views, new Set(byProtocol.keys()));
  const tallies = new Map<string, Tally>();
  const tracked = trackPieces();
  const surfaces = new Set<string>();
  const listedIn = new Map<string, string>();
  const takenBack = new Set<string>();
  const masked = new Set<number>();
  const troubles: Incident[] = [];
  const cuts: Incident[] = [];
  const unread: Incident[] = [];
  const overdue: Incident[] = [];
  /** Requests that the document had sent broken (true: still sent whole), and unreadable answers to them. */
  const faulted = new Map<string, boolean>();
  const doubtful: Incident[] = [];
  /** Refusals of such requests. They show that the agent works only if it has answered something else. */
  const declined: Incident[] = [];
  let lastDeclined = -1;
  let hasAnswered = false;
  let end: EndRecord | undefined;
  let nextSeq = 0;
  let hasPieces = false;
  let isVisible = false;
  let lastSign = -1;
  let lastUse = -1;
  let lastRefusal = -1;

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

  function addOurs(record: MessageRecord, tally: Tally, signs: Signs): void {
    tally.served += 1;
    if (isClientMode(record.mode)) isVisible = true;
    const { actor, pieces, seq } = record;
    if (isFaulted(record)) faulted.set(keyOf(actor, answerKey(record)), record.sent?.harm === undefined);
    if (record.begun !== undefined) tracked.begin(actor, record.begun);
    if (pieces === undefined) return;
    hasPieces = true;
    tracked.send(actor, pieces);
    const rule = pieces.filter((piece) => piece === record.sent?.rule);
    const read = isTooLate(record) ? rule : pieces;
    const carried = {
      actor,
      session: record.session,
      seq,
      pieces: read,
      unresolved: record.unresolved ?? [],
    };
    // A broken request delivers its `x-wire` rule at once. Whether it delivers its other pieces, its answer will show.
    if (isFaulted(record)) tracked.arrive({ ...carried, pieces: rule }, { seq, byUse: false });
    const { answersIfDeclared } = signs;
    if (answersIfDeclared !== undefined && tally.declared.has(answersIfDeclared))
      tracked.arrive(carried, { seq, byUse: false });
    else if (record.kind === 'request') tracked.ask(answerKey(record), carried);
    else tracked.arrive(carried, { seq, byUse: signs.use === true });
  }

  /**
   * An answer that comes after the agent took its request back delivers only the rule that held it. An agent that took back
   * more requests than we keep may have taken back any.
   */
  function isTooLate({ kind, actor, session, id }: MessageRecord): boolean {
    if (kind !== 'response' || id === undefined || takenBack.size === 0) return false;
    return takenBack.size === mostKept || takenBack.has(askedKey(actor, session, id));
  }

  /** Whether the broken request that a record belongs to was still sent whole; undefined if it belongs to none. */
  function wholeOfFaulted({ actor = '', id, session }: MessageRecord | MarkerRecord): boolean | undefined {
    if (faulted.size === 0) return undefined;
    const [first, second] = [id, session].map((name) =>
      name === undefined ? undefined : faulted.get(keyOf(actor, stringifyJson(name))),
    );
    return first ?? second;
  }

  /** An agent that refuses a broken request is alive, and so is one that answers a request that was not sent whole. */
  function signsOf(record: MessageRecord, given: Signs): Signs {
    const isWhole = wholeOfFaulted(record);
    if (isWhole === undefined) return given;
    const { trouble, ...others } = given;
    if (trouble !== undefined) {
      if (!refusesFaulted(given)) return given;
      decline(record.seq, { actor: record.actor, reason: trouble });
      return others;
    }
    return record.kind === 'response' && !isWhole ? { ...given, alive: true } : given;
  }

  function decline(seq: number, { actor, reason }: Incident): void {
    lastDeclined = seq;
    note(declined, { ...(actor !== undefined && { actor }), reason, refuses: true });
  }

  function addTheirs(record: MessageRecord, given: Signs): void {
    const tally = tallyOf(record.actor, record.mode);
    const signs = signsOf(record, given);
    tally.reached = true;
    const era = record.era ?? erasOf(record.protocol)[0];
    if (era !== undefined && !signs.probes) tally.eras.add(era);
    const isServed = record.refused === undefined;
    if (isServed && (record.kind === 'response' || record.kind === 'event'))
      tracked.answer(record.actor, answerKey(record), signs);
    if (record.covered) {
      if (masked.size < mostKept) masked.add(record.seq);
      note(unread, { actor: record.actor, reason: 'secrets in it were masked when it was stored' });
    }
    if (signs.alive) lastSign = record.seq;
    if ((signs.alive || signs.use) && signs.trouble === undefined) hasAnswered = true;
    if (signs.use) {
      lastSign = record.seq;
      lastUse = record.seq;
      tally.engaged = true;
    }
    if (signs.surface !== undefined) {
      surfaces.add(signs.surface);
      if (signs.lists) noteListing(record, signs.surface);
    }
    // A message that we did not serve reports its trouble where its request ends.
    if (isServed) tally.trouble ??= signs.trouble;
    if (isServed && signs.trouble !== undefined)
      note(troubles, {
        actor: record.actor,
        reason: signs.trouble,
        ...(signs.absent && { absent: true }),
        ...(signs.refuses && { refuses: true }),
      });
    if (isServed && signs.refuses) lastRefusal = record.seq;
    if (signs.cancels !== undefined && takenBack.size < mostKept)
      takenBack.add(askedKey(record.actor, record.session, signs.cancels));
    if (isServed && signs.declares !== undefined) {
      tally.hasDeclared = true;
      for (const capability of signs.declares) tally.declared.add(capability);
    }
  }

  /** An agent that lists a surface again in a later phase sees the changes, so it has the surface `listChanges`. */
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
      if (wholeOfFaulted(record) !== undefined) note(doubtful, incident);
      else note(record.cause === 'cut_off' ? cuts : unread, incident);
    }
    if (kind === 'log' && record.cause === 'unjudged')
      note(overdue, { ...incident, reason: String(record.message ?? '') });
    if (kind !== 'connection' || typeof reason !== 'string') return;
    if (wholeOfFaulted(record) !== undefined && endsFaulted(record, incident)) return;
    if (tally !== undefined) tally.trouble ??= reason;
    if (refuses) {
      lastRefusal = record.seq;
      tracked.turnDown(actor, record.session);
    }
    note(record.cause === 'cut_off' ? cuts : record.cause === 'unread' ? unread : troubles, incident);
  }

  /** Whether the end of a broken request is not a failure of the agent: it refused the request, or we left. */
  function endsFaulted({ seq, status }: MarkerRecord, incident: Incident): boolean {
    const isRefused = typeof status === 'number';
    if (isRefused && !mayRefuseFaulted(status)) return false;
    // An unreadable text beside a refusal belongs to it. Without a refusal it may be an answer that we could not read.
    if (isRefused) decline(seq, incident);
    else for (const each of doubtful) note(unread, each);
    doubtful.length = 0;
    return true;
  }

  /** A piece that the document withholds or delays counts as delivered: the silence itself reaches the waiting peer. */
  function noteKeptBack({ seq, actor, session, pieces, method, mode, protocol }: MarkerRecord): void {
    if (actor === undefined || !Array.isArray(pieces)) return;
    hasPieces = true;
    const known = { seq, actor, mode: String(mode), protocol: String(protocol), method: String(method) };
    const view = byProtocol.get(known.protocol);
    const like = { ...known, timestamp: '', kind: 'response', origin: 'attacker', content: {} } as const;
    const carried = { actor, session, seq, pieces: pieces as readonly string[], unresolved: [] };
    tracked.send(actor, carried.pieces);
    tracked.arrive(carried, { seq, byUse: view?.signs(like).use === true });
  }

  return {
    add(record) {
      if (record.seq > nextSeq) note(cuts, { reason: missingRecords(nextSeq, record.seq - 1) });
      if (record.seq < nextSeq) note(cuts, { reason: 'the trace holds records of more than one run' });
      nextSeq = record.seq + 1;
      // A record after the end record belongs to another run, so that end does not count.
      end = isEndRecord(record) ? record : undefined;
      if (!isMessageRecord(record)) return addMarker(record);
      // Observations of the agent (its process, its time) are not messages that it sent.
      if (record.protocol === observedProtocol) return;
      const tally = tallyOf(record.actor, record.mode);
      // A message in a phase shows that the phase began, even if no phase marker says so.
      if (record.phase !== undefined) tally.entered.add(record.phase);
      const fromAgent = record.origin === 'agent';
      const ours = echoes?.add(record) ?? [];
      const own = ours.length === 0 ? record : { ...record, content: blanked(record.content, ours) };
      const signs = readers.get(record.protocol)?.(own) ?? (fromAgent ? unknownSigns : noSigns);
      if (fromAgent) addTheirs(record, signs);
      else addOurs(record, tally, signs);
    },
    facts: () => ({
      actors: Object.fromEntries([...tallies].map(([actor, tally]) => [actor, toFacts(tally)])),
      end,
      hasPieces,
      isVisible,
      lastSign: hasAnswered ? Math.max(lastSign, lastDeclined) : lastSign,
      lastUse,
      troubles: hasAnswered ? troubles : [...troubles, ...declined],
      cuts,
      unread: [...unread, ...doubtful],
      overdue,
      arrivalOf: tracked.arrivalOf,
      refusalOf: tracked.refusalOf,
      wasBegun: tracked.wasBegun,
      wasSent: tracked.wasSent,
      turnedDown: tracked.turnedDown,
      lacksCapability(actor, capability) {
        const tally = tallies.get(actor);
        return tally?.hasDeclared === true && !tally.declared.has(capability);
      },
      usesSurface: (surface) =>
        surfaces.has(surface) || [...tallies.values()].some(({ declared }) => declared.has(surface)),
      wasMasked: (seq) => (seq === undefined ? masked.size > 0 : masked.has(seq) || masked.size === mostKept),
      lastRefusal: Math.max(lastRefusal, lastDeclined),
    }),
  };
}

/** The HTTP statuses by which a server refuses a request for what it says. */
function isRefusingStatus(status: Value | undefined): boolean {
  return typeof status === 'number' && status >= 400 && status < 500 && !otherReasons.has(status);
}

/** Statuses for access, absence, slowness or frequency: the request was not refused for its content. */
const otherReasons: ReadonlySet<number> = new Set([401, 403, 404, 408, 429]);

const noSigns: Signs = {};
/** In a protocol without a binding, every message of the agent counts as a use. */
const unknownSigns: Signs = { use: true };

function missingRecords(first: number, last: number): string {
  return first === last
    ? `record ${first} is not in the trace`
    : `records ${first} to ${last} are not in the trace`;
}

/** Refusals are counted apart, so that many of them cannot hide a failure. */
function note(incidents: Incident[], incident: Incident): void {
  const alike = incidents.filter(({ refuses }) => refuses === incident.refuses);
  if (alike.length < mostIncidents) incidents.push(incident);
}

/** The ids of a client's requests are its session's own. */
function askedKey(actor: string, session: string | undefined, id: Value): string {
  return keyOf(actor, stringifyJson([session ?? null, id]));
}

/** An answer names its request by id. In a protocol without ids, each request has its own session. */
function answerKey({ id, session }: MessageRecord): string {
  return stringifyJson((id ?? session ?? null) as Value);
}

function toFacts({ mode, phases, reached, engaged, served, trouble, entered, eras }: Tally): ActorFacts {
  const troubled = trouble === undefined ? {} : { trouble };
  const spoken = eras.size === 0 ? {} : { eras: [...eras] };
  return { mode, reached, engaged, served, ...troubled, ...spoken, phases, phasesEntered: [...entered] };
}
