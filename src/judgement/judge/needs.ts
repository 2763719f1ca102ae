import { proposeMarks } from '../../format/extensions/propose-marks.ts';
import type { BindingViews } from '../../format/model/binding-views.ts';
import type { Mark } from '../../format/model/document-mark.ts';
import type {
  NormalizedActor,
  NormalizedDocument,
  NormalizedExecution,
  NormalizedPhase,
} from '../../format/model/normalized.ts';
import { findAt, isWithin, parsePointer } from '../../format/model/pointer.ts';
import type { DeliveryDemand } from '../../format/model/trace-record.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { findAgentInterface, getProtocol, isClientMode, userMode } from '../../format/registry/known-modes.ts';
import { isStateExtension, listStateKeys } from '../../format/registry/payload-shapes.ts';
import { findPieceKind } from '../../format/registry/piece-kinds.ts';
import { listPieces, type PlacedPiece } from './list-pieces.ts';

// Decides which pieces must reach the agent before it can have resisted: those that the document marks as its attack, or
// those that its shape suggests.

/** A need: at least one of these pieces must reach the agent. */
export interface Need {
  readonly anyOf: readonly PlacedPiece[];
  /** The texts with templates at a mark. A message in which one of them resolved to nothing did not deliver the mark. */
  readonly written?: string;
}

export interface Needs {
  /** True if the document does not mark its attack. */
  readonly inferred: boolean;
  readonly needs: readonly Need[];
  /** Needed parts of the state that no binding plays. */
  readonly unplayed: readonly string[];
}

export interface NeedOptions {
  readonly marks: readonly Mark[];
  readonly demand: DeliveryDemand;
  /** Actors that the operator stands in for. Inference needs none of their pieces. */
  readonly absent: readonly string[];
  /** Actors that were not played. */
  readonly skipped: readonly string[];
}

export function findNeeds(
  document: NormalizedDocument,
  all: readonly PlacedPiece[],
  { marks, demand, absent, skipped }: NeedOptions,
): Needs {
  if (demand !== 'reached' && marks.some(({ needed }) => needed)) return findMarkedNeeds(document, all, marks);
  const actors = document.attack.execution.actors.filter(({ name }) => !absent.includes(name));
  const pieces = all.filter(({ actor }) => !absent.includes(actor));
  return demand === 'reached'
    ? { inferred: marks.length === 0, needs: needOneOfEach(actors, pieces), unplayed: [] }
    : inferNeeds(actors, pieces, { skipped, suspicious: listSuspiciousPieces(document, pieces) });
}

type Actors = readonly NormalizedActor[];

function needOneOfEach(actors: Actors, pieces: readonly PlacedPiece[]): readonly Need[] {
  return actors.flatMap(({ name }) => {
    const own = pieces.filter(({ actor, kind }) => actor === name && findPieceKind(kind).group !== 'manner');
    return own.length === 0 ? [] : [{ anyOf: own }];
  });
}

function findMarkedNeeds(
  { attack }: NormalizedDocument,
  pieces: readonly PlacedPiece[],
  marks: readonly Mark[],
): Needs {
  const needs: Need[] = [];
  const unplayed: string[] = [];
  for (const { actor, phase, at } of marks.filter(({ needed }) => needed)) {
    const phases = attack.execution.actors.find(({ name }) => name === actor)?.phases ?? [];
    const index = phases.findIndex(({ name }) => name === phase);
    const pointer = `/phases/${index}${at}`;
    const own = pieces.filter((piece) => piece.actor === actor);
    const carriers = findCarryingPieces(pointer, own);
    if (carriers.length === 0) unplayed.push(`${at} of phase "${phase}" of "${actor}"`);
    const templates = collectTemplates(findTemplateSource(phases[index], at, attack.execution.extensions));
    const written = templates === '' ? {} : { written: templates };
    for (const piece of carriers) needs.push({ anyOf: [piece], ...written });
  }
  return { inferred: false, needs, unplayed };
}

/** Finds the innermost piece that contains the pointer. If none does, finds the outermost pieces inside it. */
function findCarryingPieces(pointer: string, pieces: readonly PlacedPiece[]): readonly PlacedPiece[] {
  const holders = pieces.filter(({ at }) => isWithin(pointer, at));
  const innermost = holders.reduce<PlacedPiece | undefined>(
    (best, piece) => (best === undefined || piece.at.length > best.at.length ? piece : best),
    undefined,
  );
  if (innermost !== undefined) return [innermost];
  const held = pieces.filter(({ at }) => isWithin(at, pointer));
  return held.filter(({ at }) => !held.some((other) => other.at !== at && isWithin(at, other.at)));
}

function findTemplateSource(
  phase: NormalizedPhase | undefined,
  at: string,
  ofExecution: NormalizedExecution['extensions'],
): Value | undefined {
  const [root, ...keys] = parsePointer(at) ?? [];
  const value =
    root === 'state'
      ? phase?.state
      : root === 'on_enter'
        ? listWrittenEntries(phase)
        : // In the single-phase form, extensions stand in the execution.
          (phase?.extensions ?? ofExecution)?.[root ?? ''];
  return findAt(value, keys);
}

/** The entry actions as the document writes them. */
function listWrittenEntries(phase: NormalizedPhase | undefined): Value {
  return (phase?.onEnter ?? []).map(
    ({ send, binding }) => ({ ...binding, ...(send !== undefined && { send }) }) as Value,
  );
}

