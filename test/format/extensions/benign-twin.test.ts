import { describe, expect, test } from 'vitest';
import { makeBenignTwin } from '../../../src/format/extensions/document-variant.ts';
import { loadMarked } from '../../../src/format/load-marked.ts';
import type { Document } from '../../../src/format/model/attack-document.ts';
import { encode, normalize, parse } from '../../../src/index.ts';

function twinOf(text: string) {
  const loaded = loadMarked(text);
  if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('\n'));
  const twin = makeBenignTwin(text, loaded.marks ?? []);
  if (!twin.ok) throw new Error('the twin does not load');
  return twin;
}

const text = (state: string, payload: string) =>
  `oatf: "0.1"\nattack:\n  execution:\n    mode: mcp_server\n    state: ${state}\n  x-payload: ${payload}\n`;

describe('the state of a twin', () => {
  test.each([
    [
      'has the benign value in place of the marked one',
      '{tools: [{name: a, description: Poison.}]}',
      '[{at: /state/tools/0/description, benign: Fine.}]',
      { tools: [{ name: 'a', description: 'Fine.' }] },
    ],
    [
      'lacks a marked value that has no benign value',
      '{tools: [{name: a, description: Poison.}]}',
      '[{at: /state/tools/0/description}]',
      { tools: [{ name: 'a' }] },
    ],
    [
      'has null where the benign value is null',
      '{tools: [{name: a, title: Poison.}]}',
      '[{at: /state/tools/0/title, benign: }]',
      { tools: [{ name: 'a', title: null }] },
    ],
    [
      'replaces and removes items by their index in the original list, in whatever order the marks stand',
      '{tools: [{name: a}, {name: b}, {name: c}, {name: d}]}',
      '[{at: /state/tools/0}, {at: /state/tools/2, benign: {name: C}}, {at: /state/tools/1}, {at: /state/tools/3/name, benign: D}]',
      { tools: [{ name: 'C' }, { name: 'D' }] },
    ],
    [
      'keeps an empty list when every item of it is removed',
      '{tools: [{name: a}, {name: b}]}',
      '[{at: /state/tools/1}, {at: /state/tools/0}]',
      { tools: [] },
    ],
    [
      'lacks a marked value also if its mark says needed: false',
      '{instructions: One., tools: [{name: a}]}',
      '[{at: /state/instructions}, {at: /state/tools/0, needed: false}]',
      { tools: [] },
    ],
    [
      'takes a whole structure as benign value',
      '{tools: [{name: a}]}',
      '[{at: /state/tools, benign: [{name: b, inputSchema: {type: object}}]}]',
      { tools: [{ name: 'b', inputSchema: { type: 'object' } }] },
    ],
    [
      'keeps templates in benign values for the run to fill in',
      '{instructions: Poison.}',
      '[{at: /state/instructions, benign: "Hello {{name}}, {{{{}}"}]',
      { instructions: 'Hello {{name}}, {{{{}}' },
    ],
    [
      'finds keys that look like numbers, need escapes, are empty, or are called __proto__',
      '{server_info: {1e3: a, "a/b": b, "~": c, __proto__: d, "": e}}',
      '[{at: /state/server_info/1e3, benign: 1}, {at: /state/server_info/a~1b, benign: 2}, {at: /state/server_info/~0, benign: 3}, {at: /state/server_info/__proto__, benign: 4}, {at: /state/server_info/, benign: 5}]',
      JSON.parse('{"server_info":{"1e3":1,"a/b":2,"~":3,"__proto__":4,"":5}}'),
    ],
    [
      'keeps invisible and control characters of a benign value',
      '{instructions: Poison.}',
      '[{at: /state/instructions, benign: "a\\u200bb\\u0007"}]',
      { instructions: 'a\u200bb\u0007' },
    ],
  ])('%s', (_, state, payload, expected) => {
    const { document, write } = twinOf(text(state, payload));
    expect(document.attack.execution.actors[0]?.phases[0]?.state).toEqual(expected);
    expect(normalize(parsed(write()))).toEqual(document);
  });
});

describe('a twin', () => {
  const written = `# Ours.
oatf: "0.1"
attack:
  id: ACME-001
  name: Poisoned weather
  # What the marks are for.
  x-payload:
    - at: /on_enter/0/send/params/data
      phase: phase-2
      benign: |
        Two lines,
        as they stand.
    - {phase: open, at: /state/instructions} # gone
  x-other: kept
  execution:
    mode: mcp_server
    phases:
      - name: open
        state:
          instructions: Poison. # gone with it
          tools: [] # none
        trigger: {event: tools/list}
      - on_enter:
          - send: {method: notifications/message, params: {data: Poison.}}
  indicators:
    - id: ACME-001-01
      target: a
      pattern: {contains: b}
`;

  test('is written with comments and everything else that is not marked', () => {
    expect(twinOf(written).write()).toBe(`# Ours.
oatf: "0.1"
attack:
  id: ACME-001
  name: Poisoned weather (benign twin)
  execution:
    mode: mcp_server
    phases:
      - name: open
        state:
          tools: [] # none
        trigger:
          event: tools/list
      - on_enter:
          - send:
              method: notifications/message
              params:
                data: |
                  Two lines,
                  as they stand.
  indicators:
    - id: ACME-001-01
      target: a
      pattern:
        contains: b
  x-other: kept
`);
  });

  test('keeps the id of the attack, says in its name that it is a twin, and has no marks', () => {
    const { attack } = twinOf(written).document;
    expect([attack.id, attack.name, attack.extensions]).toEqual([
      'ACME-001',
      'Poisoned weather (benign twin)',
      { 'x-other': 'kept' },
    ]);
  });

  test.each([
    ['without a name', text('{instructions: A.}', '[{at: /state/instructions}]'), 'Untitled (benign twin)'],
    ['in JSON', JSON.stringify(encode('Document', parsed(written) as Document)), 'Poisoned weather (benign twin)'],
  ])('of a document %s names itself a benign twin and stays the same when written and loaded', (_, source, name) => {
    const { document, write } = twinOf(source);
    expect(document.attack.name).toBe(name);
    expect(normalize(parsed(write()))).toEqual(document);
  });
});

function parsed(source: string): Document {
  const result = parse(source);
  if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  return result.document;
}
