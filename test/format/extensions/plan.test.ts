import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatDocument } from '../../../src/format/document/format.ts';
import { readDocumentPlan } from '../../../src/format/extensions/read-plan.ts';
import { diagnoseMarked, loadMarked } from '../../../src/format/load-marked.ts';
import type { Value } from '../../../src/format/model/value.ts';
import { fillPlanValue, findPlanValue, splitPlanText } from '../../../src/format/primitives/plan-values.ts';
import { createJsonSchema } from '../../../src/format/registry/json-schema.ts';
import { diagnose } from '../../../src/index.ts';

const document = (plan: string, said = 1) => `oatf: "0.1"
attack:
  execution:
    actors:
      - name: shop
        mode: mcp_server
        phases:
          - state: { tools: [{ name: buy }], resources: [{ uri: "note://a" }], prompts: [{ name: letter }] }
      - name: bank
        mode: mcp_server
        phases:
          - state: { tools: [{ name: pay }], resource_templates: [{ uriTemplate: "note://{id}" }] }
      - name: helper
        mode: a2a_server
        phases:
          - state: {}
      - name: user
        mode: ag_ui_client
        phases:
${Array.from({ length: said }, (_, index) => `          - name: p${index}\n            state: { run_agent_input: { threadId: t, runId: r${index}, messages: [], tools: [{ name: show }] } }\n${index < said - 1 ? '            trigger: { event: run_finished }\n' : ''}`).join('')}  x-plan: ${plan}
`;
const at = 'attack.x-plan';
const found = (text: string) =>
  diagnoseMarked(text)
    .filter(({ code }) => /^O-28/.test(code))
    .map(({ code, path }) => [code, path]);

describe('oatf validate accepts a plan', () => {
  test.each([
    [
      'of calls of tools, resources and prompts',
      '[{ call: { actor: shop, tool: buy, arguments: { n: 1 } } }, { call: { actor: shop, resource: "note://a" } }, { call: { actor: shop, prompt: letter } }]',
    ],
    ['that reads what a template may offer', '[{ call: { actor: bank, resource: "note://z" } }]'],
    ['that sends to the only agent', '[{ send: { message: Hello } }, { say: "{{1:/(.+)/}}" }]'],
    ['that calls a tool of the application', '[{ frontend: { tool: show } }, { say: Done }]'],
    [
      'with answers behind a call',
      '[{ call: { actor: shop, tool: buy } }, { answer: { values: {} } }, { answer: { text: Yes } }, { answer: decline }]',
    ],
    [
      'that waits and connects again',
      '[{ wait: push }, { wait: list_changed }, { session: new }, { say: "{{1:$.x}}" }]',
    ],
    ['with an approval', '[{ ask: { text: Pay?, interrupt: {} } }, { resume: approved }, { say: Paid }]'],
  ])('%s', (_, plan) => {
    expect(found(document(plan))).toEqual([]);
  });

  test.each([
    ['one message and one turn', '[{ say: a }]', 1],
    ['two messages and two turns', '[{ say: a }, { ask: b }]', 2],
    [
      'an interrupt that the same phase answers',
      '[{ ask: { text: a, interrupt: {} } }, { resume: approved }, { say: b }]',
      1,
    ],
    [
      'an interrupt that the next phase answers',
      '[{ ask: { text: a, interrupt: {} } }, { resume: approved }, { say: b }]',
      2,
    ],
  ])('for %s', (_, plan, said) => {
    expect(found(document(plan, said))).toEqual([]);
  });
});