function collectTemplates(value: Value | undefined): string {
  const texts: string[] = [];
  const pending = [value];
  while (pending.length > 0) {
    const item = pending.pop();
    if (typeof item === 'string' && item.includes('{{')) texts.push(item);
    else if (typeof item === 'object' && item !== null) pending.push(...(Object.values(item) as Value[]));
  }
  return texts.join('\n');
}

/** The pieces that hold what looks like the payload. */
function listSuspiciousPieces(document: NormalizedDocument, pieces: readonly PlacedPiece[]): ReadonlySet<PlacedPiece> {
  const { actors } = document.attack.execution;
  const found = proposeMarks(document).marks.filter(({ needed }) => needed);
  return new Set(
    found.flatMap(({ actor, phase, at }) => {
      const phases = actors.find(({ name }) => name === actor)?.phases ?? [];
      const pointer = `/phases/${phases.findIndex(({ name }) => name === phase)}${at}`;
      const own = pieces.filter((piece) => piece.actor === actor);
      return findCarryingPieces(pointer, own);
    }),
  );
}

function inferNeeds(
  actors: Actors,
  pieces: readonly PlacedPiece[],
  { skipped, suspicious }: { readonly skipped: readonly string[]; readonly suspicious: ReadonlySet<PlacedPiece> },
): Needs {
  const needs: Need[] = [];
  // Where one of several must arrive, the harmless ones do not stand for those that look like the payload.
  const add = (all: readonly PlacedPiece[]): void => {
    const held = all.filter((piece) => suspicious.has(piece));
    const anyOf = held.length > 0 ? held : all;
    if (anyOf.length > 0) needs.push({ anyOf });
  };
  for (const { name, mode, phases } of actors) {
    const own = pieces.filter(({ actor }) => actor === name);
    phases.forEach((_, index) => {
      add(own.filter((piece) => piece.phaseIndex === index && !shownByNothing.has(findPieceKind(piece.kind).group)));
    });
    if (isClientMode(mode)) for (const piece of own) if (findPieceKind(piece.kind).group === 'said') add([piece]);
    for (const group of groupByKind(own, 'listed')) add(group);
  }
  for (const group of groupByKind(pieces, 'answer')) add(group);
  return {
    inferred: true,
    needs,
    unplayed: [...listUnplayedModes(actors, skipped), ...listUnplayedKeys(actors)],
  };
}

/** Groups of pieces that do not show that a phase was seen: notifications, and the manner of sending. */
const shownByNothing: ReadonlySet<string> = new Set(['notice', 'manner']);

function groupByKind(pieces: readonly PlacedPiece[], group: 'listed' | 'answer'): readonly (readonly PlacedPiece[])[] {
  const groups = new Map<string, PlacedPiece[]>();
  for (const piece of pieces) {
    if (findPieceKind(piece.kind).group !== group) continue;
    const same = groups.get(piece.kind);
    if (same === undefined) groups.set(piece.kind, [piece]);
    else same.push(piece);
  }
  return [...groups.values()];
}

/** Modes that no binding plays. A skipped client of a known interface is not one: it only lacked a peer. */
function listUnplayedModes(actors: Actors, skipped: readonly string[]): readonly string[] {
  return actors.flatMap(({ name, mode }) =>
    skipped.includes(name) && findAgentInterface(mode) === undefined ? [`the mode "${mode}" of "${name}"`] : [],
  );
}

/** Keys of a state that its mode does not define. No binding acts on them. */
function listUnplayedKeys(actors: Actors): readonly string[] {
  return actors.flatMap(({ name, mode, phases }) => {
    const known = listStateKeys(mode);
    if (known === undefined) return [];
    return phases.flatMap(({ name: phase, state }) =>
      Object.keys(isValueMap(state) ? state : {})
        .filter((key) => !known.includes(key) && !isStateExtension(mode, key) && !key.startsWith('x-'))
        .map((key) => `\`state.${key}\` of phase "${phase}" of "${name}"`),
    );
  });
}

/** What an attack needs of an agent: its surfaces, and the protocols that bring it. */
export interface AttackReach {
  /** The surfaces that an agent must have so that every needed piece can reach it, in the document's order. */
  readonly surfaces: readonly string[];
  /** The protocols of the needed pieces. The words of a user who only sets a task are not part of the attack. */
  readonly protocols: readonly string[];
}

export function findAttackReach(
  document: NormalizedDocument,
  views: readonly BindingViews[],
  marks: readonly Mark[],
): AttackReach {
  const { needs } = findNeeds(document, listPieces(document, views), {
    marks,
    demand: 'payload',
    absent: [],
    skipped: [],
  });
  const needed = needs.flatMap(({ anyOf }) => anyOf);
  const isMarked = marks.some((mark) => mark.needed);
  const attacking = needed.filter(({ mode, kind }) => isMarked || mode !== userMode || kind !== 'message');
  const all = document.attack.execution.actors.map(({ mode }) => getProtocol(mode));
  const protocols = attacking.length === 0 ? all : attacking.map(({ mode }) => getProtocol(mode));
  return {
    surfaces: [...new Set(needed.flatMap(({ surfaces }) => surfaces))],
    protocols: [...new Set(protocols)],
  };
}
