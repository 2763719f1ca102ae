import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createJsonSchema } from '../../../src/format/registry/json-schema.ts';
import { isStateExtension, listEntryActions, listStateKeys } from '../../../src/format/registry/payload-shapes.ts';
import { entryActionShapes } from '../../../src/format/registry/schema/state-shapes.ts';
import { knownModes } from '../../../src/index.ts';
import { publicFixture } from '../../support/public-fixtures.ts';

interface Fixture {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly expected: { readonly valid?: boolean };
}

const suite = new URL('../../conformance/validate/suite.yaml', import.meta.url);
const publicSchema = publicFixture('schemas/oatf-v0.1.json');

const fixtures: readonly Fixture[] = parse(readFileSync(suite, 'utf8'));
const valid = fixtures.filter(({ expected }) => expected.valid === true);
const ours = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false })
  // Keywords that editors read and validators may ignore.
  .addVocabulary(['markdownDescription', 'deprecationMessage'])
  .compile(createJsonSchema());

/** `parse` treats null as absent; the schema does not, so that no editor offers null. */
const nullForAbsent = new Set([
  'OV-006-c',
  'OV-008-k',
  'OV-012-g',
  'OV-019-g',
  'OV-030-m',
  'OV-038-d',
  'OV-043-d',
  'OV-047-d',
]);

/** Fields of the specification that the public schema does not have yet. */
const newerThanPublic = new Set(['OV-005-aj']);

function accepts(schema: ValidateFunction, text: string): boolean {
  return schema(parse(text, { version: '1.2', schema: 'core' }));
}

describe('the JSON Schema of documents', () => {
  test.each(valid.map(({ id, name, input }) => [id, name, input] as const))(
    'judges %s like validate: %s',
    (id, _, input) => {
      expect(accepts(ours, input)).toBe(!nullForAbsent.has(id));
    },
  );

  const execution = 'execution: {mode: mcp_server, state: {}}';
  const oneIndicator = (fields: string) => `oatf: "0.1"\nattack: {${execution}, indicators: [{${fields}}]}`;
  const onePhase = (fields: string) =>
    `oatf: "0.1"\nattack: {execution: {mode: mcp_server, phases: [{state: {}, ${fields}}]}}`;
  const rows: readonly (readonly [what: string, text: string])[] = [
    ['no version', `attack: {${execution}}`],
    ['a version that is not supported', `oatf: "0.2"\nattack: {${execution}}`],
    ['a version that is a number', `oatf: 0.1\nattack: {${execution}}`],
    ['no attack', 'oatf: "0.1"'],
    ['a list of attacks', `oatf: "0.1"\nattack: [{${execution}}]`],
    ['an unknown field at the top', `oatf: "0.1"\nversion: 1\nattack: {${execution}}`],
    ['an unknown field of the attack', `oatf: "0.1"\nattack: {severty: high, ${execution}}`],
    ['an extension at the top', `oatf: "0.1"\nx-a: 1\nattack: {${execution}}`],
    ['no execution', 'oatf: "0.1"\nattack: {name: a}'],
    ['an execution of no form', 'oatf: "0.1"\nattack: {execution: {mode: mcp_server}}'],
    [
      'an execution of two forms',
      'oatf: "0.1"\nattack: {execution: {mode: mcp_server, state: {}, phases: [{state: {}}]}}',
    ],
    ['a state without mode', 'oatf: "0.1"\nattack: {execution: {state: {}}}'],
    ['an unknown mode', 'oatf: "0.1"\nattack: {execution: {mode: mcp, state: {}}}'],
    [
      'a mode beside actors',
      'oatf: "0.1"\nattack: {execution: {mode: mcp_server, actors: [{name: a, mode: mcp_server, phases: [{state: {}}]}]}}',
    ],
    ['an empty list of actors', 'oatf: "0.1"\nattack: {execution: {actors: []}}'],
    [
      'an actor without name',
      'oatf: "0.1"\nattack: {execution: {actors: [{mode: mcp_server, phases: [{state: {}}]}]}}',
    ],
    ['a status outside the enumeration', `oatf: "0.1"\nattack: {status: final, ${execution}}`],
    ['a severity outside the enumeration', `oatf: "0.1"\nattack: {severity: severe, ${execution}}`],
    ['an attack id of a wrong form', `oatf: "0.1"\nattack: {id: acme-1, ${execution}}`],
    ['a version below 1', `oatf: "0.1"\nattack: {version: 0, ${execution}}`],
    ['a repeated impact', `oatf: "0.1"\nattack: {impact: [data_tampering, data_tampering], ${execution}}`],
    ['a text that is no duration', `oatf: "0.1"\nattack: {grace_period: 5 minutes, ${execution}}`],
    ['an empty list of indicators', `oatf: "0.1"\nattack: {${execution}, indicators: []}`],
    ['correlation without indicators', `oatf: "0.1"\nattack: {${execution}, correlation: {logic: any}}`],
    ['an indicator without target', oneIndicator('pattern: {contains: a}')],
    ['an indicator without pattern, expression or semantic', oneIndicator('target: a')],
    [
      'an indicator with pattern and expression',
      oneIndicator("target: a, pattern: {contains: a}, expression: {cel: 'true'}"),
    ],
    ['a target with an index', oneIndicator("target: 'a[0]', pattern: {contains: a}")],
    ['a confidence above 100', oneIndicator('target: a, confidence: 101, pattern: {contains: a}')],
    ['an operator of the wrong type', oneIndicator('target: a, pattern: {contains: 1}')],
    ['an unknown key beside an operator', oneIndicator('target: a, pattern: {condition: {contains: a, other: 1}}')],
    ['a threshold above 1', oneIndicator('target: a, semantic: {intent: a, threshold: 2}')],
    ['a trigger without event and after', onePhase('trigger: {}')],
    ['a trigger with count but without event', onePhase('trigger: {after: 1s, count: 2}')],
    [
      'an extractor type outside the enumeration',
      onePhase('extractors: [{name: a, source: request, type: xpath, selector: a}]'),
    ],
    ['an empty list of extractors', onePhase('extractors: []')],
    ['a send without method', onePhase('on_enter: [{send: {}}]')],
  ];
  const marked = (payload: string) => `oatf: "0.1"\nattack: {${execution}, x-payload: ${payload}}`;
  test.each([
    [
      'accepts valid marks',
      marked('[{at: /state}, {actor: a, phase: b, at: /state/a~1b~0c/, benign: [null], needed: false}]'),
      true,
    ],
    ['refuses a mark without place', marked('[{benign: a}]'), false],
    ['refuses a mark with an unknown key', marked('[{at: /state, path: a}]'), false],
    ['refuses a place that is no JSON Pointer', marked('[{at: state/a}]'), false],
    ['refuses a place with a wrong escape', marked('[{at: /state/~2}]'), false],
    ['refuses an empty list of marks', marked('[]'), false],
    ['refuses a mark outside of a list', marked('{at: /state}'), false],
  ])('%s', (_, text, expected) => {
    expect(accepts(ours, text)).toBe(expected);
  });

  test.each([
    ['an unknown key of state', 'execution: {mode: mcp_server, state: {tols: []}}'],
    ['a number of tools in place of a list', 'execution: {mode: mcp_server, state: {tools: many}}'],
    ['tools of wrong types', 'execution: {mode: mcp_server, state: {tools: [7, {name: [], responses: 1}]}}'],
    ['a condition that cannot hold', 'execution: {mode: a2a_server, state: {task_responses: [{when: {a: {gt: b}}}]}}'],
    ['an unknown mode', 'execution: {mode: smoke_signals_server, state: {fires: 3}}'],
    [
      'an unknown event',
      'execution: {mode: mcp_server, phases: [{state: {}, trigger: {event: tools/juggle}}, {mode: mcp_server}]}',
    ],
    ['an unknown surface', `${execution}, indicators: [{target: a, surface: odd, pattern: {contains: a}}]`],
  ])('accepts parts that are open in the format: %s', (_, attack) => {
    expect(accepts(ours, `oatf: "0.1"\nattack: {${attack}}`)).toBe(true);
  });

  test.each(rows)('refuses %s', (_, text) => {
    expect(accepts(ours, text)).toBe(false);
  });
});

