import { describe, expect, test } from 'vitest';
import type { Document } from '../../../src/format/model/attack-document.ts';
import { diagnose, parse, validate } from '../../../src/index.ts';

// What rules say of a document beyond their id: where, how often, in which order, and with which hint.

const written = (attack: unknown): string => JSON.stringify({ oatf: '0.1', attack });
const state = (mode: string, fields: unknown): object => ({ execution: { mode, state: fields } });
const served = (fields: unknown): object => state('mcp_server', fields);
const phased = (...phases: readonly object[]): object => ({ execution: { mode: 'mcp_server', phases } });
const looking = (...indicators: readonly object[]): object => ({ ...served({}), indicators });
const contains = { contains: 'x' };
const seeing = { target: 'a', pattern: contains };
const answered = (...responses: readonly unknown[]): object => served({ tools: [{ name: 't', responses }] });
const long = 'o'.repeat(61);

/** Conditions that are compared as a whole, and the key that was probably meant as an operator. */
const misspelt: readonly [condition: object, key: string][] = [
  ...['equals', 'eq', '$eq', 'startsWith', 'StartsWith', 'starts-with', 'start_with', 'Contains', 'contain'].map(
    (key): [object, string] => [{ [key]: 'x' }, key],
  ),
  ...[
    'cotnains',
    'contians',
    'endsWith',
    'regexp',
    'Regex',
    'regx',
    'matches',
    'not',
    'exist',
    'greaterThan',
    'GT',
  ].map((key): [object, string] => [{ [key]: 'x' }, key]),
  ...['any_off', 'anyOf', 'any_ofs', 'one_of', 'in'].map((key): [object, string] => [{ [key]: ['x'] }, key]),
  [{ startsWith: 'x', endsWith: 'y' }, 'startsWith'],
  [{ matches: 'x', flags: 'i' }, 'matches'],
  [{ regexp: 'x', note: 'i' }, 'regexp'],
  [{ not: { contains: 'x' } }, 'not'],
  [{ a: { b: { startsWith: 'x' } } }, 'a.b.startsWith'],
  [{ list: [{ contains: 'x' }] }, 'list[0].contains'],
  [{ any_of: [{ starts_with: 'x' }] }, 'any_of[0].starts_with'],
];

/** Values that conditions compare with. */
const ordinary: readonly object[] = [
  {},
  { city: 'Oslo' },
  { type: 'string', pattern: '^a', enum: ['a'] },
  { pattern: '*.ts', include: 'src' },
  { in: 'query', name: 'id' },
  { content: 'x', contents: ['x'], container: 'web', contact: 'a@b.c' },
  { lists: [1], events: 3, edits: 2, reset: true, region: 'eu', gt4: 1, left: 1, get: 2 },
  { type: 'array', items: { contains: 'x', type: 'string' } },
  { any_of: ['x', { city: 'Oslo' }] },
];

