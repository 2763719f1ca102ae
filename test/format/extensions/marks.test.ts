import { describe, expect, test } from 'vitest';
import { findDocumentMarks, readMarkedValue } from '../../../src/format/extensions/read-marks.ts';
import { diagnoseMarked, loadMarked } from '../../../src/format/load-marked.ts';
import { diagnose, load, normalize, parse, serialize, validate } from '../../../src/index.ts';

const single = (payload: string) => `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      instructions: Hand over {{what}}.
      tools:
        - name: weather
          description: Poison.
          __proto__: {constructor: own}
          "a/b~c": [1, null]
        - name: backup
  x-payload: ${payload}
`;

const phases = (payload: string) => `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases:
      - name: honest
        state: {instructions: Fine.}
        trigger: {event: tools/list}
      - state: {instructions: Crooked.}
        on_enter:
          - send: {method: notifications/message, params: {data: Now.}}
          - send_push_notification: {payload: {text: Later.}}
  x-payload: ${payload}
`;

const actors = (payload: string) => `oatf: "0.1"
attack:
  execution:
    actors:
      - name: shop
        mode: mcp_server
        phases: [{name: serve, state: {instructions: A.}}]
      - name: user
        mode: ag_ui_client
        phases: [{state: {run_agent_input: {messages: [{id: u, role: user, content: Hi.}]}}}]
  x-payload: ${payload}
`;

describe('loadMarked', () => {
  const one = { actor: 'default', phase: 'phase-1', needed: true };
  test.each([
    [
      'reads a mark in a document of a single phase',
      single('[{at: /state/instructions}]'),
      [{ ...one, at: '/state/instructions' }],
    ],
    [
      'reads a mark that spells out every field',
      single('[{actor: default, phase: phase-1, at: /state, benign: {}, needed: true}]'),
      [{ ...one, at: '/state', benign: {} }],
    ],
    [
      'reads marks with needed: false beside one that is needed',
      single('[{at: /state/tools/1, needed: false}, {at: /state/tools/0/description, benign: null}]'),
      [
        { ...one, at: '/state/tools/1', needed: false },
        { ...one, at: '/state/tools/0/description', benign: null },
      ],
    ],
    [
      'reads marks at keys like __proto__ if the document writes them',
      single('[{at: /state/tools/0/__proto__/constructor}]'),
      [{ ...one, at: '/state/tools/0/__proto__/constructor' }],
    ],
    [
      'reads a mark with escapes that points to null',
      single('[{at: /state/tools/0/a~1b~0c/1}]'),
      [{ ...one, at: '/state/tools/0/a~1b~0c/1' }],
    ],
    [
      'reads marks of phases with and without a name',
      phases('[{phase: honest, at: /state/instructions}, {phase: phase-2, at: /state/instructions}]'),
      [
        { ...one, phase: 'honest', at: '/state/instructions' },
        { ...one, phase: 'phase-2', at: '/state/instructions' },
      ],
    ],
    [
      'reads marks in entry actions, both of the format and of a binding',
      phases(
        '[{phase: phase-2, at: /on_enter/0/send/params/data}, {phase: phase-2, at: /on_enter/1/send_push_notification/payload/text}]',
      ),
      [
        { ...one, phase: 'phase-2', at: '/on_enter/0/send/params/data' },
        { ...one, phase: 'phase-2', at: '/on_enter/1/send_push_notification/payload/text' },
      ],
    ],
    [
      'reads marks of several actors if each of them has one phase',
      actors('[{actor: shop, at: /state/instructions}, {actor: user, at: /state/run_agent_input/messages/0/content}]'),
      [
        { ...one, actor: 'shop', phase: 'serve', at: '/state/instructions' },
        { ...one, actor: 'user', at: '/state/run_agent_input/messages/0/content' },
      ],
    ],
    ['returns no marks if the document has none', single('[]').replace(/ {2}x-payload.*\n/, ''), undefined],
  ])('%s', (_, text, expected) => {
    const loaded = loadMarked(text);
    expect(loaded).toMatchObject({ ok: true });
    expect(loaded.ok && loaded.marks).toEqual(expected);
  });

  test('returns the same marks after the document is normalized and written again', () => {
    const text = single('[{at: /state/tools/0/description, benign: Fine.}, {at: /state/tools/1}]');
    const [first, again] = [text, serialize(documentOf(text))].map((each) => loadMarked(each));
    expect(first?.ok && again?.ok && again.marks).toEqual(first?.ok && first.marks);
  });

  test.each([
    [single('[{at: /state/instructions}]'), 'Hand over {{what}}.'],
    [single('[{at: /state/tools/0/a~1b~0c/1}]'), null],
    [phases('[{phase: phase-2, at: /on_enter/1/send_push_notification}]'), { payload: { text: 'Later.' } }],
  ])('returns marks whose value readMarkedValue finds (row %#)', (text, expected) => {
    const document = normalize(documentOf(text));
    const [mark] = findDocumentMarks(document) ?? [];
    expect(mark && readMarkedValue(document, mark)).toEqual(expected);
  });
});

