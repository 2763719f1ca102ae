import { describe, expect, test } from 'vitest';
import { diagnose, load, parse, validate } from '../../src/index.ts';

const minimal = 'oatf: "0.1"\nattack:\n  execution: {mode: mcp_server, state: {}}\n';
const lines = (...rows: string[]) => `${rows.join('\n')}\n`;

/** `code path line:column-line:column` of everything that diagnose finds. */
function found(text: string): string[] {
  return diagnose(text).map(({ code, path, range: { start, end } }) =>
    `${code} ${path} ${start.line}:${start.column}-${end.line}:${end.column}`.replace('  ', ' '),
  );
}

describe('the place in a diagnostic', () => {
  const rows: [string, string, string[]][] = [
    ['is missing if nothing is wrong', minimal, []],
    [
      'is that of a scalar',
      lines('oatf: "0.1"', 'attack:', '  status: published', '  execution: {mode: mcp_server, state: {}}'),
      ['V-005 attack.status 3:11-3:20'],
    ],
    ['is where a missing field is missed', 'oatf: "0.1"\nattack:\n  name: x\n', ['V-004 attack.execution 3:3-3:3']],
    [
      'is the key of a block',
      lines('oatf: "0.1"', 'attack:', '  execution:', '    mode: mcp_server', '    phases: []'),
      ['V-007 attack.execution.phases 5:5-5:11'],
    ],
    [
      'is the first key of an item in a list',
      lines(
        'oatf: "0.1"',
        'attack:',
        '  execution: {mode: mcp_server, state: {}}',
        '  indicators:',
        '    - target: name',
      ),
      ['V-012 attack.indicators[0] 5:7-5:13'],
    ],
    [
      'is right for a key with dots and brackets',
      lines(
        'oatf: "0.1"',
        'attack:',
        '  execution:',
        '    mode: mcp_server',
        '    phases:',
        '      - state: {}',
        '        trigger:',
        '          event: tools/call',
        '          match:',
        '            args[*].cmd: x',
        '      - name: last',
      ),
      ['V-027 attack.execution.phases[0].trigger.match.args[*].cmd 10:26-10:27'],
    ],
    ['is the second attack key', `${minimal}attack: {}\n`, ['V-003 attack 4:1-4:7']],
    [
      'is a first key that is not oatf',
      'attack:\n  execution: {mode: mcp_server, state: {}}\noatf: "0.1"\n',
      ['W-001 oatf 3:7-3:12'],
    ],
  ];
  test.each(rows)('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

describe('diagnose', () => {
  const codes = (text: string) => diagnose(text).map(({ code, path }) => `${code} ${path}`);
  const rows: [string, string, string[]][] = [
    [
      'reports parse errors and violations together, in the order of the text',
      lines(
        'oatf: "0.1"',
        'attack:',
        '  id: lower-001',
        '  status: published',
        '  version: 0',
        '  execution: {mode: mcp_server, state: {}, stat: 1}',
      ),
      ['V-023 attack.id', 'V-005 attack.status', 'V-035 attack.version', 'type_mismatch attack.execution.stat'],
    ],
    [
      'does not report a mode of the wrong type as missing',
      lines(
        'oatf: "0.1"',
        'attack:',
        '  execution: {mode: 5, state: {}}',
        '  indicators: [{target: name, pattern: {contains: a}}]',
      ),
      ['type_mismatch attack.execution.mode'],
    ],
    [
      'does not report a pattern of the wrong type as missing',
      lines(
        'oatf: "0.1"',
        'attack:',
        '  execution: {mode: mcp_server, state: {}}',
        '  indicators: [{target: name, pattern: evil}]',
      ),
      ['type_mismatch attack.indicators[0].pattern'],
    ],
    [
      'does not report a wrong value of a required enumeration as missing',
      lines(
        'oatf: "0.1"',
        'attack:',
        '  execution:',
        '    mode: mcp_server',
        '    phases:',
        '      - state: {}',
        '        extractors: [{name: a, source: sideways, type: json_path, selector: $.a}]',
      ),
      ['V-005 attack.execution.phases[0].extractors[0].source'],
    ],
    ['reports an unquoted version', minimal.replace('"0.1"', '0.1'), ['V-001 oatf']],
    ['reports another YAML version', `%YAML 1.1\n---\n${minimal}`, ['syntax ']],
    ['reports a control character', minimal.replace('{}', '{a: "\u0007"}'), ['syntax ']],
    ['reports an empty text', '', ['syntax ']],
    ['reports a second document', `${minimal}---\n${minimal}`, ['syntax ']],
    ['reports a root that is a list', '- oatf\n', ['type_mismatch ', 'V-001 oatf', 'V-003 attack']],
    [
      'reports what stands before a break in the YAML',
      lines('oatf: "0.1"', 'attack:', '  status: published', '  execution: {mode: mcp_server, state: {', ''),
      ['V-005 attack.status', 'syntax ', 'syntax '],
    ],
    ['does not report a list that is never closed as empty', `${minimal}  indicators: [`, ['syntax ']],
    ['reports a tag that nobody declared', minimal.replace('{}', '{a: !e!x 1}'), ['V-020 ']],
    ['reports a tag', minimal.replace('{}', '{a: !include x}'), ['V-020 attack.execution.state.a']],
    ['reports a merge key', minimal.replace('{}', '{a: {<<: {b: 1}}}'), ['V-020 attack.execution.state.a']],
    [
      'takes a quoted "<<" for a key like any other',
      minimal.replace('{}', '{a: {"<<": {b: 1}}}'),
      ['O-009 attack.execution.state.a'],
    ],
    [
      'reports a condition without operands',
      `${minimal}  indicators: [{target: a, pattern: {condition: {contains: null}}}]\n`,
      ['type_mismatch attack.indicators[0].pattern.condition'],
    ],
  ];
  test.each(rows)('%s', (_, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test('reports an error exactly if load fails', () => {
    for (const [, text] of rows)
      expect(load(text).ok).toBe(diagnose(text).every(({ severity }) => severity === 'warning'));
  });
});

test.each([
  ['{}', 'execution has none of `state`, `phases` and `actors`'],
  [
    '{mode: mcp_server, state: {}, phases: [{}]}',
    'execution has `state` and `phases`; it must have exactly one of them',
  ],
])('V-030 says which forms of execution %s has', (execution, expected) => {
  const [first] = diagnose(`oatf: "0.1"\nattack:\n  execution: ${execution}\n`);
  expect([first?.code, first?.message]).toEqual(['V-030', expected]);
});

describe('the hint of diagnose', () => {
  const hintOf = (text: string) => diagnose(text).find(({ hint }) => hint !== undefined)?.hint;
  test('names the field that was misspelt', () => {
    expect(hintOf(minimal.replace('state', 'stat'))).toContain('state');
  });
  test('names the member that was misspelt', () => {
    expect(hintOf(minimal.replace('execution', 'status: drat\n  execution'))).toContain('draft');
  });
  test('lists the actors if one is unknown', () => {
    const actor = (name: string) => `{name: ${name}, mode: mcp_server, phases: [{state: {x: "{{desk.y}}"}}]}`;
    const text = `oatf: "0.1"\nattack:\n  execution: {actors: [${actor('one')}, ${actor('two')}]}\n`;
    expect(hintOf(text)).toContain('its actors: one, two;');
  });
  test('suggests x- for a field of one’s own', () => {
    expect(hintOf(minimal.replace('execution', 'team_notes_internal: y\n  execution'))).toContain('x-');
  });
});

test('validate reports in the order of the document, whatever order the rules have', () => {
  const parsed = parse(
    lines(
      'attack:',
      '  indicators: []',
      '  correlation: {logic: any}',
      '  version: 0',
      '  execution: {actors: []}',
      '  id: x',
      'oatf: "9"',
    ),
  );
  const paths = parsed.ok ? validate(parsed.document).errors.map(({ path }) => path) : [];
  expect(paths).toEqual(['attack.indicators', 'attack.version', 'attack.execution.actors', 'attack.id', 'oatf']);
});

test.each([
  ['hints at a misspelt surface', 'surface: tool/call', 'V-018', 'did you mean tools/call?'],
  ['has no hint if nothing comes near', 'surface: quite/other', 'V-018', undefined],
])('V-018 %s', (_, line, code, hint) => {
  const text = `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [{ name: a, description: b }] }
  indicators:
    - ${line}
      target: arguments
      pattern: { contains: a }
`;
  expect(diagnose(text).find((each) => each.code === code)).toMatchObject({ code });
  expect(diagnose(text).find((each) => each.code === code)?.hint).toBe(hint);
});

test('V-029 hints at the event that was probably meant', () => {
  const text = `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases:
      - state: { tools: [{ name: a, description: b }] }
        trigger: { event: tools/cal }
      - state: {}
  indicators:
    - surface: tools/call
      target: arguments
      pattern: { contains: a }
`;
  expect(diagnose(text)).toContainEqual(expect.objectContaining({ code: 'V-029', hint: 'did you mean tools/call?' }));
});

describe('diagnose, for tags of YAML', () => {
  const tagged = (value: string): string => minimal.replace('attack:\n', `attack:\n  x-a: ${value}\n`);

  test.each(['!!map {}', '!!seq []', '!!str a', '!!int 1', '!!float 1.5', '!!bool true', '!!null ~'])(
    'accepts %s, which is what the value is anyway',
    (value) => {
      expect(found(tagged(value))).toEqual([]);
    },
  );

  test('refuses a tag below a mapping that should be a list', () => {
    const text = minimal.replace('attack:\n', 'attack:\n  indicators:\n    a: !odd b\n');
    expect(found(text).map((line) => line.split(' ').slice(0, 2).join(' '))).toContain('V-020 attack.indicators.a');
  });

  test('refuses a key that is a list', () => {
    const text = minimal.replace('attack:\n', 'attack:\n  ? [a]\n  : b\n');
    expect(diagnose(text).map(({ message }) => message)).toContain('a key must be a scalar, found a list');
  });
});
