import { encode } from '../document/encode-document.ts';
import { findEntryFlaws } from '../generate/check-entry.ts';
import { findGenerator } from '../generate/kinds.ts';
import type { Action, Document, Phase } from '../model/attack-document.ts';
import type { Draft } from '../model/draft.ts';
import { generateKey } from '../model/extension-keys.ts';
import { GeneratedValue, type Recipe } from '../model/generated-value.ts';
import type { NormalizedActor, NormalizedDocument, NormalizedPhase } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import { findAt, isWithin, parsePointer, parsePointerIndex } from '../model/pointer.ts';
import { getOwnValue, isValueMap, type Value, type ValueMap } from '../model/value.ts';
import type { GenerateRuleId } from '../registry/rules.ts';
import { listActorPlaces } from '../validate/document-parts.ts';
import { createViolation, quoteValue, type RuleFinding } from '../validate/rule-finding.ts';
import { readPhaseExtension } from './read-phase-extension.ts';

export interface GenerateViolation extends RuleFinding {
  readonly rule: GenerateRuleId;
}

/** A valid entry of `x-generate`. */
export interface GenerateEntry extends ValueMap {
  readonly at: string;
  readonly kind: string;
}

/** A phase with generated values, and its actor. */
export interface GeneratingPhase {
  readonly actor: string;
  readonly phase: NormalizedPhase;
  readonly entries: readonly GenerateEntry[];
}

/** The phases with generated values. A malformed `x-generate` belongs to another tool, so it generates nothing. */
export function listGeneratingPhases(document: NormalizedDocument): readonly GeneratingPhase[] {
  const { execution } = document.attack;
  return execution.actors.flatMap((actor) =>
    actor.phases.flatMap((phase, index) => {
      const written = readPhaseExtension(execution, actor, index, generateKey);
      if (!Array.isArray(written)) return [];
      const encoded = encode('Phase', phase as Phase);
      const entries = (written as readonly Value[]).filter((entry): entry is GenerateEntry => isRight(entry, encoded));
      return entries.length === 0 ? [] : [{ actor: actor.name, phase, entries }];
    }),
  );
}

function isRight(entry: Value, phase: ValueMap): boolean {
  const [flaw] = findEntryFlaws(entry);
  return flaw === undefined && findPlaceFlaw(entry as GenerateEntry, phase) === undefined;
}

/** Thousands of wrong entries have one cause. */
const mostViolations = 100;

/** Finds every violation of the `x-generate` rules in a document that is otherwise valid. */
export function findGenerateViolations(document: Draft<Document>): readonly GenerateViolation[] {
  return [...listGenerateViolations(document)].slice(0, mostViolations);
}

function* listGenerateViolations(document: Draft<Document>): Generator<GenerateViolation> {
  const { execution } = document.attack ?? {};
  const places = listActorPlaces(document);
  for (const { form, phases } of places)
    for (const { phase, path } of phases) {
      const extensions = form === 'state' ? execution?.extensions : phase.extensions;
      const written = getOwnValue((extensions ?? {}) as ValueMap, generateKey);
      if (written !== undefined)
        yield* findEntriesFlaws(written, encode('Phase', phase as Phase), [...path, generateKey]);
    }
  const isLost = places.some(({ form }) => form !== 'state');
  if (isLost && Object.hasOwn(execution?.extensions ?? {}, generateKey))
    yield createViolation(
      'O-231',
      ['attack', 'execution', generateKey],
      '`x-generate` belongs to a phase',
      'move it there',
    );
}

function* findEntriesFlaws(written: Value, phase: ValueMap, path: Path): Generator<GenerateViolation> {
  if (!Array.isArray(written) || written.length === 0) {
    const hint = 'such as [{ at: /state/tools/0/description, kind: text, bytes: 1000000 }]';
    yield createViolation('O-231', path, 'expected a list of generated values', hint);
    return;
  }
  const taken: string[] = [];
  for (const [index, entry] of (written as readonly Value[]).entries()) {
    const here = [...path, index];
    const flaws = [...findEntryFlaws(entry)];
    for (const { key, isTooMuch, message, hint } of flaws) {
      const place = key === undefined || !isValueMap(entry) || !Object.hasOwn(entry, key) ? here : [...here, key];
      yield createViolation(isTooMuch ? 'O-233' : 'O-231', place, message, hint);
    }
    if (flaws.length > 0) continue;
    const sound = entry as GenerateEntry;
    const flaw = findPlaceFlaw(sound, phase);
    if (flaw !== undefined) yield createViolation('O-232', [...here, 'at'], ...flaw);
    const other = taken.find((each) => isWithin(sound.at, each) || isWithin(each, sound.at));
    if (other !== undefined)
      yield createViolation('O-234', [...here, 'at'], `${quoteValue(sound.at)} and ${quoteValue(other)} overlap`);
    taken.push(sound.at);
  }
}

