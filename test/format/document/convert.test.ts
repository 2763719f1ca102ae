import { describe, expect, test } from 'vitest';
import { parse as readYaml } from 'yaml';
import { convertDocument } from '../../../src/format/document/convert-document.ts';
import { diagnoseMarked } from '../../../src/format/load-marked.ts';

const document = (mode: string, state: object): string =>
  JSON.stringify({ oatf: '0.1', attack: { execution: { mode, state } } });

function converted(text: string) {
  const result = convertDocument(text);
  if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join());
  return result;
}
const stateOf = (text: string) => readYaml(text).attack.execution.state;

describe('convert, for ThoughtJack keys in state', () => {
  test.each<[string, string, object, object]>([
    [
      'an action that is only a name',
      'mcp_client',
      { actions: ['list_tools'] },
      { actions: [{ method: 'tools/list' }] },
    ],
    [
      'an action with parameters',
      'mcp_client',
      { actions: [{ call_tool: { name: 'a', arguments: { b: 'c' } } }] },
      { actions: [{ method: 'tools/call', params: { name: 'a', arguments: { b: 'c' } } }] },
    ],
    [
      'an action with a type',
      'mcp_client',
      { actions: [{ type: 'read_resource', uri: 'a:b' }] },
      { actions: [{ method: 'resources/read', params: { uri: 'a:b' } }] },
    ],
    [
      'an action that is OATF already',
      'mcp_client',
      { actions: [{ method: 'ping' }, 'list_prompts'] },
      { actions: [{ method: 'ping' }, { method: 'prompts/list' }] },
    ],
    [
      'a sampling response',
      'mcp_client',
      { sampling_responses: [{ when: { a: 'b' }, role: 'assistant', content: { type: 'text', text: 'x' } }] },
      {
        sampling_responses: [
          { when: { a: 'b' }, content: { role: 'assistant', content: { type: 'text', text: 'x' } } },
        ],
      },
    ],
    [
      'the message of an A2A client',
      'a2a_client',
      { streaming: true, task_message: { role: 'user', parts: [] }, metadata: { a: 1 } },
      {
        actions: [
          {
            method: 'message/stream',
            params: {
              message: { role: 'user', parts: [], kind: 'message', messageId: 'message-1' },
              metadata: { a: 1 },
            },
          },
        ],
      },
    ],
    [
      'a request for the agent card before the message',
      'a2a_client',
      { fetch_agent_card: true, task_message: { messageId: 'm', kind: 'message' } },
      {
        actions: [
          { method: 'agent_card/get' },
          { method: 'message/send', params: { message: { messageId: 'm', kind: 'message' } } },
        ],
      },
    ],
    [
      'a task of an A2A server',
      'a2a_server',
      { task_responses: [{ status: 'completed', artifacts: [{ parts: [] }] }] },
      {
        task_responses: [
          {
            content: {
              kind: 'task',
              id: 'task-1',
              contextId: 'context-1',
              status: { state: 'completed' },
              artifacts: [{ parts: [], artifactId: 'artifact-1-1' }],
            },
          },
        ],
      },
    ],
    [
      'the state of a task of an A2A server',
      'a2a_server',
      { task_responses: [{ status: 'working' }] },
      {
        task_responses: [
          { content: { kind: 'task', id: 'task-1', contextId: 'context-1', status: { state: 'working' } } },
        ],
      },
    ],
    [
      'progress of which one entry is a whole call already',
      'mcp_server',
      { progress: [{ values: [{ progress: 1 }] }, { progress: 2, tool: 'a' }] },
      { progress: [{ values: [{ progress: 1 }] }, { when: { name: 'a' }, values: [{ progress: 2 }] }] },
    ],
    [
      'a message that answers',
      'a2a_server',
      { task_responses: [{ response_type: 'message', messages: [{ role: 'agent', parts: [] }] }] },
      {
        task_responses: [{ content: { role: 'agent', parts: [], kind: 'message', messageId: 'answer-1-1' } }],
      },
    ],
    [
      'progress by tool name',
      'mcp_server',
      {
        progress: [{ progress: 0, tool: 'a' }, { progress: 9, total: 9, tool: 'a' }, { progress: 1 }],
      },
      {
        progress: [
          { when: { name: 'a' }, values: [{ progress: 0 }, { progress: 9, total: 9 }] },
          { values: [{ progress: 1 }] },
        ],
      },
    ],
    [
      'log messages of a tool',
      'mcp_server',
      { logging: [{ tool: 'a', data: 'x' }] },
      { logging: [{ when: { name: 'a' }, data: 'x', level: 'info' }] },
    ],
    [
      'an elicitation for a tool under a condition',
      'mcp_server',
      { elicitations: [{ tool: 'a', when: { 'arguments.b': 'c' }, message: 'x' }] },
      { elicitations: [{ when: { 'arguments.b': 'c', name: 'a' }, message: 'x' }] },
    ],
    [
      'the response of a resource',
      'mcp_server',
      { resources: [{ uri: 'a:b', name: 'r', responses: [{ contents: [{ text: 'x' }] }] }] },
      { resources: [{ uri: 'a:b', name: 'r', content: { text: 'x' } }] },
    ],
    ['the default delivery', 'mcp_server', { tools: [], behavior: { delivery: 'normal' } }, { tools: [] }],
  ])('rewrites %s into valid OATF 0.1', (_, mode, written, expected) => {
    const { text, changes } = converted(document(mode, written));
    expect(stateOf(text)).toEqual(expected);
    expect(changes.map(({ kind }) => kind)).not.toContain('left');
    expect(changes.length).toBeGreaterThan(0);
    expect(diagnoseMarked(text).filter(({ code }) => code !== 'O-009')).toEqual([]);
    expect(converted(text)).toEqual({ ok: true, text, changes: [] });
  });

  test('rewrites await_extractors as x-await', () => {
    const phases = [{ state: {}, extractors: [{ name: 'x', source: 'request', type: 'json_path', selector: '$' }] }];
    const waiting = {
      await_extractors: [{ actor: 'a', extractors: ['x'], timeout: '1500ms' }],
      state: { actions: [] },
    };
    const execution = {
      actors: [
        { name: 'a', mode: 'mcp_server', phases },
        { name: 'b', mode: 'a2a_client', phases: [waiting] },
      ],
    };
    const { text } = converted(JSON.stringify({ oatf: '0.1', attack: { execution } }));
    expect(readYaml(text).attack.execution.actors[1].phases[0]['x-await']).toEqual([
      { actor: 'a', extractors: ['x'], within: '2s' },
    ]);
    expect(diagnoseMarked(text)).toEqual([]);
  });

  test('removes old surface names and keeps comments', () => {
    const text = [
      'oatf: "0.1"',
      'attack:',
      '  execution: { mode: mcp_server, state: { tools: [] } }',
      '  indicators:',
      '    # why',
      '    - { surface: tool_response, target: a, pattern: { contains: x } }',
      '',
    ].join('\n');
    const made = converted(text).text;
    expect(made).toContain('# why');
    expect(readYaml(made).attack.indicators[0]).not.toHaveProperty('surface');
  });
});