describe('diagnose', () => {
  test.each<[string, object, string[]]>([
    [
      'extension keys of a state',
      served({ logging: [{ data: 'x' }], 'x-mine': 1 }),
      ['O-009 attack.execution.state.logging'],
    ],
    [
      'an extension key of an action',
      state('mcp_client', { actions: [{ method: 'ping', headers: {} }] }),
      ['O-009 attack.execution.state.actions[0].headers'],
    ],
    [
      'an extension key of a response',
      answered({ content: [], task: {} }),
      ['O-009 attack.execution.state.tools[0].responses[0].task'],
    ],
    [
      'a task that lacks one of its fields',
      state('a2a_server', {
        task_responses: [{ content: { kind: 'task', id: 't', status: { state: 'completed' } } }],
      }),
      ['O-016 attack.execution.state.task_responses[0].content'],
    ],
    [
      'an extension entry action',
      phased({ state: {}, on_enter: [{ log: { message: 'm' } }, { send_within_response: { method: 'm' } }] }),
      ['O-009 attack.execution.phases[0].on_enter[1].send_within_response'],
    ],
    [
      '`when` that never holds, in all that a server sends on its own',
      served({
        elicitations: [{ message: 'm', when: 'x' }],
        sampling_requests: [{ messages: [], when: 'x' }],
        progress: [{ values: [], when: 'x' }],
        logging: [{ data: 1, when: 'x' }],
      }),
      [
        'O-010 attack.execution.state.elicitations[0].when',
        'O-009 attack.execution.state.sampling_requests',
        'O-010 attack.execution.state.sampling_requests[0].when',
        'O-009 attack.execution.state.progress',
        'O-010 attack.execution.state.progress[0].when',
        'O-009 attack.execution.state.logging',
        'O-010 attack.execution.state.logging[0].when',
      ],
    ],
    ...misspelt.map(([condition, key]): [string, object, string[]] => [
      `\`${key}\` in the condition ${JSON.stringify(condition)}`,
      looking({ target: 'a', pattern: { condition } }),
      [`O-017 attack.indicators[0].pattern.condition.${key}`],
    ]),
    ...ordinary.map((condition): [string, object, string[]] => [
      `nothing for the value ${JSON.stringify(condition)}`,
      looking({ target: 'a', pattern: { condition } }),
      [],
    ]),
    [
      'two fallbacks of an MCP client',
      state('mcp_client', {
        sampling_responses: [{ content: {} }, { content: {} }],
        elicitation_responses: [{ action: 'accept' }, { action: 'accept' }],
      }),
      ['V-033 attack.execution.state.sampling_responses', 'V-033 attack.execution.state.elicitation_responses'],
    ],
    [
      'two fallbacks of an A2A agent',
      state('a2a_server', { task_responses: [{ content: 'a' }, { content: 'b' }] }),
      ['V-033 attack.execution.state.task_responses'],
    ],
    [
      'two fallbacks of an AG-UI user',
      state('ag_ui_client', {
        run_agent_input: { threadId: 't', runId: 'r' },
        tool_responses: [{ content: 'a' }, { content: 'b' }],
      }),
      ['V-033 attack.execution.state.tool_responses'],
    ],
    ['a mapping in place of a list', served({ elicitations: {} }), ['O-013 attack.execution.state.elicitations']],
    ['a text in place of a response', answered('text'), ['O-013 attack.execution.state.tools[0].responses[0]']],
    [
      'two keys that no binding reads',
      answered({ content: [], odd: 1, strange: 2 }),
      [
        'O-013 attack.execution.state.tools[0].responses[0].odd',
        'O-013 attack.execution.state.tools[0].responses[0].strange',
      ],
    ],
    [
      'a task without its fields, but no message or status update',
      state('a2a_server', {
        task_responses: [
          { content: { kind: 'message', status: {} } },
          { when: { a: 1 }, content: { kind: 'status-update', status: {} } },
          { when: { a: 1 }, content: { status: {} } },
        ],
      }),
      ['O-016 attack.execution.state.task_responses[2].content'],
    ],
    [
      'nothing for an action that only looks like the MCP handshake',
      state('a2a_client', { actions: [{ method: 'initialize' }] }),
      [],
    ],
    [
      'nothing for a condition that is null',
      phased({ state: {}, trigger: { event: 'tools/call', match: { a: null } } }, {}),
      [],
    ],
    [
      'a reference to an actor with an empty name',
      served({ tools: [{ name: '{{.x}}' }] }),
      ['V-032 attack.execution.state.tools[0].name'],
    ],
    [
      'unknown references of an actor that has no name',
      {
        execution: {
          actors: [
            {
              mode: 'mcp_server',
              phases: [
                {
                  state: { tools: [{ name: '{{a}}', description: '{{b}}' }] },
                  extractors: [{ name: 'a', source: 'request', type: 'json_path', selector: '$.a' }],
                },
              ],
            },
          ],
        },
      },
      [
        'V-031 attack.execution.actors[0].name',
        'W-004 attack.execution.actors[0].phases[0].state.tools[0].description',
      ],
    ],
    [
      'an indicator on an actor in a document where no actor has a name',
      {
        execution: { actors: [{ mode: 'mcp_server', phases: [{ state: {} }] }] },
        indicators: [{ actor: 'x', protocol: 'mcp', ...seeing }],
      },
      ['V-031 attack.execution.actors[0].name', 'V-048 attack.indicators[0].actor'],
    ],
    [
      'only the protocol if an indicator has a direction but nobody speaks its protocol',
      looking({ protocol: 'a2a', direction: 'response', ...seeing }),
      ['W-005 attack.indicators[0].protocol'],
    ],
    [
      'the protocol of our observations, which no binding of the format defines and no actor speaks',
      looking({ protocol: 'x_agent', surface: 'observed', ...seeing }),
      ['W-003 attack.indicators[0].protocol', 'W-005 attack.indicators[0].protocol'],
    ],
    [
      'a protocol without an actor in an execution without actors',
      { execution: { actors: [] }, indicators: [{ protocol: 'mcp', ...seeing }] },
      ['V-031 attack.execution.actors', 'W-005 attack.indicators[0].protocol'],
    ],
    [
      'only the missing mode of one actor, not an indicator that may look at it',
      {
        execution: {
          actors: [
            { name: 'a', mode: 'mcp_server', phases: [{ state: {} }] },
            { name: 'b', phases: [{ state: {} }] },
          ],
        },
        indicators: [{ protocol: 'a2a', ...seeing }],
      },
      ['V-031 attack.execution.actors[1].mode'],
    ],
    [
      'only the missing mode, not the protocol of an indicator',
      { execution: { state: {} }, indicators: [{ protocol: 'mcp', ...seeing }] },
      ['V-030 attack.execution.mode'],
    ],
    [
      'only the missing mode, not an unknown entry action',
      { execution: { phases: [{ state: {}, on_enter: [{ shout: 1 }] }] } },
      ['V-028 attack.execution.phases[0].mode'],
    ],
    [
      'only the missing mode, not an unknown state key',
      { execution: { state: { toools: [] } } },
      ['V-030 attack.execution.mode'],
    ],
    [
      'a direction by the mode of the first phase',
      {
        execution: {
          phases: [{ mode: 'mcp_server', state: {}, trigger: { event: 'tools/call' } }, { mode: 'mcp_client' }],
        },
        indicators: [{ protocol: 'mcp', direction: 'response', ...seeing }],
      },
      ['V-028 attack.execution.phases', 'O-011 attack.indicators[0].direction'],
    ],
  ])('finds %s', (_, attack, found) => {
    expect(diagnose(written(attack)).map(({ code, path }) => `${code} ${path}`)).toEqual(found);
  });
});