interface Node {
  readonly properties?: { readonly [key: string]: Node };
  readonly description?: string;
  readonly markdownDescription?: string;
}

describe('the JSON Schema for editors', () => {
  const { $defs } = createJsonSchema() as { readonly $defs: { readonly [name: string]: Node } };

  test.each(knownModes())('has for %s the state keys that the binding reads', (mode) => {
    const keys = Object.keys($defs[`state.${mode}`]?.properties ?? {});
    expect(keys.filter((key) => !listStateKeys(mode)?.includes(key) && !isStateExtension(mode, key))).toEqual([]);
    expect(listStateKeys(mode)?.filter((key) => !keys.includes(key))).toEqual([]);
  });

  test.each(knownModes())('has for %s the entry actions that the binding reads', (mode) => {
    const written = Object.keys(entryActionShapes[mode] ?? {});
    expect(['send', 'log', ...written]).toEqual(listEntryActions(mode));
  });

  test('has a description and a link for every field', () => {
    const bare: string[] = [];
    const look = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) look(value, `${path}/${key}`);
      const { description, markdownDescription } = node as Node;
      if (markdownDescription === undefined) return;
      if (!/\S \(?https:\/\//.test(description ?? '') || !markdownDescription.includes('](https://')) bare.push(path);
    };
    look(createJsonSchema(), '');
    for (const [name, { properties = {} }] of Object.entries($defs))
      for (const [key, field] of Object.entries(properties))
        if (!name.startsWith('phase.') && field.markdownDescription === undefined) bare.push(`${name}.${key}`);
    expect(bare).toEqual([]);
  });
});

describe.skipIf(publicSchema === undefined)('the public JSON Schema (skipped without public fixtures)', () => {
  const accepted = valid.filter(({ id }) => !nullForAbsent.has(id));
  const theirs =
    publicSchema === undefined
      ? ours
      : // It has formats that ajv does not know by itself, and is not strict.
        new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(readFileSync(publicSchema, 'utf8')));
  test.each(accepted.map(({ id, name, input }) => [id, name, input] as const))(
    'accepts what validate accepts in %s: %s',
    (id, _, input) => {
      expect(accepts(theirs, input)).toBe(!newerThanPublic.has(id));
    },
  );
});