test('convert rewrites a generated payload of ThoughtJack as x-generate', () => {
  const generate = { kind: 'nested_json', seed: 3, parameters: { depth: 500, structure: 'array' } };
  const state = { tools: [{ name: 'a', responses: [{ content: [{ type: 'text', generate }] }] }] };
  const attack = { name: 'Deep', execution: { mode: 'mcp_server', state } };
  const { text } = converted(JSON.stringify({ oatf: '0.1', attack }));
  expect(diagnoseMarked(text).filter(({ severity }) => severity === 'error')).toEqual([]);
  const { execution } = readYaml(text).attack;
  expect(execution['x-generate']).toEqual([
    {
      at: '/state/tools/0/responses/0/content/0/text',
      kind: 'nested',
      as: 'text',
      depth: 500,
      of: 'lists',
      leaf: 'leaf',
      seed: 3,
    },
  ]);
  expect(execution.state.tools[0].responses[0].content[0]).toEqual({ type: 'text', text: 'generated' });
});

describe('convert, for ThoughtJack behaviors', () => {
  test.each<[string, object, object]>([
    ['delayed answers', { delivery: 'delayed', parameters: { delay_ms: 500 } }, { delay: '500ms' }],
    ['delayed answers with the default delay', { delivery: 'delayed' }, { delay: '1000ms' }],
    ['slow answers with the default pace', { delivery: 'slow_stream' }, { pace: { bytes: 1, every: '50ms' } }],
    [
      'slow answers with a documented pace',
      { delivery: { type: 'slow_loris', byte_delay_ms: 20, chunk_size: 3 } },
      { pace: { bytes: 3, every: '20ms' } },
    ],
    [
      'a flood of notifications',
      {
        side_effects: [
          { type: 'notification_flood', parameters: { rate: 50, duration: '2s', method: 'notifications/x' } },
        ],
      },
      {
        flood: {
          method: 'notifications/x',
          params: { level: 'info', data: 'flood' },
          count: 100,
          every: '20ms',
        },
      },
    ],
    ['a connection reset', { side_effects: [{ type: 'connection_reset' }] }, { end: { by: 'reset', when: 'before' } }],
    ['repeated answers', { side_effects: [{ type: 'id_collision', parameters: { count: 2 } }] }, { repeat: 3 }],
    [
      'a delay and a flood',
      { delivery: 'delayed', side_effects: [{ type: 'notification_flood' }] },
      {
        delay: '1000ms',
        flood: {
          method: 'notifications/message',
          params: { level: 'info', data: 'flood' },
          count: 10,
          every: '100ms',
        },
      },
    ],
  ])('rewrites %s as an x-wire rule', (_, behavior, actions) => {
    const { text, changes } = converted(document('mcp_server', { tools: [], behavior }));
    expect(readYaml(text).attack.execution['x-wire']).toEqual([{ on: '*', ...actions }]);
    expect(stateOf(text)).toEqual({ tools: [] });
    expect(changes.map(({ kind }) => kind)).toEqual(['rewritten']);
    expect(diagnoseMarked(text).filter(({ code }) => code !== 'O-009')).toEqual([]);
  });
});

