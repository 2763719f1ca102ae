import { describe, expect, test } from 'vitest';
import { formatDocument } from '../../../src/format/document/format.ts';
import { readAllChecks, readDisclosureChecks, readTaskChecks } from '../../../src/format/extensions/read-checks.ts';
import { diagnoseMarked, loadMarked } from '../../../src/format/load-marked.ts';
import { diagnose, load } from '../../../src/index.ts';

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

describe('an x-task check', () => {
  test('gets its id from its position, its protocol from the mode, and its pattern in the standard form', () => {
    const loaded = loadMarked(
      single(
        '[{target: name, pattern: {starts_with: wea}, severity: low}, {id: ACME-001-T7, target: a, expression: {cel: "true"}}]',
      ),
    );
    expect(loaded.ok && readTaskChecks(loaded.document)).toEqual([
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

  test('gets an id even if the document has none', () => {
    const loaded = loadMarked(actors('[{protocol: ag_ui, target: delta, pattern: {contains: a}}]'));
    expect(loaded.ok && readTaskChecks(loaded.document)?.map(({ id, protocol }) => [id, protocol])).toEqual([
      ['indicator-T1', 'ag_ui'],
    ]);
  });
});

const good = 'target: name, pattern: {contains: weather}';

describe('diagnoseMarked and loadMarked', () => {
  test.each<[title: string, text: string, found: readonly (readonly [code: string, path: string])[]]>([
    ['that is no list', single('yes'), [['O-211', 'attack.x-task']]],
    ['that is an empty list', single('[]'), [['O-211', 'attack.x-task']]],
    ['whose check is no mapping', single('[weather]'), [['O-211', 'attack.x-task[0]']]],
    ['whose check has no target', single('[{pattern: {contains: a}}]'), [['O-211', 'attack.x-task[0].target']]],
    [
      'whose check has neither pattern, expression nor semantic',
      single(`[{${good}}, {target: name}]`),
      [['O-211', 'attack.x-task[1]']],
    ],
    ['whose check has an unknown field', single(`[{${good}, tool: a}]`), [['O-211', 'attack.x-task[0].tool']]],
    ['whose check has an unknown tier', single(`[{${good}, tier: far}]`), [['O-211', 'attack.x-task[0].tier']]],
    [
      'whose expression does not parse',
      single('[{target: a, expression: {cel: "a +"}}]'),
      [['O-211', 'attack.x-task[0].expression.cel']],
    ],
    [
      'whose check names an actor that is not there',
      single(`[{${good}, actor: shop}]`),
      [['O-211', 'attack.x-task[0].actor']],
    ],
    [
      'whose check has no protocol although there are several actors',
      actors(`[{${good}}]`),
      [['O-211', 'attack.x-task[0].protocol']],
    ],
    [
      'whose check has the id of an indicator',
      single(`[{${good}, id: ACME-001-01}]`),
      [['O-212', 'attack.x-task[0].id']],
    ],
    [
      'whose check has an id in the form of an indicator’s id',
      single(`[{${good}, id: ACME-001-02}]`),
      [['O-212', 'attack.x-task[0].id']],
    ],
    [
      'whose check has an id of another document',
      single(`[{${good}, id: ACME-002-T1}]`),
      [['O-212', 'attack.x-task[0].id']],
    ],
    ['whose check has an id numbered 0', single(`[{${good}, id: ACME-001-T0}]`), [['O-212', 'attack.x-task[0].id']]],
    [
      'in which an id occurs twice',
      single(`[{${good}, id: ACME-001-T2}, {${good}}]`),
      [['O-212', 'attack.x-task[1].id']],
    ],
    [
      'whose check looks at what the attack itself sends',
      single(`[{${good}, direction: response}]`),
      [['O-213', 'attack.x-task[0].direction']],
    ],
  ])('report an error for an x-task %s', (_, text, found) => {
    const errors = diagnoseMarked(text).filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code, path }) => [code, path])).toEqual(found);
    expect(loadMarked(text)).toEqual({ ok: false, errors });
  });

  test.each([
    ['whose check has an unknown surface', `[{${good}, surface: tools/cal}]`],
    ['whose check has a protocol that no actor speaks', `[{${good}, protocol: ag_ui}]`],
    ['whose check has a misspelt operator', '[{target: a, pattern: {condition: {equals: a}}}]'],
    ['whose check must be judged by its meaning', '[{target: a, semantic: {intent: a}}]'],
  ])('only warn (O-214) about an x-task %s', (_, task) => {
    const loaded = loadMarked(single(task));
    expect(loaded.ok && loaded.warnings.map(({ code }) => code)).toContain('O-214');
    expect(diagnoseMarked(single(task)).filter(({ code }) => code === 'O-214')).toMatchObject([
      { severity: 'warning' },
    ]);
  });

  test.each(['yes', '[]', '[weather]', '{a: 1}', '[{target: a}]'])(
    'load and diagnose of the SDK ignore the x-task: %s',
    (task) => {
      expect(diagnose(single(task))).toEqual([]);
      const loaded = load(single(task));
      expect(loaded.ok && readTaskChecks(loaded.document)).toBeUndefined();
    },
  );

  test('diagnoseMarked reports the line and column of the wrong value in the text', () => {
    const [first] = diagnoseMarked(single(`[{${good}, tier: far}]`));
    expect([first?.range.start.line, first?.range.start.column]).toEqual([9, 63]);
  });
});