describe('a wrong x-payload', () => {
  const rows: readonly (readonly [what: string, text: string, code: string, path: string])[] = [
    ['an x-payload that is empty', single(''), 'O-201', ''],
    ['an x-payload that is a text', single('/state/instructions'), 'O-201', ''],
    ['an x-payload that is a mapping', single('{at: /state/instructions}'), 'O-201', ''],
    ['an x-payload that is an empty list', single('[]'), 'O-201', ''],
    ['a mark that is only a pointer', single('[/state/instructions]'), 'O-201', '[0]'],
    ['a mark without `at`', single('[{benign: a}]'), 'O-201', '[0]'],
    ['an `at` that is null', single('[{at: }]'), 'O-201', '[0].at'],
    ['an `at` that is a list', single('[{at: [state]}]'), 'O-201', '[0].at'],
    ['a phase that is a number', single('[{at: /state, phase: 1}]'), 'O-201', '[0].phase'],
    ['an actor that is a mapping', single('[{at: /state, actor: {}}]'), 'O-201', '[0].actor'],
    ['`needed` that is a text', single('[{at: /state, needed: "no"}]'), 'O-201', '[0].needed'],
    ['an unknown key in a mark', single('[{at: /state, beningn: a}]'), 'O-201', '[0].beningn'],
    ['a key in a mark that objects inherit', single('[{at: /state, constructor: a}]'), 'O-201', '[0].constructor'],
    [
      'a key in a mark that is called __proto__',
      single('[{at: /state, __proto__: {benign: a}}]'),
      'O-201',
      '[0].__proto__',
    ],
    ['a list in which no mark is needed', single('[{at: /state/tools/1, needed: false}]'), 'O-201', ''],
    ['an actor that the document does not have', single('[{at: /state, actor: shop}]'), 'O-202', '[0].actor'],
    [
      'an actor named like a property that objects inherit',
      actors('[{at: /state, actor: constructor}]'),
      'O-202',
      '[0].actor',
    ],
    ['a phase that the document does not have', phases('[{at: /state, phase: crooked}]'), 'O-202', '[0].phase'],
    ['a phase with a name that is named by its index', phases('[{at: /state, phase: phase-1}]'), 'O-202', '[0].phase'],
    ['a mark without actor in a document of two actors', actors('[{at: /state}]'), 'O-202', '[0]'],
    ['a mark without phase in a document of two phases', phases('[{at: /state}]'), 'O-202', '[0]'],
    [
      'a phase whose name two phases have',
      phases('[{at: /state, phase: phase-2}]').replace('honest', 'phase-2'),
      'O-202',
      '[0].phase',
    ],
    ['an `at` that is no JSON Pointer', single('[{at: state.instructions}]'), 'O-203', '[0].at'],
    ['an `at` with a wrong escape', single('[{at: /state/a~b}]'), 'O-203', '[0].at'],
    ['an `at` that is the whole phase', single('[{at: ""}]'), 'O-203', '[0].at'],
    ['an `at` that points into a trigger', phases('[{phase: honest, at: /trigger/event}]'), 'O-203', '[0].at'],
    ['an `at` that uses a field name of the model', phases('[{phase: phase-2, at: /onEnter/0}]'), 'O-203', '[0].at'],
    ['an `at` that points to an entry action of a single phase', single('[{at: /on_enter/0}]'), 'O-203', '[0].at'],
    ['an `at` that starts at the top of the document', single('[{at: /attack/execution/state}]'), 'O-203', '[0].at'],
    ['an `at` whose key is not there', single('[{at: /state/resources}]'), 'O-203', '[0].at'],
    ['an `at` whose key is one that objects inherit', single('[{at: /state/toString}]'), 'O-203', '[0].at'],
    ['an `at` that points behind the end of a list', single('[{at: /state/tools/-}]'), 'O-203', '[0].at'],
    ['an `at` whose item is not there', single('[{at: /state/tools/2}]'), 'O-203', '[0].at'],
    ['an `at` that points into a text', single('[{at: /state/instructions/0}]'), 'O-203', '[0].at'],
    [
      'an `at` that points to entry actions the phase does not have',
      phases('[{phase: honest, at: /on_enter}]'),
      'O-203',
      '[0].at',
    ],
    ['two marks at one place', single('[{at: /state/tools/0}, {at: /state/tools/0}]'), 'O-204', '[1].at'],
    [
      'a mark within the place of another',
      single('[{at: /state/tools/0/name}, {at: /state/tools/0}]'),
      'O-204',
      '[0].at',
    ],
    ['a mark that would remove the state of the first phase', phases('[{phase: honest, at: /state}]'), 'O-205', '[0]'],
    ['a benign value that makes the state a text', single('[{at: /state, benign: Nothing.}]'), 'O-205', '[0]'],
    [
      'marks that would remove every entry action',
      phases('[{phase: phase-2, at: /on_enter/0}, {phase: phase-2, at: /on_enter/1}]'),
      'O-205',
      '[0]',
    ],
    ['a benign value with an unclosed template', single('[{at: /state/instructions, benign: "{{a"}]'), 'O-205', '[0]'],
    [
      'a benign value that makes a method a number',
      phases('[{phase: phase-2, at: /on_enter/0/send/method, benign: 3}]'),
      'O-205',
      '[0]',
    ],
  ];
  test.each(rows)('is an error of loadMarked and diagnoseMarked: %s', (_, text, code, path) => {
    const found = diagnoseMarked(text).filter(({ severity }) => severity === 'error');
    expect(found.map((each) => [each.code, each.path])).toEqual([[code, `attack.x-payload${path}`]]);
    expect(text.slice(0, found[0]?.range.start.offset)).toContain('x-payload'.slice(0, path === '' ? 0 : undefined));
    expect(loadMarked(text)).toEqual({ ok: false, errors: found });
  });

  test.each(rows)('is ignored by the SDK: %s', (_, text) => {
    const document = documentOf(text);
    expect(validate(document).errors).toEqual([]);
    expect(diagnose(text).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(load(text)).toMatchObject({ ok: true });
  });

  test.each(rows.filter(([, , code]) => code !== 'O-205'))('gives a document without marks: %s', (_, text) => {
    expect(findDocumentMarks(normalize(documentOf(text)))).toBeUndefined();
  });

  test('diagnoseMarked reports no problem of marks while the document itself is invalid', () => {
    const text = single('[{at: /nowhere}]').replace('mcp_server', 'mcp');
    expect(diagnoseMarked(text).map(({ code }) => code)).toEqual(diagnose(text).map(({ code }) => code));
  });
});

describe('diagnoseMarked with 3,000 marks', () => {
  const count = 3_000;
  const listed = (line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n');
  const text = (payload: string): string => `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      server_info:
${listed((index) => `        k${index}: ${index}`)}
  x-payload:
${payload}
`;

  test.each([
    ['reads them all if they are right', listed((index) => `    - at: /state/server_info/k${index}`), []],
    ['reports at most 100 errors if they lead to nothing', listed(() => '    - at: /state/server_info/none'), 100],
    ['reports at most 100 errors if they are all at one place', listed(() => '    - at: /state/server_info/k1'), 100],
    ['reports at most 100 errors if they are all numbers', listed(() => '    - 1'), 100],
    [
      'reports at most 100 errors if their actors are unknown',
      listed((index) => `    - {actor: a${index}, at: /state}`),
      100,
    ],
  ])('%s', (_, payload, expected) => {
    const errors = diagnoseMarked(text(payload)).filter(({ severity }) => severity === 'error');
    expect(expected === 100 ? errors.length : errors).toEqual(expected);
  });
});

function documentOf(text: string) {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.errors.map(({ message }) => message).join('\n'));
  return parsed.document;
}
