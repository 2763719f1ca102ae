import type { Action } from '../model/document.ts';
import { GeneratedValue, type Recipe } from '../model/generated-value.ts';
import type { NormalizedActor, NormalizedDocument, NormalizedPhase } from '../model/normalized.ts';
import type { Value, ValueMap } from '../model/value.ts';
import { parsePointer } from './pointer.ts';
import { type GenerateEntry, generatingPhases, withValueAt } from './read-generate.ts';

/**
 * Prepares a document to be played: values named in `x-generate` are generated while they are sent. The same seed gives the
 * same bytes.
 */
export function withGenerated(document: NormalizedDocument, seed: string): NormalizedDocument {
  const generating = generatingPhases(document);
  if (generating.length === 0) return document;
  const { attack } = document;
  const phaseOf = (actor: NormalizedActor, phase: NormalizedPhase): NormalizedPhase => {
    const found = generating.find((each) => each.phase === phase);
    const place = `${attack.id ?? ''}/${actor.name}/${phase.name}`;
    return (found?.entries ?? []).reduce((made, entry) => applied(made, entry, `${seed}/${place}`), phase);
  };
  const actors = attack.execution.actors.map((actor) => ({
    ...actor,
    phases: actor.phases.map((phase) => phaseOf(actor, phase)),
  }));
  return { ...document, attack: { ...attack, execution: { ...attack.execution, actors } } };
}

function applied(phase: NormalizedPhase, entry: GenerateEntry, seed: string): NormalizedPhase {
  const [root, ...keys] = parsePointer(entry.at) ?? [];
  const make = (written: Value): Value =>
    // Code that reads values sees a single value here. Only the JSON writers treat it differently.
    new GeneratedValue(recipeOf(entry, written, `${seed}${entry.at}`), written) as unknown as Value;
  if (root === 'state' && phase.state !== undefined)
    return { ...phase, state: withValueAt(phase.state, keys, make) as ValueMap };
  const [position, key = '', ...rest] = keys;
  const onEnter = (phase.onEnter ?? []).map((action, index) =>
    String(index) === position ? inAction(action, key, rest, make) : action,
  );
  return { ...phase, onEnter };
}

function inAction(
  action: Action,
  key: string,
  keys: readonly string[],
  make: (written: Value) => Value,
): Action {
  const { send, binding } = action;
  if (key === 'send' && send !== undefined)
    return { ...action, send: withValueAt(send as ValueMap, keys, make) as typeof send };
  if (binding === undefined) return action;
  return { ...action, binding: withValueAt(binding, [key, ...keys], make) as ValueMap };
}

function recipeOf(entry: GenerateEntry, written: Value, place: string): Recipe {
  const { at: _, kind, seed, as, before, after, ...parameters } = entry;
  return {
    kind,
    seed: seed === undefined ? place : String(seed),
    ...(as === 'text' && { as }),
    ...(typeof before === 'string' && { before }),
    ...(typeof after === 'string' && { after }),
    parameters:
      kind === 'mutated' && parameters.value === undefined ? { ...parameters, value: written } : parameters,
  };
}
