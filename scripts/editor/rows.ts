import type { Shown } from './language-server.ts';

interface Row {
  readonly name: string;
  /** `|` marks the cursor. */
  readonly text: string;
  /** Texts that must be shown. `!` before a text means that it must not be; `none` means that nothing may be shown. */
  readonly expected: { readonly [K in keyof Shown]?: readonly string[] };
}

const single = (mode: string, state: string): string =>
  `oatf: "0.1"\nattack:\n  execution:\n    mode: ${mode}\n    state:\n${state}`;
const actor = (mode: string, phase: string): string =>
  `oatf: "0.1"\nattack:\n  execution:\n    actors:\n      - name: a\n        mode: ${mode}\n        phases:\n${phase}`;

export const rows: readonly Row[] = [
  {
    name: 'keys of state, by the mode of the execution',
    text: single('mcp_server', '      |'),
    expected: {
      offers: ['tools', 'resource_templates', 'sampling_requests', '!agent_card', '!run_agent_input'],
    },
  },
  {
    name: 'keys of state, of another mode',
    text: single('a2a_server', '      |'),
    expected: { offers: ['agent_card', 'task_responses', '!tools'] },
  },
  {
    name: 'keys of state, by the mode of the actor',
    text: actor('ag_ui_client', '          - state:\n              |'),
    expected: { offers: ['run_agent_input', 'tool_responses', '!tools'] },
  },
  {
    name: 'keys of state, by the mode of the phase',
    text: actor('mcp_server', '          - mode: mcp_client\n            state:\n              |'),
    expected: { offers: ['actions', 'roots', '!prompts'] },
  },
  {
    name: 'keys of a tool',
    text: single('mcp_server', '      tools:\n        - name: a\n          |'),
    expected: { offers: ['description', 'inputSchema', 'responses'] },
  },
  {
    name: 'keys of a response',
    text: single('mcp_server', '      tools:\n        - name: a\n          responses:\n            - |'),
    expected: { offers: ['when', 'content'] },
  },
  {
    name: 'what a key of state means',
    text: single('mcp_server', '      to|ols: []'),
    expected: { says: ['what tools/list gives', 'https://oatf.io'], complains: ['none'] },
  },
  {
    name: 'what a key inside a tool means',
    text: single('mcp_server', '      tools:\n        - name: a\n          descr|iption: b'),
    expected: { says: ['model reads of the tool'], complains: ['none'] },
  },
  {
    name: 'what a key of ours means',
    text: single('mcp_server', '      samp|ling_requests: []'),
    expected: { says: ['docs/extensions/README.md'], complains: ['none'] },
  },
  {
    name: 'a key that is misspelt',
    text: single('mcp_server', '      tols: []|'),
    expected: { complains: ['mcp_server has no such key in its state'] },
  },
  {
    name: 'the same in a phase of an actor',
    text: actor('mcp_server', '          - state:\n              tols: []|'),
    expected: { complains: ['mcp_server has no such key in its state'] },
  },
  {
    name: 'a mode that nobody knows is left alone',
    text: single('smoke_signals_server', '      tols: []|'),
    expected: { complains: ['none'] },
  },
  {
    name: 'what goes onto the wire may be as wrong as the author likes',
    text: single('mcp_server', '      tools:\n        - name: 7\n          inputSchema: none\n          unheard: of|'),
    expected: { complains: ['none'] },
  },
  {
    name: 'known modes',
    text: 'oatf: "0.1"\nattack:\n  execution:\n    mode: |\n    state: {}',
    expected: { offers: ['mcp_server', 'a2a_client', 'ag_ui_client'] },
  },
  {
    name: 'events of the mode',
    text: actor('mcp_server', '          - state: {}\n            trigger:\n              event: |'),
    expected: { offers: ['tools/call', 'resources/read', '!message/send', '!text_message_content'] },
  },
  {
    name: 'surfaces of the protocol',
    text: `${single('mcp_server', '      tools: []')}\n  indicators:\n    - protocol: ag_ui\n      target: ""\n      surface: |`,
    expected: { offers: ['text_message_content', '!tools/call'] },
  },
  {
    name: 'surfaces of the execution’s protocol',
    text: `${single('mcp_server', '      tools: []')}\n  indicators:\n    - target: ""\n      surface: |`,
    expected: { offers: ['tools/call', '!text_message_content'] },
  },
  {
    name: 'our keys of an attack',
    text: `${single('mcp_server', '      tools: []')}\n  |`,
    expected: { offers: ['x-payload', 'x-task', 'indicators'] },
  },
  {
    name: 'keys of a mark',
    text: `${single('mcp_server', '      tools: []')}\n  x-payload:\n    - at: /state/tools\n      ben|ign: 1`,
    expected: { says: ['benign twin'] },
  },
  ...(
    [
      ['mcp_client', ['actions', 'elicitation_responses', '!tools']],
      ['a2a_client', ['actions', '!agent_card']],
      ['ag_ui_client', ['run_agent_input', 'interrupt_responses', '!actions']],
    ] as const
  ).flatMap(([mode, offers]): Row[] => [
    { name: `keys of state of ${mode}`, text: single(mode, '      |'), expected: { offers } },
    {
      name: `a key that ${mode} does not have`,
      text: single(mode, '      tols: []|'),
      expected: { complains: [`${mode} has no such key in its state`] },
    },
  ]),
  {
    name: 'our keys of a phase',
    text: actor('mcp_server', '          - state: {}\n            |'),
    expected: { offers: ['x-wire', 'x-generate', 'x-await', 'trigger'] },
  },
  {
    name: 'keys of a rule of x-wire',
    text: actor(
      'mcp_server',
      '          - state: {}\n            x-wire:\n              - on: tools/call\n                |',
    ),
    expected: { offers: ['delay', 'error', 'drop'] },
  },
  {
    name: 'keys of what is made',
    text: actor(
      'mcp_server',
      '          - state: {}\n            x-generate:\n              - at: /state\n                |',
    ),
    expected: { offers: ['kind'] },
  },
  {
    name: 'x-decode on an indicator',
    text: `${single('mcp_server', '      tools: []')}\n  indicators:\n    - target: ""\n      |`,
    expected: { offers: ['x-decode', 'pattern', 'tier'] },
  },
  {
    name: 'keys of a check',
    text: `${single('mcp_server', '      tools: []')}\n  x-task:\n    - target: ""\n      |`,
    expected: { offers: ['pattern', 'actor'] },
  },
];
