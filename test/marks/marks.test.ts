import { describe, expect, test } from 'vitest';
import { diagnose, load, normalize, parse, serialize, validate } from '../../src/index.ts';
import { diagnoseMarked, loadMarked } from '../../src/load-marked.ts';
import { markedValue, marksOf } from '../../src/marks/read-marks.ts';

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

describe('marks', () => {
  const one = { actor: 'default', phase: 'phase-1', needed: true };
  test.each([
    ['of a single phase', single('[{at: /state/instructions}]'), [{ ...one, at: '/state/instructions' }]],
    [
      'with everything spelt out',
      single('[{actor: default, phase: phase-1, at: /state, benign: {}, needed: true}]'),
      [{ ...one, at: '/state', benign: {} }],
    ],
    [
      'that are not needed beside one that is',
      single('[{at: /state/tools/1, needed: false}, {at: /state/tools/0/description, benign: null}]'),
      [
        { ...one, at: '/state/tools/1', needed: false },
        { ...one, at: '/state/tools/0/description', benign: null },
      ],
    ],
    [
      'at keys that objects inherit, where they are written',
      single('[{at: /state/tools/0/__proto__/constructor}]'),
      [{ ...one, at: '/state/tools/0/__proto__/constructor' }],
    ],
    [
      'at null, by escapes',
      single('[{at: /state/tools/0/a~1b~0c/1}]'),
      [{ ...one, at: '/state/tools/0/a~1b~0c/1' }],
    ],
    [
      'of phases with and without name',
      phases('[{phase: honest, at: /state/instructions}, {phase: phase-2, at: /state/instructions}]'),
      [
        { ...one, phase: 'honest', at: '/state/instructions' },
        { ...one, phase: 'phase-2', at: '/state/instructions' },
      ],
    ],
    [
      'in entry actions, the format’s and a binding’s',
      phases(
        '[{phase: phase-2, at: /on_enter/0/send/params/data}, {phase: phase-2, at: /on_enter/1/send_push_notification/payload/text}]',
      ),
      [
        { ...one, phase: 'phase-2', at: '/on_enter/0/send/params/data' },
        { ...one, phase: 'phase-2', at: '/on_enter/1/send_push_notification/payload/text' },
      ],
    ],
    [
      'of actors, each of which has one phase',
      actors(
        '[{actor: shop, at: /state/instructions}, {actor: user, at: /state/run_agent_input/messages/0/content}]',
      ),
      [
        { ...one, actor: 'shop', phase: 'serve', at: '/state/instructions' },
        { ...one, actor: 'user', at: '/state/run_agent_input/messages/0/content' },
      ],
    ],
    ['that are not there', single('[]').replace(/ {2}x-payload.*\n/, ''), undefined],
  ])('%s', (_, text, expected) => {
    const loaded = loadMarked(text);
    expect(loaded).toMatchObject({ ok: true });
    expect(loaded.ok && loaded.marks).toEqual(expected);
  });

  test('mean the same once the document is normalized and written again', () => {
    const text = single('[{at: /state/tools/0/description, benign: Fine.}, {at: /state/tools/1}]');
    const [first, again] = [text, serialize(documentOf(text))].map((each) => loadMarked(each));
    expect(first?.ok && again?.ok && again.marks).toEqual(first?.ok && first.marks);
  });

  test.each([
    [single('[{at: /state/instructions}]'), 'Hand over {{what}}.'],
    [single('[{at: /state/tools/0/a~1b~0c/1}]'), null],
    [phases('[{phase: phase-2, at: /on_enter/1/send_push_notification}]'), { payload: { text: 'Later.' } }],
  ])('stand at a value (row %#)', (text, expected) => {
    const document = normalize(documentOf(text));
    const [mark] = marksOf(document) ?? [];
    expect(mark && markedValue(document, mark)).toEqual(expected);
  });
});