/** The keys of a phase whose content is sent. */
const sent = ['state', 'on_enter'];

function findPlaceFlaw({ at: pointer, kind }: GenerateEntry, phase: ValueMap): [string, string?] | undefined {
  const keys = parsePointer(pointer);
  if (keys === undefined) return [`${quoteValue(pointer)} is not a JSON Pointer`, 'such as /state/tools/0/description'];
  if (!sent.includes(keys[0] ?? '') || keys.length < 2)
    return [`${quoteValue(pointer)} leads to nothing that is sent`, 'begin with /state/ or /on_enter/'];
  if (findAt(phase, keys) === undefined)
    return [
      `${quoteValue(pointer)} leads to nothing`,
      'write a value there for tools that do not know `x-generate`, such as a short text',
    ];
  const isItem = Array.isArray(findAt(phase, keys.slice(0, -1)));
  if (findGenerator(kind)?.makes === 'items' && !isItem)
    return [`${quoteValue(pointer)} is not an item of a list`, `${kind} replaces one item`];
  return undefined;
}

/** Copies a value with one part replaced. The other parts are shared. */
export function replaceValueAt(value: Value, keys: readonly string[], make: (written: Value) => Value): Value {
  const [key, ...rest] = keys;
  if (key === undefined) return make(value);
  if (Array.isArray(value)) {
    const list = value as readonly Value[];
    const index = parsePointerIndex(list.length, key);
    return index === undefined ? value : list.with(index, replaceValueAt(list[index] as Value, rest, make));
  }
  if (!isValueMap(value) || !Object.hasOwn(value, key)) return value;
  const entries = Object.entries(value).map(([name, item]): [string, Value] => [
    name,
    name === key ? replaceValueAt(item, rest, make) : item,
  ]);
  return Object.fromEntries(entries);
}

/**
 * Prepares a document to be played: values named in `x-generate` are generated while they are sent. The same seed gives the
 * same bytes.
 */
export function prepareGenerated(document: NormalizedDocument, seed: string): NormalizedDocument {
  const generating = listGeneratingPhases(document);
  if (generating.length === 0) return document;
  const { attack } = document;
  const replacePhase = (actor: NormalizedActor, phase: NormalizedPhase): NormalizedPhase => {
    const found = generating.find((each) => each.phase === phase);
    const place = `${attack.id ?? ''}/${actor.name}/${phase.name}`;
    return (found?.entries ?? []).reduce((made, entry) => applyEntry(made, entry, `${seed}/${place}`), phase);
  };
  const actors = attack.execution.actors.map((actor) => ({
    ...actor,
    phases: actor.phases.map((phase) => replacePhase(actor, phase)),
  }));
  return { ...document, attack: { ...attack, execution: { ...attack.execution, actors } } };
}

function applyEntry(phase: NormalizedPhase, entry: GenerateEntry, seed: string): NormalizedPhase {
  const [root, ...keys] = parsePointer(entry.at) ?? [];
  const make = (written: Value): Value =>
    // Code that reads values sees a single value here. Only the JSON writers treat it differently.
    new GeneratedValue(createRecipe(entry, written, `${seed}${entry.at}`), written) as unknown as Value;
  if (root === 'state' && phase.state !== undefined)
    return { ...phase, state: replaceValueAt(phase.state, keys, make) as ValueMap };
  const [position, key = '', ...rest] = keys;
  const onEnter = (phase.onEnter ?? []).map((action, index) =>
    String(index) === position ? replaceInAction(action, key, rest, make) : action,
  );
  return { ...phase, onEnter };
}

function replaceInAction(
  action: Action,
  key: string,
  keys: readonly string[],
  make: (written: Value) => Value,
): Action {
  const { send, binding } = action;
  if (key === 'send' && send !== undefined)
    return { ...action, send: replaceValueAt(send as ValueMap, keys, make) as typeof send };
  if (binding === undefined) return action;
  return { ...action, binding: replaceValueAt(binding, [key, ...keys], make) as ValueMap };
}

function createRecipe(entry: GenerateEntry, written: Value, place: string): Recipe {
  const { at: _, kind, seed, as, before, after, ...parameters } = entry;
  return {
    kind,
    seed: seed === undefined ? place : String(seed),
    ...(as === 'text' && { as }),
    ...(typeof before === 'string' && { before }),
    ...(typeof after === 'string' && { after }),
    parameters: kind === 'mutated' && parameters.value === undefined ? { ...parameters, value: written } : parameters,
  };
}