test.each<[string, string, [string, string][]]>([
  ['that is no list', 'buy', [['O-281', '']]],
  ['without steps', '[]', [['O-281', '']]],
  ['of two hundred and one steps', `[${'{ say: a }, '.repeat(201)}]`, [['O-281', '']]],
  ['whose step is no mapping', '[buy]', [['O-281', '[0]']]],
  ['whose step has two keys', '[{ say: a, ask: b }]', [['O-281', '[0]']]],
  ['with a misspelt step', '[{ cal: { tool: buy } }]', [['O-281', '[0].cal']]],
  ['with a step that is reserved', '[{ run: ls }]', [['O-281', '[0].run']]],
  ['whose call names nothing', '[{ call: { actor: shop } }]', [['O-281', '[0].call']]],
  ['whose call names two things', '[{ call: { actor: shop, tool: buy, prompt: letter } }]', [['O-281', '[0].call']]],
  ['whose call has an unknown field', '[{ call: { actor: shop, tool: buy, args: {} } }]', [['O-281', '[0].call']]],
  ['whose arguments are a list', '[{ call: { actor: shop, tool: buy, arguments: [] } }]', [['O-281', '[0].call']]],
  ['whose message is missing', '[{ send: {} }]', [['O-281', '[0].send']]],
  ['whose answer is empty', '[{ call: { actor: shop, tool: buy } }, { answer: {} }]', [['O-281', '[1].answer']]],
  ['that waits for something unknown', '[{ wait: rain }]', [['O-281', '[0].wait']]],
  [
    'whose answer stands behind no call',
    '[{ say: a }, { answer: decline }]',
    [
      ['O-284', ''],
      ['O-281', '[1]'],
    ],
  ],
  [
    'whose approval stands behind no interrupt',
    '[{ ask: a }, { resume: approved }]',
    [
      ['O-284', ''],
      ['O-281', '[1]'],
    ],
  ],
  ['that leaves it open which server is meant', '[{ call: { tool: buy } }]', [['O-282', '[0].call']]],
  ['that names an unknown server', '[{ call: { actor: shpo, tool: buy } }]', [['O-282', '[0].call.actor']]],
  ['that names an agent as a server', '[{ call: { actor: helper, tool: buy } }]', [['O-282', '[0].call.actor']]],
  ['that calls a tool of another server', '[{ call: { actor: shop, tool: pay } }]', [['O-282', '[0].call.tool']]],
  [
    'that reads an unknown resource',
    '[{ call: { actor: shop, resource: "note://b" } }]',
    [['O-282', '[0].call.resource']],
  ],
  ['that calls an unknown tool of the application', '[{ frontend: { tool: hide } }]', [['O-282', '[0].frontend.tool']]],
  ['with a value of the same step', '[{ send: { message: "{{1:$.a}}" } }]', [['O-283', '[0]']]],
  ['with a value of a step that does not exist', '[{ say: "{{0:$.a}}" }]', [['O-283', '[0]']]],
  ['with a value of a step without a result', '[{ session: new }, { say: "{{1:$.a}}" }]', [['O-283', '[1]']]],
  [
    'with braces that hold no value',
    '[{ send: { message: a } }, { say: "{{1}} and {{a" }]',
    [
      ['O-283', '[1]'],
      ['O-283', '[1]'],
    ],
  ],
  ['with a path that does not compile', '[{ send: { message: a } }, { say: "{{1:$[}}" }]', [['O-283', '[1]']]],
  ['with an expression that does not compile', '[{ send: { message: a } }, { say: "{{1:/(/}}" }]', [['O-283', '[1]']]],
  [
    'with a value in an argument of the application',
    '[{ frontend: { tool: show, arguments: { a: [{ b: "{{3:$.a}}" }] } } }]',
    [['O-283', '[0]']],
  ],
  ['with two turns for one message', '[{ say: a }, { say: b }]', [['O-284', '']]],
])('oatf validate reports a plan %s', (_, plan, expected) => {
  const text = document(plan);
  expect(found(text)).toEqual(expected.map(([code, path]) => [code, at + path]));
  expect(diagnose(text).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('a document whose x-plan belongs to another tool has no plan', () => {
  const loaded = loadMarked(document('[{ say: a }]'));
  if (!loaded.ok) throw new Error('it is not valid');
  const { document: valid } = loaded;
  expect(readDocumentPlan(valid)).toEqual([{ kind: 'say', text: 'a' }]);
  const foreign = { ...valid, attack: { ...valid.attack, extensions: { 'x-plan': { budget: 3 } } } };
  expect(readDocumentPlan(foreign)).toBeUndefined();
});

test('oatf fmt puts the keys of steps in order and leaves the steps in theirs', () => {
  const formatted = formatDocument(
    document('\n    - say: a\n    - call:\n        arguments: { b: 1, a: 2 }\n        tool: buy\n        actor: shop'),
  );
  expect(formatted.ok && formatted.text.split('x-plan:\n')[1]).toBe(
    [
      '    - say: a',
      '    - call:',
      '        actor: shop',
      '        tool: buy',
      '        arguments:',
      '          b: 1',
      '          a: 2',
      '',
    ].join('\n'),
  );
});

describe('the values of a plan', () => {
  const result = { text: 'ref 4411 of {"a": [1.50, 2]}', structured: { deep: { id: 7 }, none: null } };
  test.each<[string, Value | undefined]>([
    ['$.deep.id', 7],
    ['$.deep', { id: 7 }],
    ['$.none', null],
    ['$.nothing', undefined],
    ['/ref (\\d+)/', '4411'],
    ['/ref \\d+/', 'ref 4411'],
    ['/order (\\d+)/', undefined],
    ['/(x)?ref/', undefined],
    ['/(/', undefined],
    ['$[', undefined],
  ])('are found by %s', (selector, value) => {
    expect(findPlanValue(selector, result)).toEqual(value);
  });

  test('come from the text if the structured content lacks them', () => {
    expect(findPlanValue('$.b', { text: '{"b": 1}', structured: { a: 2 } })).toBe(1);
  });

  test('keep numbers as they are written', () => {
    const { value } = fillPlanValue('{{1:$.a}} EUR', () => findPlanValue('$.a', { text: '{"a": 1.50}' }));
    expect(value).toBe('1.50 EUR');
  });

  test.each([
    ['too long', { text: '', structured: 'a'.repeat(200_000) }, '$'],
    ['nested too deeply', { text: '['.repeat(5_000) + ']'.repeat(5_000) }, '$'],
    ['too long a match', { text: 'a'.repeat(200_000) }, '/a+/'],
    ['too costly to find', { text: JSON.stringify(Array.from({ length: 2_000 }, () => [1])) }, '$..[?count($..*) > 0]'],
  ])('are not found if they are %s', (_, result, selector) => {
    expect(findPlanValue(selector, result)).toBeUndefined();
  });

  test.each([
    ['{{1:$.a}}', ['$.a']],
    ['a {{1:/x{2}/}} b {{12:$["}"]}}', ['/x{2}/', '$["}"]']],
    ['\\{{1:$.a}}', []],
  ])('stand in %s', (text, selectors) => {
    const parts = splitPlanText(text);
    expect(parts.flatMap((part) => (part.kind === 'value' ? [part.reference.selector] : []))).toEqual(selectors);
  });

  test('are split in linear time, whatever the text', () => {
    expect(splitPlanText('{{1:/'.repeat(100_000))).toHaveLength(1);
    expect(splitPlanText('{{'.repeat(100_000))).toHaveLength(1);
    expect(splitPlanText('{{}}'.repeat(100_000))).toHaveLength(100_000);
  });
});

test.each<[string, boolean]>([
  ['[{ call: { actor: shop, tool: buy, arguments: { n: 1 } } }, { answer: { values: {} } }, { say: a }]', true],
  [
    '[{ send: { message: a, metadata: { b: 1 } } }, { frontend: { tool: show } }, { wait: push }, { session: new }]',
    true,
  ],
  ['[{ ask: { text: a, interrupt: {} } }, { resume: approved }, { ask: b }]', true],
  ['[{ say: a, ask: b }]', false],
  ['[{ call: {} }]', false],
  ['[{ call: { tool: buy, prompt: letter } }]', false],
  ['[{ answer: perhaps }]', false],
  ['[{ run: ls }]', false],
])('the JSON Schema of documents says of the plan %s that it is valid: %s', (plan, isValid) => {
  const check = new Ajv({ strict: false }).compile(createJsonSchema());
  expect(check(parse(document(plan)))).toBe(isValid);
});
