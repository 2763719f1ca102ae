import type { Mode, Protocol } from '../../model/enumeration-types.ts';
import { disclosureKey, taskKey } from '../../model/extension-keys.ts';
import type { JsonSchema } from '../json-schema.ts';
import { getProtocol, knownModes } from '../known-modes.ts';
import { listModeEvents, listProtocolOperations } from '../protocol-operations.ts';
import { knownProtocols } from '../protocols.ts';
import { describeWithLink, descriptions } from './descriptions.ts';
import { entryActionShapes, type StateShape, type StateShapes, stateShapes } from './state-shapes.ts';

// The schema below an execution, an actor or a phase depends on its mode. Modes are open, so each part hangs on an `if`: a
// mode without a row constrains nothing. Values are offered, never required.

const nameStateSchema = (mode: Mode): string => `state.${mode}`;
const namePhaseSchema = (mode: Mode): string => `phase.${mode}`;
const createReference = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

/** The definitions for each mode: the keys of its state, and its phases. */
export function createModeDefinitions(): { readonly [name: string]: JsonSchema } {
  return Object.fromEntries([
    ['conditions', { additionalProperties: { properties: describeOperators() } }],
    ...knownModes().flatMap((mode) => [
      [nameStateSchema(mode), createStateSchema(mode)],
      [namePhaseSchema(mode), createPhaseSchema(mode)],
    ]),
  ]);
}

/** For an execution or an actor: applies its mode to its state, and to phases without a mode of their own. */
export function applyModeToPhases(): readonly JsonSchema[] {
  return knownModes().map((mode) =>
    createCondition('mode', mode, {
      properties: {
        state: createReference(nameStateSchema(mode)),
        phases: { items: { if: { required: ['mode'] }, else: createReference(namePhaseSchema(mode)) } },
      },
    }),
  );
}

/** For a phase: applies its own mode. */
export function applyModeToPhase(): readonly JsonSchema[] {
  return knownModes().map((mode) => createCondition('mode', mode, createReference(namePhaseSchema(mode))));
}

/** For an indicator: offers the surfaces of its protocol. */
export function applyProtocolToIndicator(): readonly JsonSchema[] {
  return knownProtocols().map((protocol) => createCondition('protocol', protocol, createSurfaceSchema(protocol)));
}

/** For an attack: applies the mode of its execution to indicators that name no protocol. */
export function applyModeToIndicators(): readonly JsonSchema[] {
  return knownModes().map((mode) => {
    const indicators = {
      items: { if: { required: ['protocol'] }, else: createSurfaceSchema(getProtocol(mode)) },
    };
    return {
      if: {
        properties: { execution: { properties: { mode: { const: mode } }, required: ['mode'] } },
        required: ['execution'],
      },
      // biome-ignore lint/suspicious/noThenProperty: `then` is JSON Schema's word
      then: { properties: { indicators, [taskKey]: indicators, [disclosureKey]: indicators } },
    };
  });
}

/** Offers some values and allows all others that fit. */
export function offerValues(values: Iterable<string>, otherwise: JsonSchema): JsonSchema {
  return { anyOf: [{ enum: [...values] }, otherwise] };
}

function createCondition(key: string, value: string, consequence: JsonSchema): JsonSchema {
  // biome-ignore lint/suspicious/noThenProperty: `then` is JSON Schema's word
  return { if: { properties: { [key]: { const: value } }, required: [key] }, then: consequence };
}

function createSurfaceSchema(protocol: Protocol): JsonSchema {
  return { properties: { surface: offerValues(listProtocolOperations(protocol), { type: 'string' }) } };
}

function createPhaseSchema(mode: Mode): JsonSchema {
  return {
    properties: {
      state: createReference(nameStateSchema(mode)),
      trigger: { properties: { event: offerValues(listModeEvents(mode), { type: 'string' }) } },
      ...(entryActionShapes[mode] !== undefined && {
        on_enter: { items: { properties: createProperties(entryActionShapes[mode]) } },
      }),
    },
  };
}

function createStateSchema(mode: Mode): JsonSchema {
  return {
    properties: createProperties(stateShapes[mode] ?? {}),
    patternProperties: { '^x-': true },
    // An unknown key is not an error in the format. A deprecation is the one way to make editors mention it.
    additionalProperties: {
      deprecationMessage: `${mode} has no such key in its state, so it means nothing; \`oatf validate\` says what may be meant`,
    },
  };
}

function createProperties(shapes: StateShapes): JsonSchema {
  return Object.fromEntries(Object.entries(shapes).map(([key, shape]) => [key, createShapeSchema(shape)]));
}

function createShapeSchema({ says, list, map, values, isPredicate, isOurs }: StateShape): JsonSchema {
  const words = describeWithLink(says, isOurs ? 'extension' : 'format');
  if (list !== undefined)
    return { ...words, anyOf: [{ type: 'array', items: { properties: createProperties(list) } }, true] };
  if (map !== undefined) return { ...words, properties: createProperties(map) };
  if (isPredicate) return { ...words, ...createReference('conditions') };
  return { ...words, ...(values !== undefined && offerValues(values, {})) };
}

function describeOperators(): JsonSchema {
  return Object.fromEntries(
    Object.entries(descriptions.MatchCondition).map(([name, says]) => [name, describeWithLink(says, 'format')]),
  );
}