describe('the message and hint of diagnose', () => {
  test.each<[object, string, string | undefined]>([
    [looking({ target: 'a' }), 'indicator has none of `pattern`, `expression` and `semantic`', undefined],
    [
      looking({ ...seeing, semantic: { intent: 'y' } }),
      'indicator has `pattern` and `semantic`; it must have exactly one',
      undefined,
    ],
    [looking({ target: 'a', pattern: {} }), 'pattern has no condition', undefined],
    [
      looking({ target: 'a', pattern: { ...contains, starts_with: 'y' } }),
      'pattern has 2 conditions; it must have `condition` or one operator',
      'several operators go into one `condition`',
    ],
    [
      looking({ target: 'a[0]', pattern: contains }),
      '"a[0]" is not a wildcard dot-path',
      'indices are not supported; use [*], or CEL',
    ],
    [looking({ target: 'a b', pattern: contains }), '"a b" is not a wildcard dot-path', undefined],
    [
      looking({ target: 'a', pattern: { regex: '(?=a)' } }),
      'not a valid RE2 expression: invalid or unsupported Perl syntax: `(?=`',
      'RE2 has no lookaround; use several conditions or a CEL expression',
    ],
    [
      looking({ target: 'a', pattern: { regex: '(a' } }),
      'not a valid RE2 expression: missing closing ): `(a`',
      undefined,
    ],
    [
      { ...state('mcp_client', {}), indicators: [{ direction: 'request', ...seeing }] },
      'on mcp_client a request is what the attack itself sends, so a match is not an act of the agent',
      'response, or none, is what the agent sends',
    ],
    [
      looking({ direction: 'response', ...seeing }),
      'on mcp_server a response is what the attack itself sends, so a match is not an act of the agent',
      'request, or none, is what the agent sends',
    ],
    [
      looking({ target: 'a', pattern: { condition: { startsWith: 'x' } } }),
      '`startsWith` is not an operator here, so the object around it is compared as a whole',
      'did you mean `starts_with`?',
    ],
    [
      looking({ target: 'a', pattern: { condition: { equals: 'x' } } }),
      '`equals` is not an operator here, so the object around it is compared as a whole',
      'for equality, write the value itself in place of the object',
    ],
    [
      answered({ content: [], when: { a: { contains: 'x', endsWith: 'y' } } }),
      '`endsWith` is not an operator that can hold',
      'did you mean `ends_with`?',
    ],
    [served({ toools: [] }), 'the mcp_server binding does not define the state key "toools"', 'did you mean `tools`?'],
    [
      served({ elicitations: {} }),
      '`elicitations` is not a list, so nothing of it is used',
      'write `- message: ...` below it',
    ],
    [
      answered({ odd: 1, contnet: 'x' }),
      'an entry of `responses` without `content` says nothing',
      'did you mean `content`?',
    ],
    [answered({ when: { a: 1 } }), 'an entry of `responses` without `content` says nothing', undefined],
    [
      answered({ content: [], [long]: 1 }),
      `no binding reads \`${long.slice(1)}…\` in an entry of \`responses\``,
      undefined,
    ],
    [
      answered({ content: [], [long.slice(1)]: 1 }),
      `no binding reads \`${long.slice(1)}\` in an entry of \`responses\``,
      undefined,
    ],
    [
      {
        ...served({}),
        impact: ['data_exfiltration', 'service_disruption', 'data_exfiltration', 'service_disruption'],
      },
      'data_exfiltration occurs more than once',
      undefined,
    ],
    [
      phased({ on_enter: [{ send: { method: 'm' }, log: { message: 'x' }, a: 1, b: 1, c: 1, d: 1 }] }),
      'action has 6 keys (send, log, a, b, c); write one action for each',
      undefined,
    ],
    [
      {
        execution: { actors: [{ mode: 'mcp_server', phases: [{ state: {} }] }] },
        indicators: [{ actor: 'x', protocol: 'mcp', ...seeing }],
      },
      'no actor is named "x"; no actor of this document has a name',
      undefined,
    ],
    [phased({ on_enter: [{}] }), 'action does nothing: it has no key but extensions', undefined],
  ])('are right for %j', (attack, message, hint) => {
    const found = diagnose(written(attack)).find((each) => each.message === message);
    expect(found).toMatchObject({ message });
    expect(found?.hint).toBe(hint);
  });

  test('point to the place within a CEL expression where it is wrong', () => {
    const text = written(looking({ target: 'a', expression: { cel: 'message.a ==' } }));
    const [found] = diagnose(text);
    expect(text[found?.range.start.offset ?? 0]).toBe('=');
  });
});

