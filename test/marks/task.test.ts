import { describe, expect, test } from 'vitest';
import { format } from '../../src/document/format.ts';
import { diagnose, load } from '../../src/index.ts';
import { diagnoseMarked, loadMarked } from '../../src/load-marked.ts';
import { taskOf } from '../../src/marks/read-task.ts';

const single = (task: string) => `oatf: "0.1"
attack:
  id: ACME-001
  execution:
    mode: mcp_server
    state: {tools: [{name: weather}]}
  indicators:
    - {id: ACME-001-01, target: name, pattern: {contains: backup}}
  x-task: ${task}
`;
const actors = (task: string) => `oatf: "0.1"
attack:
  execution:
    actors:
      - {name: shop, mode: mcp_server, phases: [{state: {tools: []}}]}
      - {name: user, mode: ag_ui_client, phases: [{state: {run_agent_input: {messages: []}}}]}
  x-task: ${task}
`;

describe('a check', () => {
  test('gets its id from its position, its protocol from the mode, and its pattern in the standard form', () => {
    const loaded = loadMarked(
      single(
        '[{target: name, pattern: {starts_with: wea}, severity: low}, {id: ACME-001-T7, target: a, expression: {cel: "true"}}]',
      ),
    );
    expect(loaded.ok && taskOf(loaded.document)).toEqual([
      {
        id: 'ACME-001-T1',
        protocol: 'mcp',
        target: 'name',
        pattern: { target: 'name', condition: { starts_with: 'wea' } },
        severity: 'low',
      },
      { id: 'ACME-001-T7', protocol: 'mcp', target: 'a', expression: { cel: 'true' } },
    ]);
  });

  test('of a document without an id still has one', () => {
    const loaded = loadMarked(actors('[{protocol: ag_ui, target: delta, pattern: {contains: a}}]'));
    expect(loaded.ok && taskOf(loaded.document)?.map(({ id, protocol }) => [id, protocol])).toEqual([
      ['indicator-T1', 'ag_ui'],
    ]);
  });
});

const good = 'target: name, pattern: {contains: weather}';

describe('problems of a task', () => {
  test.each<[title: string, text: string, found: readonly (readonly [code: string, path: string])[]]>([
    ['no list', single('yes'), [['O-211', 'attack.x-task']]],
    ['an empty list', single('[]'), [['O-211', 'attack.x-task']]],
    ['no mapping', single('[weather]'), [['O-211', 'attack.x-task[0]']]],
    ['no target', single('[{pattern: {contains: a}}]'), [['O-211', 'attack.x-task[0].target']]],
    ['no method', single(`[{${good}}, {target: name}]`), [['O-211', 'attack.x-task[1]']]],
    ['an unknown field', single(`[{${good}, tool: a}]`), [['O-211', 'attack.x-task[0].tool']]],
    ['an unknown tier', single(`[{${good}, tier: far}]`), [['O-211', 'attack.x-task[0].tier']]],
    [
      'an expression that does not parse',
      single('[{target: a, expression: {cel: "a +"}}]'),
      [['O-211', 'attack.x-task[0].expression.cel']],
    ],
    ['an actor who is not there', single(`[{${good}, actor: shop}]`), [['O-211', 'attack.x-task[0].actor']]],
    ['no protocol beside several actors', actors(`[{${good}}]`), [['O-211', 'attack.x-task[0].protocol']]],
    ['the id of an indicator', single(`[{${good}, id: ACME-001-01}]`), [['O-212', 'attack.x-task[0].id']]],
    ['an id like an indicator’s', single(`[{${good}, id: ACME-001-02}]`), [['O-212', 'attack.x-task[0].id']]],
    ['another document’s id', single(`[{${good}, id: ACME-002-T1}]`), [['O-212', 'attack.x-task[0].id']]],
    ['a zeroth id', single(`[{${good}, id: ACME-001-T0}]`), [['O-212', 'attack.x-task[0].id']]],
    ['an id twice', single(`[{${good}, id: ACME-001-T2}, {${good}}]`), [['O-212', 'attack.x-task[1].id']]],
    [
      'what we send ourselves',
      single(`[{${good}, direction: response}]`),
      [['O-213', 'attack.x-task[0].direction']],
    ],
  ])('%s', (_, text, found) => {
    const errors = diagnoseMarked(text).filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code, path }) => [code, path])).toEqual(found);
    expect(loadMarked(text)).toEqual({ ok: false, errors });
  });

  test.each([
    ['a surface that is not known', `[{${good}, surface: tools/cal}]`],
    ['a protocol that nobody speaks', `[{${good}, protocol: ag_ui}]`],
    ['a meaning that must be judged', '[{target: a, semantic: {intent: a}}]'],
  ])('%s is only odd', (_, task) => {
    const loaded = loadMarked(single(task));
    expect(loaded.ok && loaded.warnings.map(({ code }) => code)).toContain('O-214');
    expect(diagnoseMarked(single(task)).filter(({ code }) => code === 'O-214')).toMatchObject([
      { severity: 'warning' },
    ]);
  });

  test.each(['yes', '[]', '[weather]', '{a: 1}', '[{target: a}]'])(
    'the SDK leaves the key alone: %s',
    (task) => {
      expect(diagnose(single(task))).toEqual([]);
      const loaded = load(single(task));
      expect(loaded.ok && taskOf(loaded.document)).toBeUndefined();
    },
  );

  test('a place is that of the text', () => {
    const [first] = diagnoseMarked(single(`[{${good}, tier: far}]`));
    expect([first?.range.start.line, first?.range.start.column]).toEqual([9, 63]);
  });
});

test('checks are formatted like indicators', () => {
  const formatted = format(single('[{pattern: {contains: a}, target: name, id: ACME-001-T1}]'));
  expect(formatted.ok && formatted.text.slice(formatted.text.indexOf('  x-task'))).toBe(`  x-task:
    - id: ACME-001-T1
      target: name
      pattern:
        contains: a
`);
});
