import type { Mode, Protocol } from '../../model/enumerations.ts';
import type { JsonSchema } from '../json-schema.ts';
import { knownModes, protocolOf } from '../modes.ts';
import { eventsOf, operationsOf } from '../operations.ts';
import { knownProtocols } from '../protocols.ts';
import { descriptions } from './descriptions.ts';
import { described } from './links.ts';
import { entryActionShapes, type Shape, type Shapes, stateShapes } from './state-shapes.ts';

// The schema below an execution, an actor or a phase depends on its mode. Modes are open, so each part hangs on an `if`: a
// mode without a row constrains nothing. Values are offered, never required.

const stateOf = (mode: Mode): string => `state.${mode}`;
const phaseOf = (mode: Mode): string => `phase.${mode}`;
const reference = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

/** The definitions for each mode: the keys of its state, and its phases. */
export function modeDefinitions(): { readonly [name: string]: JsonSchema } {
  return Object.fromEntries([
    ['conditions', { additionalProperties: { properties: operatorWords() } }],
    ...knownModes().flatMap((mode) => [
      [stateOf(mode), stateSchema(mode)],
      [phaseOf(mode), phaseSchema(mode)],
    ]),
  ]);
}

/** For an execution or an actor: applies its mode to its state, and to phases without a mode of their own. */
export function modeOfPhases(): readonly JsonSchema[] {
  return knownModes().map((mode) =>
    whereIs('mode', mode, {
      properties: {
        state: reference(stateOf(mode)),
        phases: { items: { if: { required: ['mode'] }, else: reference(phaseOf(mode)) } },
      },
    }),
  );
}

/** For a phase: applies its own mode. */
export function modeOfPhase(): readonly JsonSchema[] {
  return knownModes().map((mode) => whereIs('mode', mode, reference(phaseOf(mode))));
}

/** For an indicator: offers the surfaces of its protocol. */
export function protocolOfIndicator(): readonly JsonSchema[] {
  return knownProtocols().map((protocol) => whereIs('protocol', protocol, surfacesOf(protocol)));
}

/** For an attack: applies the mode of its execution to indicators that name no protocol. */
export function modeOfIndicators(): readonly JsonSchema[] {
  return knownModes().map((mode) => {
    const indicators = {
      items: { if: { required: ['protocol'] }, else: surfacesOf(protocolOf(mode)) },
    };
    return {
      if: {
        properties: { execution: { properties: { mode: { const: mode } }, required: ['mode'] } },
        required: ['execution'],
      },
      // biome-ignore lint/suspicious/noThenProperty: `then` is JSON Schema's word
      then: { properties: { indicators, 'x-task': indicators } },
    };
  });
}

/** Offers some values and allows all others that fit. */
export function offered(values: Iterable<string>, otherwise: JsonSchema): JsonSchema {
  return { anyOf: [{ enum: [...values] }, otherwise] };
}

function whereIs(key: string, value: string, consequence: JsonSchema): JsonSchema {
  // biome-ignore lint/suspicious/noThenProperty: `then` is JSON Schema's word
  return { if: { properties: { [key]: { const: value } }, required: [key] }, then: consequence };
}

function surfacesOf(protocol: Protocol): JsonSchema {
  return { properties: { surface: offered(operationsOf(protocol), { type: 'string' }) } };
}

function phaseSchema(mode: Mode): JsonSchema {
  return {
    properties: {
      state: reference(stateOf(mode)),
      trigger: { properties: { event: offered(eventsOf(mode), { type: 'string' }) } },
      ...(entryActionShapes[mode] !== undefined && {
        on_enter: { items: { properties: propertiesOf(entryActionShapes[mode]) } },
      }),
    },
  };
}

function stateSchema(mode: Mode): JsonSchema {
  return {
    properties: propertiesOf(stateShapes[mode] ?? {}),
    patternProperties: { '^x-': true },
    // An unknown key is not an error in the format. A deprecation is the one way to make editors mention it.
    additionalProperties: {
      deprecationMessage: `${mode} has no such key in its state, so it means nothing; \`oatf validate\` says what may be meant`,
    },
  };
}

function propertiesOf(shapes: Shapes): JsonSchema {
  return Object.fromEntries(Object.entries(shapes).map(([key, shape]) => [key, schemaOf(shape)]));
}

function schemaOf({ says, list, map, values, isPredicate, isOurs }: Shape): JsonSchema {
  const words = described(says, isOurs ? 'extension' : 'format');
  if (list !== undefined)
    return { ...words, anyOf: [{ type: 'array', items: { properties: propertiesOf(list) } }, true] };
  if (map !== undefined) return { ...words, properties: propertiesOf(map) };
  if (isPredicate) return { ...words, ...reference('conditions') };
  return { ...words, ...(values !== undefined && offered(values, {})) };
}

function operatorWords(): JsonSchema {
  return Object.fromEntries(
    Object.entries(descriptions.MatchCondition).map(([name, says]) => [name, described(says, 'format')]),
  );
}
