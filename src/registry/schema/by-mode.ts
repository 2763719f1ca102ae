import type { Mode, Protocol } from '../../model/enumerations.ts';
import type { JsonSchema } from '../json-schema.ts';
import { knownModes, protocolOf } from '../modes.ts';
import { eventsOf, operationsOf } from '../operations.ts';
import { knownProtocols } from '../protocols.ts';
import { descriptions } from './descriptions.ts';
import { described } from './links.ts';
import { entryActionShapes, type Shape, type Shapes, stateShapes } from './state-shapes.ts';

// What the mode of an execution, an actor or a phase says of what stands below it. Modes are open, so all of it hangs on
// `if`: a mode without rows leaves everything as it is. Values are offered, never asked for.

const stateOf = (mode: Mode): string => `state.${mode}`;
const phaseOf = (mode: Mode): string => `phase.${mode}`;
const reference = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

/** What the keys of each mode are, and what a phase of it has; to be put among the definitions. */
export function modeDefinitions(): { readonly [name: string]: JsonSchema } {
  return Object.fromEntries([
    ['conditions', { additionalProperties: { properties: operatorWords() } }],
    ...knownModes().flatMap((mode) => [
      [stateOf(mode), stateSchema(mode)],
      [phaseOf(mode), phaseSchema(mode)],
    ]),
  ]);
}

/** For an execution and an actor: what their mode says of their state and of those phases that have none of their own. */
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

/** For a phase: what its own mode says of it. */
export function modeOfPhase(): readonly JsonSchema[] {
  return knownModes().map((mode) => whereIs('mode', mode, reference(phaseOf(mode))));
}

/** For an indicator: what its protocol says of its surface. */
export function protocolOfIndicator(): readonly JsonSchema[] {
  return knownProtocols().map((protocol) => whereIs('protocol', protocol, surfacesOf(protocol)));
}

/** For an attack: what the mode of its execution says of indicators that name no protocol. */
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

/** Values to offer, beside what else fits. */
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
    // A key of no meaning is no mistake of the format's, so it is told in the one way that editors have for such things.
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
