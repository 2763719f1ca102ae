import { describe, expect, test } from 'vitest';
import { listA2aPieces } from '../../../src/attack/bindings/a2a/a2a-views.ts';
import { listAgUiPieces, listCarriedPieces } from '../../../src/attack/bindings/ag-ui/ag-ui-pieces.ts';
import { listMcpPieces } from '../../../src/attack/bindings/mcp/mcp-pieces.ts';
import type { Piece } from '../../../src/format/model/binding-views.ts';
import type { Value } from '../../../src/index.ts';

// What a state can put on the wire: coverage and delivery count these.

const shown = (pieces: readonly Piece[]): string[] => pieces.map(({ at, kind, label }) => `${at} ${kind}: ${label}`);

describe('listMcpPieces', () => {
  test('lists every piece of a server state', () => {
    const state = {
      protocol_version: '1',
      server_info: {},
      capabilities: {},
      instructions: 'x',
      tools: [{ name: 't', responses: [{}, {}] }, { responses: [{}] }, 'odd'],
      resources: [{ uri: 'f:a', content: 'x' }, { name: 'r' }, {}],
      resource_templates: [{ name: 'rt' }],
      prompts: [{ name: 'p', responses: [{}] }],
      elicitations: [{}],
      sampling_requests: [{}],
      logging: [{}],
      progress: [{}],
    };
    expect(shown(listMcpPieces('mcp_server', state))).toEqual([
      '/protocol_version protocol_version: the protocol version',
      '/server_info server_info: the server info',
      '/capabilities capabilities: the capabilities',
      '/instructions instructions: the instructions',
      '/tools/0 tool: the tool "t"',
      '/tools/1 tool: the tool at /tools/1',
      '/tools/0/responses/0 tool_response: an answer of the tool "t"',
      '/tools/0/responses/1 tool_response: an answer of the tool "t"',
      '/tools/1/responses/0 tool_response: an answer of the tool at /tools/1',
      '/resources/0 resource: the resource f:a',
      '/resources/1 resource: the resource "r"',
      '/resources/2 resource: the resource at /resources/2',
      '/resources/0/content resource_content: the content of the resource f:a',
      '/resource_templates/0 resource_template: the resource template "rt"',
      '/prompts/0 prompt: the prompt "p"',
      '/prompts/0/responses/0 prompt_response: the text of the prompt "p"',
      '/elicitations/0 elicitation: the elicitation at /elicitations/0',
      '/sampling_requests/0 sampling_request: the sampling request at /sampling_requests/0',
      '/logging/0 log_message: the log message at /logging/0',
      '/progress/0 progress: the progress at /progress/0',
    ]);
  });

  test('lists every piece of a client state', () => {
    const state = {
      protocol_version: '1',
      client_info: {},
      capabilities: {},
      actions: [{ method: 'ping' }, {}],
      roots: [],
      sampling_responses: [{}],
      elicitation_responses: [{}],
    };
    expect(shown(listMcpPieces('mcp_client', state))).toEqual([
      '/protocol_version protocol_version: the protocol version',
      '/client_info client_info: the client info',
      '/capabilities capabilities: the capabilities',
      '/actions/0 action: the action ping at /actions/0',
      '/actions/1 action: the action without a method at /actions/1',
      '/roots roots: the roots',
      '/sampling_responses/0 sampling_response: the sampling answer at /sampling_responses/0',
      '/elicitation_responses/0 elicitation_response: the elicitation answer at /elicitation_responses/0',
    ]);
  });
});

describe('listA2aPieces', () => {
  test.each<[string, Value, string[]]>([
    [
      'a2a_client',
      { actions: [{ method: 'message/send' }, {}], agent_card: {} },
      [
        '/actions/0 action: the action message/send at /actions/0',
        '/actions/1 action: the action without a method at /actions/1',
      ],
    ],
    ['a2a_server', { agent_card: {}, actions: [{}] }, ['/agent_card card: the agent card']],
    [
      'a2a_server',
      { task_responses: [{ content: 'x' }, { stream: [] }, { content: 'x', stream: [] }, {}] },
      [
        '/task_responses/0 task_response: the task answer at /task_responses/0',
        '/task_responses/1/stream task_response: the stream at /task_responses/1',
        '/task_responses/2 task_response: the task answer at /task_responses/2',
        '/task_responses/2/stream task_response: the stream at /task_responses/2',
        '/task_responses/3 task_response: the task answer at /task_responses/3',
      ],
    ],
  ])('lists the pieces of %s %j', (mode, state, pieces) => {
    expect(shown(listA2aPieces(mode, state))).toEqual(pieces);
  });
});

describe('AG-UI pieces', () => {
  const at = '/run_agent_input';
  const input = {
    messages: [
      { role: 'user', content: 'a' },
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'binary' }] },
      { role: 'user', content: ['a'] },
      { role: 'user', content: {} },
      { role: 'system', content: 'a' },
      { content: 'a' },
      'odd',
    ],
    context: [{}],
    tools: [{ name: 'f' }],
    protocolVersion: '1.0',
    resume: [{}],
    state: { a: 1 },
    forwardedProps: { a: 1 },
  };

  test('listAgUiPieces lists every piece of a client state', () => {
    const state = { run_agent_input: input, interrupt_responses: [{}], tool_responses: [{}] };
    expect(shown(listAgUiPieces('ag_ui_client', state))).toEqual([
      `${at}/messages/0 message: the user message at ${at}/messages/0`,
      `${at}/messages/1 message: the user message at ${at}/messages/1`,
      `${at}/messages/2 attachment: the user message at ${at}/messages/2`,
      `${at}/messages/3 attachment: the user message at ${at}/messages/3`,
      `${at}/messages/4 attachment: the user message at ${at}/messages/4`,
      `${at}/messages/5 history: the system message at ${at}/messages/5`,
      `${at}/messages/6 history: the unnamed message at ${at}/messages/6`,
      `${at}/messages/7 message: a message`,
      `${at}/context/0 context: the context entry at ${at}/context/0`,
      `${at}/tools/0 frontend_tool: the frontend tool "f"`,
      `${at}/protocolVersion protocol_version: the protocol version`,
      `${at}/resume/0 resume: the resumption at ${at}/resume/0`,
      `${at}/state run_state: the state`,
      `${at}/forwardedProps forwarded_props: the forwarded props`,
      '/interrupt_responses/0 interrupt_response: the answer to an interrupt at /interrupt_responses/0',
      '/tool_responses/0 tool_result: the answer of a frontend tool at /tool_responses/0',
    ]);
  });

  test('listCarriedPieces names the whole of each list', () => {
    expect(listCarriedPieces(input)).toEqual(
      ['messages/*', 'context/*', 'tools/*', 'protocolVersion', 'resume/*', 'state', 'forwardedProps'].map(
        (place) => `${at}/${place}`,
      ),
    );
  });

  test.each<[Value, string[]]>([
    [{ messages: 'none', state: {}, forwardedProps: {} }, []],
    [{ messages: [], state: 'a', forwardedProps: null }, [`${at}/state`]],
    ['odd', [at]],
    [null, []],
  ])('listCarriedPieces gives for %j the places %j', (written, places) => {
    expect(listCarriedPieces(written)).toEqual(places);
  });
});

test.each([null, 'odd', [1]])('piece functions: find no piece in the state %j', (state) => {
  expect([
    listMcpPieces('mcp_server', state),
    listA2aPieces('a2a_server', state),
    listAgUiPieces('ag_ui_client', state),
  ]).toEqual([[], [], []]);
});
