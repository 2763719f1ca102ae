import type { Actor, Condition, Document, Extractor, Indicator, Phase, Trigger } from '../model/attack-document.ts';
import type { Draft } from '../model/draft.ts';
import type { Path } from '../model/path.ts';
import { getOwnValue, isCollection, isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { isMatchCondition } from '../primitives/evaluate-condition.ts';
import { getProtocol } from '../registry/known-modes.ts';

// Finds the parts of a document that rules check, as they are written, in each of the three forms.

type DraftDocument = Draft<Document>;

export const executionPath: Path = ['attack', 'execution'];

export interface ActorPlace {
  readonly form: 'state' | 'phases' | 'actors';
  /** `default` in the single-phase and multi-phase forms. */
  readonly name: string | undefined;
  readonly mode: string | undefined;
  /** The actor itself. Only the multi-actor form has one. */
  readonly actor: Draft<Actor> | undefined;
  readonly path: Path;
  readonly phases: readonly PhasePlace[];
}

export interface PhasePlace {
  readonly phase: Draft<Phase>;
  readonly path: Path;
  readonly mode: string | undefined;
}

/** Every actor. A form without actors gives the one actor that it normalizes to. */
export function listActorPlaces(document: DraftDocument): readonly ActorPlace[] {
  const execution = document.attack?.execution;
  if (execution === undefined) return [];
  const places: ActorPlace[] = (execution.actors ?? []).map((actor, index) =>
    createActorPlace('actors', actor.name, actor.mode, actor, [...executionPath, 'actors', index], actor.phases),
  );
  if (execution.phases !== undefined) {
    const mode = execution.mode ?? execution.phases.find((phase) => phase.mode !== undefined)?.mode;
    places.push(createActorPlace('phases', 'default', mode, undefined, executionPath, execution.phases));
  }
  if (execution.state !== undefined) {
    const { mode, state } = execution;
    const phases = [{ phase: { state }, path: executionPath, mode }];
    places.push({ form: 'state', name: 'default', mode, actor: undefined, path: executionPath, phases });
  }
  return places;
}

function createActorPlace(
  form: ActorPlace['form'],
  name: string | undefined,
  mode: string | undefined,
  actor: Draft<Actor> | undefined,
  path: Path,
  phases: readonly Draft<Phase>[] = [],
): ActorPlace {
  return {
    form,
    name,
    mode,
    actor,
    path,
    phases: phases.map((phase, index) => ({
      phase,
      path: [...path, 'phases', index],
      mode: phase.mode ?? mode,
    })),
  };
}

export function listPhasePlaces(document: DraftDocument): readonly PhasePlace[] {
  return listActorPlaces(document).flatMap(({ phases }) => phases);
}

export interface PlacedItem<T> {
  readonly path: Path;
  readonly item: T;
}

export function* listTriggers(
  document: DraftDocument,
): Generator<PlacedItem<Draft<Trigger>> & { readonly mode: string | undefined }> {
  for (const { phase, path, mode } of listPhasePlaces(document))
    if (phase.trigger !== undefined) yield { path: [...path, 'trigger'], item: phase.trigger, mode };
}

export function* listExtractors(document: DraftDocument): Generator<PlacedItem<Draft<Extractor>>> {
  for (const { phase, path } of listPhasePlaces(document))
    for (const [index, item] of (phase.extractors ?? []).entries())
      yield { path: [...path, 'extractors', index], item };
}

export function* listIndicators(
  document: DraftDocument,
): Generator<PlacedItem<Draft<Indicator>> & { readonly protocol: string | undefined }> {
  const mode = document.attack?.execution?.mode;
  const inherited = mode === undefined ? undefined : getProtocol(mode);
  for (const [index, item] of (document.attack?.indicators ?? []).entries())
    yield { path: ['attack', 'indicators', index], item, protocol: item.protocol ?? inherited };
}

export function* listStates(
  document: DraftDocument,
): Generator<PlacedItem<Value> & { readonly mode: string | undefined }> {
  for (const { phase, path, mode } of listPhasePlaces(document))
    if (phase.state !== undefined) yield { path: [...path, 'state'], item: phase.state, mode };
}

const directResponseLists = ['sampling_responses', 'elicitation_responses', 'task_responses', 'tool_responses'];

/** The five kinds of response lists, found by key in any mode. Pass-through content is not searched further. */
export function* listResponseLists(document: DraftDocument): Generator<PlacedItem<readonly Value[]>> {
  for (const { item: state, path } of listStates(document)) {
    for (const owner of ['tools', 'prompts'])
      for (const { item, path: itemPath } of listStateMaps(state, owner, path))
        yield* listAt(item, 'responses', itemPath);
    for (const key of directResponseLists) if (isValueMap(state)) yield* listAt(state, key, path);
  }
}

function* listAt(map: ValueMap, key: string, path: Path): Generator<PlacedItem<readonly Value[]>> {
  const list = getOwnValue(map, key);
  if (Array.isArray(list)) yield { item: list, path: [...path, key] };
}

export function* listStateMaps(state: Value, key: string, path: Path): Generator<PlacedItem<ValueMap>> {
  if (!isValueMap(state)) return;
  for (const { item: list, path: listPath } of listAt(state, key, path))
    for (const [index, item] of list.entries()) if (isValueMap(item)) yield { item, path: [...listPath, index] };
}

/** Every entry of a response list that is a mapping. */
export function* listResponseEntries(document: DraftDocument): Generator<PlacedItem<ValueMap>> {
  for (const { item: list, path } of listResponseLists(document))
    for (const [index, item] of list.entries()) if (isValueMap(item)) yield { item, path: [...path, index] };
}

/** Every match predicate: of triggers, response entries and elicitations. */
export function* listPredicates(
  document: DraftDocument,
): Generator<PlacedItem<{ readonly [path: string]: Condition }>> {
  for (const { item, path } of listTriggers(document))
    if (item.match !== undefined)
      yield { item: item.match as { readonly [path: string]: Condition }, path: [...path, 'match'] };
  for (const { item, path } of listWhens(document)) if (isValueMap(item)) yield { item, path };
}

/** Elicitations, and our extensions of the same shape. */
const askingLists = ['elicitations', 'sampling_requests', 'progress', 'logging'];

/** Every `when` in a state: of response entries, and of what a server asks or reports during a call. */
export function* listWhens(document: DraftDocument): Generator<PlacedItem<Value>> {
  for (const { item, path } of listResponseEntries(document)) yield* readWhen(item, path);
  for (const { item: state, path } of listStates(document))
    for (const key of askingLists)
      for (const { item, path: itemPath } of listStateMaps(state, key, path)) yield* readWhen(item, itemPath);
}

function* readWhen(entry: ValueMap, path: Path): Generator<PlacedItem<Value>> {
  const when = getOwnValue(entry, 'when');
  if (when !== undefined && when !== null) yield { item: when, path: [...path, 'when'] };
}

/** Every condition: entries of predicates, and patterns in either form. */
export function* listConditions(document: DraftDocument): Generator<PlacedItem<Condition>> {
  for (const { item, path } of listPredicates(document))
    for (const [key, condition] of Object.entries(item)) yield { item: condition, path: [...path, key] };
  for (const { item, path } of listIndicators(document)) {
    const { pattern } = item;
    if (pattern === undefined) continue;
    if (isMatchCondition(pattern as Condition)) yield { item: pattern as Condition, path: [...path, 'pattern'] };
    if (pattern.condition !== undefined)
      yield { item: pattern.condition as Condition, path: [...path, 'pattern', 'condition'] };
  }
}

/** Every object with operators. */
export function* listOperatorMaps(document: DraftDocument): Generator<PlacedItem<ValueMap>> {
  for (const { item, path } of listConditions(document))
    if (isMatchCondition(item)) yield { item: item as ValueMap, path };
}

/** The strings that contain a template, with their actor. */
export function listTemplates(document: DraftDocument): readonly TemplatePlace[] {
  const found: TemplatePlace[] = [];
  const collect = (value: Value | undefined, path: (string | number)[], actor: ActorPlace): void =>
    collectTexts(value, path, (item, here) => found.push({ item, path: here, actor }));
  for (const actor of listActorPlaces(document))
    for (const { phase, path } of actor.phases) {
      collect(phase.state, [...path, 'state'], actor);
      for (const [index, action] of (phase.onEnter ?? []).entries()) {
        const { binding, extensions: _, ...known } = action;
        collect({ ...known, ...binding } as Value, [...path, 'on_enter', index], actor);
      }
    }
  return found;
}

export interface TemplatePlace extends PlacedItem<string> {
  readonly actor: ActorPlace;
}

/** Every string of a value that contains the opening of a template. */
export function listTemplateTexts(value: Value | undefined, path: Path): readonly PlacedItem<string>[] {
  const found: PlacedItem<string>[] = [];
  collectTexts(value, [...path], (item, here) => found.push({ item, path: here }));
  return found;
}

/** `path` is one stack for the whole walk. It is copied only for a string with a template. */
function collectTexts(
  value: Value | undefined,
  path: (string | number)[],
  found: (item: string, path: Path) => void,
): void {
  if (typeof value === 'string') {
    if (value.includes('{{')) found(value, [...path]);
    return;
  }
  if (!isCollection(value)) return;
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    path.push(isList ? Number(key) : key);
    collectTexts(item, path, found);
    path.pop();
  }
}
