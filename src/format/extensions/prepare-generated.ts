import type { Action } from '../model/attack-document.ts';
import { GeneratedValue, type Recipe } from '../model/generated-value.ts';
import type { NormalizedActor, NormalizedDocument, NormalizedPhase } from '../model/normalized.ts';
import { parsePointer } from '../model/pointer.ts';
import type { Value, ValueMap } from '../model/value.ts';
import { type GenerateEntry, listGeneratingPhases, replaceValueAt } from './read-generate.ts';

/**
 * Prepares a document to be played: values named in `x-generate` are generated while they are sent. The same seed gives the
 * same bytes.
 */
export function prepareGenerated(document: NormalizedDocument, seed: string): NormalizedDocument {
  const generating = listGeneratingPhases(document);
  if (generating.length === 0) return document;
  const { attack } = document;
  const phaseOf = (actor: NormalizedActor, phase: NormalizedPhase): NormalizedPhase => {
    const found = generating.find((each) => each.phase === phase);
    const place = `${attack.id ?? ''}/${actor.name}/${phase.name}`;
    return (found?.entries ?? []).reduce((made, entry) => applyEntry(made, entry, `${seed}/${place}`), phase);
  };
  const actors = attack.execution.actors.map((actor) => ({
    ...actor,
    phases: actor.phases.map((phase) => phaseOf(actor, phase)),
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