describe('validate of the SDK', () => {
  function found(attack: object): string[] {
    const parsed = parse(written(attack));
    if (!parsed.ok) throw new Error(parsed.errors.map(({ message }) => message).join('; '));
    return validate(parsed.document).errors.map(({ rule, path }) => `${rule} ${path}`);
  }

  test.each<[string, object, string[]]>([
    [
      'by the index of an item',
      looking({ id: 'A', target: 'a[0]', pattern: contains }, { id: 'A', ...seeing }),
      ['V-021 attack.indicators[0].target', 'V-010 attack.indicators[1].id'],
    ],
    [
      'by the order of keys',
      looking({ id: 'A', ...seeing }, { target: 'a[0]', id: 'A', pattern: contains }),
      ['V-021 attack.indicators[1].target', 'V-010 attack.indicators[1].id'],
    ],
    [
      'the whole before its parts',
      looking({ id: 'A', ...seeing }, { id: 'A', target: 'a' }),
      ['V-012 attack.indicators[1]', 'V-010 attack.indicators[1].id'],
    ],
    [
      'by keys that the model spells another way',
      phased({ state: [], on_enter: [{}] }),
      ['O-001 attack.execution.phases[0].state', 'V-041 attack.execution.phases[0].on_enter[0]'],
    ],
  ])('gives violations in the order of the document: %s', (_, attack, expected) => {
    expect(found(attack)).toEqual(expected);
  });

  test('gives a hint where there is one', () => {
    const parsed = parse(written({ id: 'lower', ...looking({ target: 'a', pattern: {} }) }));
    if (!parsed.ok) throw new Error('it parses');
    expect(validate(parsed.document).errors.map((error) => [error.rule, 'hint' in error])).toEqual([
      ['V-023', true],
      ['O-004', false],
    ]);
  });

  test.each<[object, string]>([
    [{ attack: served({}) }, 'V-001'],
    [{ oatf: '0.1' }, 'V-003'],
    [{ oatf: '0.1', attack: {} }, 'V-004'],
  ])('reports a missing required field: %j', (document, rule) => {
    expect(validate(document as Document).errors.map((error) => error.rule)).toEqual([rule]);
  });
});
