import type { Target } from '../../agents/adapters/targets.ts';
import type { Config } from '../../suite/config/config.ts';

/** The folder for the user's own attacks. */
export const attacksFolder = 'attacks';

/** The name of the user's own agent. */
export const ownTargetName = 'mine';

/** The address at which a server waits for an agent that is already running. */
export const firstAddress = '127.0.0.1:8080';

/** The agent that the user chose to attack. */
export type AgentChoice =
  | { readonly kind: 'built-in'; readonly names: readonly string[] }
  | { readonly kind: 'target'; readonly target: Target };

export function createFirstConfig(chosen: AgentChoice): Config {
  const documents = [attacksFolder];
  if (chosen.kind === 'built-in') return { documents, agent: chosen.names };
  const { target } = chosen;
  return {
    documents,
    agent: ownTargetName,
    targets: { [ownTargetName]: target },
    ...(isServed(target) && { listen: { '*': firstAddress } }),
  };
}

/** Whether the agent is already running: its user has to configure the servers, so they need a fixed address. */
export function isServed(target: Target): boolean {
  return 'agUi' in target || 'http' in target || 'a2a' in target;
}

/** One target of each kind that a data file can contain. */
export const examples: readonly (readonly [what: string, name: string, target: Target])[] = [
  [
    'a program, launched for each run',
    'program',
    { command: 'npx my-agent --mcp-config {{mcp_config}} --prompt {{prompt}}' },
  ],
  [
    'a server that speaks AG-UI',
    'assistant',
    { agUi: 'http://127.0.0.1:8000/', headers: { authorization: 'Bearer {{env.MY_TOKEN}}' } },
  ],
  [
    'a server with a JSON endpoint of its own',
    'service',
    { http: 'http://127.0.0.1:8000/chat', body: { message: '{{prompt}}' }, answer: '$.reply' },
  ],
  ['a server that speaks A2A', 'colleague', { a2a: 'http://127.0.0.1:9000/' }],
  ['the built-in agent with a language model, whose key is in the environment', 'model', { llm: 'gpt-5-mini' }],
];

/** A target that only a code file can contain. */
export const functionExample = [
  'a function in this process',
  "inside: { function: async ({ prompt, mcpConfig, signal }) => '…' },",
] as const;