describe('convert, for generated payloads of ThoughtJack', () => {
  test.each<[string, object, object]>([
    ['nested_json', {}, { kind: 'nested', as: 'text', depth: 100, of: 'objects', leaf: 'leaf' }],
    ['unbounded_line', { length: 5_000, char: 'BC' }, { kind: 'text', bytes: 5_000, repeat: 'B' }],
    ['random_bytes', { size: 16 }, { kind: 'noise', bytes: 32, alphabet: 'printable' }],
    ['unicode_stress', { category: 'rtl', repeat: 10 }, { kind: 'unicode', bytes: 140, of: 'bidi' }],
    ['garbage', { size: 9, charset: 'numeric' }, { kind: 'noise', bytes: 9, alphabet: 'digits' }],
    ['repeated_keys', { count: 3, key_length: 2 }, { kind: 'keys', as: 'text', count: 3, key: 'kk', repeated: true }],
    ['unicode_spam', { categories: ['rtl'] }, { kind: 'unicode', bytes: 1024, of: ['bidi'] }],
    ['ansi_escape', { sequences: ['title', 'color'] }, { kind: 'ansi', of: ['title', 'colour'] }],
  ])('rewrites %s with %j as x-generate', (kind, parameters, entry) => {
    const content = { content: [{ type: 'text', generate: { kind, parameters } }] };
    const state = { tools: [{ name: 'a', responses: [{ content }] }] };
    const attack = { name: 'Made', execution: { mode: 'mcp_server', state } };
    const { text } = converted(JSON.stringify({ oatf: '0.1', attack }));
    expect(diagnoseMarked(text).filter(({ severity }) => severity === 'error')).toEqual([]);
    const [{ at: _, ...made }] = readYaml(text).attack.execution['x-generate'];
    expect(made).toEqual(entry);
  });
});

describe('convert, for parts without an OATF equivalent', () => {
  test.each<[string, string, object, string]>([
    ['an unknown delivery', 'mcp_server', { behavior: { delivery: 'unbounded' } }, 'behavior'],
    [
      'an unsupported side effect',
      'mcp_server',
      { behavior: { side_effects: [{ type: 'notification_flood' }, { type: 'pipe_deadlock' }] } },
      'behavior',
    ],
    ['an unknown action', 'mcp_client', { actions: ['dance'] }, 'actions[0]'],
    [
      'a generated payload without a kind',
      'mcp_server',
      { tools: [{ name: 'a', responses: [{ content: [{ type: 'text', generate: {} }] }] }] },
      'tools[0].responses[0].content[0].generate',
    ],
    [
      'responses of a resource template',
      'mcp_server',
      { resource_templates: [{ uriTemplate: 'a:{b}', name: 'r', responses: [] }] },
      'resource_templates[0].responses',
    ],
    [
      'a resource with conditional responses',
      'mcp_server',
      { resources: [{ uri: 'a:b', name: 'r', responses: [{ when: {}, contents: [] }, { contents: [] }] }] },
      'resources[0].responses',
    ],
    [
      'a second elicitation without a condition',
      'mcp_server',
      { elicitations: [{ message: 'a' }, { message: 'b' }] },
      'elicitations[1]',
    ],
  ])('keeps %s and reports its position', (_, mode, state, path) => {
    const text = document(mode, state);
    const result = converted(text);
    expect(result.changes).toMatchObject([{ kind: 'left', path: `attack.execution.state.${path}` }]);
    expect(result.text).toBe(text);
  });
});

test.each(['', 'a: [', 'oatf: "0.1"\n- x', '&a [*a]', '[]', '3'])(
  'convert does not throw for the text %j, which is not a document',
  (text) => {
    expect(() => convertDocument(text)).not.toThrow();
  },
);

describe('diagnoseMarked, for words of ThoughtJack', () => {
  test.each<[string, object, string, string]>([
    ['mcp_client', { actions: ['list_tools'] }, 'actions[0]', 'tools/list'],
    ['mcp_client', { actions: [{ call_tool: {} }] }, 'actions[0]', 'tools/call'],
    ['a2a_client', { task_message: {} }, 'task_message', 'message/send'],
    ['a2a_client', { streaming: true }, 'streaming', 'message/stream'],
    ['mcp_server', { behavior: {} }, 'behavior', 'x-wire'],
    ['mcp_server', { progress: [{ progress: 1 }] }, 'progress[0]', 'values'],
    ['mcp_server', { logging: [{ data: 'x', tool: 'a' }] }, 'logging[0].tool', 'when'],
  ])('hints at the OATF word for the state of %s: %j', (mode, state, path, hint) => {
    const found = diagnoseMarked(document(mode, state)).find((each) => each.path === `attack.execution.state.${path}`);
    expect(found?.hint).toContain(hint);
  });
  test('hints at x-await for await_extractors', () => {
    const phases = [{ await_extractors: [], state: {} }];
    const text = JSON.stringify({ oatf: '0.1', attack: { execution: { mode: 'mcp_server', phases } } });
    expect(diagnoseMarked(text).find(({ path }) => path.endsWith('await_extractors'))?.hint).toContain('x-await');
  });
});