test('format orders the keys of checks like those of indicators', () => {
  const formatted = formatDocument(single('[{pattern: {contains: a}, target: name, id: ACME-001-T1}]'));
  expect(formatted.ok && formatted.text.slice(formatted.text.indexOf('  x-task'))).toBe(`  x-task:
    - id: ACME-001-T1
      target: name
      pattern:
        contains: a
`);
});

describe('checks in x-disclosure', () => {
  const both = (disclosure: string) => `${single(`[{${good}}]`)}  x-disclosure: ${disclosure}\n`;

  test('get ids of their own, and are evaluated after those of the task', () => {
    const loaded = loadMarked(both(`[{${good}}, {id: ACME-001-D7, ${good}}]`));
    expect(loaded.ok && readDisclosureChecks(loaded.document).map(({ id }) => id)).toEqual([
      'ACME-001-D1',
      'ACME-001-D7',
    ]);
    expect(loaded.ok && readAllChecks(loaded.document).map(({ id }) => id)).toEqual([
      'ACME-001-T1',
      'ACME-001-D1',
      'ACME-001-D7',
    ]);
  });

  test.each<[title: string, disclosure: string, found: readonly (readonly [code: string, path: string])[]]>([
    ['that are no list', 'yes', [['O-211', 'attack.x-disclosure']]],
    ['with an unknown field', `[{${good}, tool: a}]`, [['O-211', 'attack.x-disclosure[0].tool']]],
    ['with the id of a check of the task', `[{${good}, id: ACME-001-T2}]`, [['O-212', 'attack.x-disclosure[0].id']]],
    ['with an id that is taken', `[{${good}, id: ACME-001-01}]`, [['O-212', 'attack.x-disclosure[0].id']]],
    [
      'on messages of ours',
      `[{${good}, surface: tools/call, direction: response}]`,
      [['O-213', 'attack.x-disclosure[0].direction']],
    ],
    ['with x-decode', `[{${good}, x-decode: true}]`, [['O-222', 'attack.x-disclosure[0].x-decode']]],
  ])('are refused %s', (_, disclosure, found) => {
    const loaded = loadMarked(both(disclosure));
    expect(!loaded.ok && loaded.errors.map(({ code, path }) => [code, path])).toEqual(found);
  });

  test('may not have the id of a check of the task in a document without an id', () => {
    const loaded = loadMarked(
      `${actors('[{id: a, protocol: mcp, target: name, pattern: {contains: a}}]')}  x-disclosure: [{id: a, protocol: mcp, target: name, pattern: {contains: a}}]\n`,
    );
    expect(!loaded.ok && loaded.errors.map(({ code, path }) => [code, path])).toEqual([
      ['O-212', 'attack.x-disclosure[0].id'],
    ]);
  });

  test('get their fields in the order of an indicator’s by fmt', () => {
    const formatted = formatDocument(`oatf: "0.1"
attack:
  x-disclosure: [{pattern: {contains: a}, target: name, id: A-001-D1}]
  execution: {mode: mcp_server, state: {tools: []}}
`);
    expect(formatted.ok && formatted.text).toContain('- id: A-001-D1\n      target: name\n      pattern:');
  });
});