describe('wrong marks', () => {
  const rows: readonly (readonly [what: string, text: string, code: string, path: string])[] = [
    ['nothing', single(''), 'O-201', ''],
    ['a text', single('/state/instructions'), 'O-201', ''],
    ['a mapping', single('{at: /state/instructions}'), 'O-201', ''],
    ['an empty list', single('[]'), 'O-201', ''],
    ['a pointer for a mark', single('[/state/instructions]'), 'O-201', '[0]'],
    ['a mark without place', single('[{benign: a}]'), 'O-201', '[0]'],
    ['a place that is null', single('[{at: }]'), 'O-201', '[0].at'],
    ['a place that is a list', single('[{at: [state]}]'), 'O-201', '[0].at'],
    ['a phase that is a number', single('[{at: /state, phase: 1}]'), 'O-201', '[0].phase'],
    ['an actor that is a mapping', single('[{at: /state, actor: {}}]'), 'O-201', '[0].actor'],
    ['needed in words', single('[{at: /state, needed: "no"}]'), 'O-201', '[0].needed'],
    ['an unknown key', single('[{at: /state, beningn: a}]'), 'O-201', '[0].beningn'],
    ['an inherited key', single('[{at: /state, constructor: a}]'), 'O-201', '[0].constructor'],
    ['a prototype', single('[{at: /state, __proto__: {benign: a}}]'), 'O-201', '[0].__proto__'],
    ['no mark that is needed', single('[{at: /state/tools/1, needed: false}]'), 'O-201', ''],
    ['an unknown actor', single('[{at: /state, actor: shop}]'), 'O-202', '[0].actor'],
    ['an inherited actor', actors('[{at: /state, actor: constructor}]'), 'O-202', '[0].actor'],
    ['an unknown phase', phases('[{at: /state, phase: crooked}]'), 'O-202', '[0].phase'],
    ['a phase by its place in the list', phases('[{at: /state, phase: phase-1}]'), 'O-202', '[0].phase'],
    ['no actor of two', actors('[{at: /state}]'), 'O-202', '[0]'],
    ['no phase of two', phases('[{at: /state}]'), 'O-202', '[0]'],
    [
      'a name that two phases have',
      phases('[{at: /state, phase: phase-2}]').replace('honest', 'phase-2'),
      'O-202',
      '[0].phase',
    ],
    ['no pointer', single('[{at: state.instructions}]'), 'O-203', '[0].at'],
    ['a wrong escape', single('[{at: /state/a~b}]'), 'O-203', '[0].at'],
    ['the whole phase', single('[{at: ""}]'), 'O-203', '[0].at'],
    ['a trigger', phases('[{phase: honest, at: /trigger/event}]'), 'O-203', '[0].at'],
    ['the model’s name of a field', phases('[{phase: phase-2, at: /onEnter/0}]'), 'O-203', '[0].at'],
    ['an entry action of a single phase', single('[{at: /on_enter/0}]'), 'O-203', '[0].at'],
    ['a pointer from the top', single('[{at: /attack/execution/state}]'), 'O-203', '[0].at'],
    ['a key that is not there', single('[{at: /state/resources}]'), 'O-203', '[0].at'],
    ['a key that objects inherit', single('[{at: /state/toString}]'), 'O-203', '[0].at'],
    ['the place behind a list', single('[{at: /state/tools/-}]'), 'O-203', '[0].at'],
    ['an item that is not there', single('[{at: /state/tools/2}]'), 'O-203', '[0].at'],
    ['a place in a text', single('[{at: /state/instructions/0}]'), 'O-203', '[0].at'],
    ['an inherited state', phases('[{phase: honest, at: /on_enter}]'), 'O-203', '[0].at'],
    ['one place twice', single('[{at: /state/tools/0}, {at: /state/tools/0}]'), 'O-204', '[1].at'],
    ['a place in another', single('[{at: /state/tools/0/name}, {at: /state/tools/0}]'), 'O-204', '[0].at'],
    ['the state that is first', phases('[{phase: honest, at: /state}]'), 'O-205', '[0]'],
    ['a state that is a text', single('[{at: /state, benign: Nothing.}]'), 'O-205', '[0]'],
    [
      'every entry action',
      phases('[{phase: phase-2, at: /on_enter/0}, {phase: phase-2, at: /on_enter/1}]'),
      'O-205',
      '[0]',
    ],
    ['an unclosed template', single('[{at: /state/instructions, benign: "{{a"}]'), 'O-205', '[0]'],
    [
      'a method that is a number',
      phases('[{phase: phase-2, at: /on_enter/0/send/method, benign: 3}]'),
      'O-205',
      '[0]',
    ],
  ];
  test.each(rows)('%s', (_, text, code, path) => {
    const found = diagnoseMarked(text).filter(({ severity }) => severity === 'error');
    expect(found.map((each) => [each.code, each.path])).toEqual([[code, `attack.x-payload${path}`]]);
    expect(text.slice(0, found[0]?.range.start.offset)).toContain(
      'x-payload'.slice(0, path === '' ? 0 : undefined),
    );
    expect(loadMarked(text)).toEqual({ ok: false, errors: found });
  });

  test.each(rows)('%s is none of the SDK’s business', (_, text) => {
    const document = documentOf(text);
    expect(validate(document).errors).toEqual([]);
    expect(diagnose(text).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(load(text)).toMatchObject({ ok: true });
  });

  test.each(rows.filter(([, , code]) => code !== 'O-205'))('%s: the document has no marks', (_, text) => {
    expect(marksOf(normalize(documentOf(text)))).toBeUndefined();
  });

  test('wait until the document itself is valid', () => {
    const text = single('[{at: /nowhere}]').replace('mcp_server', 'mcp');
    expect(diagnoseMarked(text).map(({ code }) => code)).toEqual(diagnose(text).map(({ code }) => code));
  });
});

describe('thousands of marks', () => {
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
    ['are read', listed((index) => `    - at: /state/server_info/k${index}`), []],
    ['that lead to nothing are told a hundred times', listed(() => '    - at: /state/server_info/none'), 100],
    ['at one place likewise', listed(() => '    - at: /state/server_info/k1'), 100],
    ['without a shape likewise', listed(() => '    - 1'), 100],
    ['of unknown actors likewise', listed((index) => `    - {actor: a${index}, at: /state}`), 100],
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
