import type { Mark } from '../model/marks.ts';
import type {
  NormalizedActor,
  NormalizedDocument,
  NormalizedExecution,
  NormalizedPhase,
} from '../model/normalized.ts';
import type { DeliveryDemand } from '../model/trace.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { doorOf, isClientMode } from '../registry/modes.ts';
import { pieceKind } from '../registry/pieces.ts';
import { isStateExtension, stateKeysOf } from '../registry/state-keys.ts';
import type { PlacedPiece } from './pieces.ts';

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

export function needsOf(
  document: NormalizedDocument,
  all: readonly PlacedPiece[],
  { marks, demand, absent, skipped }: NeedOptions,
): Needs {
  if (demand !== 'reached' && marks.some(({ needed }) => needed)) return marked(document, all, marks);
  const actors = document.attack.execution.actors.filter(({ name }) => !absent.includes(name));
  const pieces = all.filter(({ actor }) => !absent.includes(actor));
  return demand === 'reached'
    ? { inferred: marks.length === 0, needs: atLeastOneOfEach(actors, pieces), unplayed: [] }
    : inferred(actors, pieces, skipped);
}

type Actors = readonly NormalizedActor[];

function atLeastOneOfEach(actors: Actors, pieces: readonly PlacedPiece[]): readonly Need[] {
  return actors.flatMap(({ name }) => {
    const own = pieces.filter(({ actor, kind }) => actor === name && pieceKind(kind).group !== 'manner');
    return own.length === 0 ? [] : [{ anyOf: own }];
  });
}

function marked(
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
    const carriers = carriersOf(pointer, own);
    if (carriers.length === 0) unplayed.push(`${at} of phase "${phase}" of "${actor}"`);
    const templates = templatesIn(valueAt(phases[index], at, attack.execution.extensions));
    const written = templates === '' ? {} : { written: templates };
    for (const piece of carriers) needs.push({ anyOf: [piece], ...written });
  }
  return { inferred: false, needs, unplayed };
}

/** Finds the innermost piece that contains the pointer. If none does, finds the outermost pieces inside it. */
function carriersOf(pointer: string, pieces: readonly PlacedPiece[]): readonly PlacedPiece[] {
  const holders = pieces.filter(({ at }) => isWithin(pointer, at));
  const innermost = holders.reduce<PlacedPiece | undefined>(
    (best, piece) => (best === undefined || piece.at.length > best.at.length ? piece : best),
    undefined,
  );
  if (innermost !== undefined) return [innermost];
  const held = pieces.filter(({ at }) => isWithin(at, pointer));
  return held.filter(({ at }) => !held.some((other) => other.at !== at && isWithin(at, other.at)));
}

function isWithin(pointer: string, container: string): boolean {
  return pointer === container || pointer.startsWith(`${container}/`);
}

function valueAt(
  phase: NormalizedPhase | undefined,
  at: string,
  ofExecution: NormalizedExecution['extensions'],
): Value | undefined {
  const [root, ...keys] = at
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  let value: Value | undefined =
    root === 'state'
      ? phase?.state
      : root === 'on_enter'
        ? entriesOf(phase)
        : // In the single-phase form, extensions stand in the execution.
          (phase?.extensions ?? ofExecution)?.[root ?? ''];
  for (const key of keys) {
    if (Array.isArray(value))
      value = /^\d+$/.test(key) ? (value[Number(key)] as Value | undefined) : undefined;
    else value = isValueMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** The entry actions as the document writes them. */
function entriesOf(phase: NormalizedPhase | undefined): Value {
  return (phase?.onEnter ?? []).map(
    ({ send, binding }) => ({ ...binding, ...(send !== undefined && { send }) }) as Value,
  );
}

function templatesIn(value: Value | undefined): string {
  const texts: string[] = [];
  const pending = [value];
  while (pending.length > 0) {
    const item = pending.pop();
    if (typeof item === 'string' && item.includes('{{')) texts.push(item);
    else if (typeof item === 'object' && item !== null) pending.push(...(Object.values(item) as Value[]));
  }
  return texts.join('\n');
}

function inferred(actors: Actors, pieces: readonly PlacedPiece[], skipped: readonly string[]): Needs {
  const needs: Need[] = [];
  const add = (anyOf: readonly PlacedPiece[]): void => {
    if (anyOf.length > 0) needs.push({ anyOf });
  };
  for (const { name, mode, phases } of actors) {
    const own = pieces.filter(({ actor }) => actor === name);
    phases.forEach((_, index) => {
      add(
        own.filter((piece) => piece.phaseIndex === index && !shownByNothing.has(pieceKind(piece.kind).group)),
      );
    });
    if (isClientMode(mode)) for (const piece of own) if (pieceKind(piece.kind).group === 'said') add([piece]);
    for (const group of byKind(own, 'listed')) add(group);
  }
  for (const group of byKind(pieces, 'answer')) add(group);
  return { inferred: true, needs, unplayed: [...unplayedModes(actors, skipped), ...unplayedKeys(actors)] };
}

/** Groups of pieces that do not show that a phase was seen: notifications, and the manner of sending. */
const shownByNothing: ReadonlySet<string> = new Set(['notice', 'manner']);

function byKind(
  pieces: readonly PlacedPiece[],
  group: 'listed' | 'answer',
): readonly (readonly PlacedPiece[])[] {
  const groups = new Map<string, PlacedPiece[]>();
  for (const piece of pieces) {
    if (pieceKind(piece.kind).group !== group) continue;
    const same = groups.get(piece.kind);
    if (same === undefined) groups.set(piece.kind, [piece]);
    else same.push(piece);
  }
  return [...groups.values()];
}

/** Modes that no binding plays. A skipped client that has a door is not among them: it only lacked a peer. */
function unplayedModes(actors: Actors, skipped: readonly string[]): readonly string[] {
  return actors.flatMap(({ name, mode }) =>
    skipped.includes(name) && doorOf(mode) === undefined ? [`the mode "${mode}" of "${name}"`] : [],
  );
}

/** Keys of a state that its mode does not define. No binding acts on them. */
function unplayedKeys(actors: Actors): readonly string[] {
  return actors.flatMap(({ name, mode, phases }) => {
    const known = stateKeysOf(mode);
    if (known === undefined) return [];
    return phases.flatMap(({ name: phase, state }) =>
      Object.keys(isValueMap(state) ? state : {})
        .filter((key) => !known.includes(key) && !isStateExtension(mode, key) && !key.startsWith('x-'))
        .map((key) => `\`state.${key}\` of phase "${phase}" of "${name}"`),
    );
  });
}
