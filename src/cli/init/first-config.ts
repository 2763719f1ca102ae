import type { Target } from '../../agent/targets.ts';
import type { Config } from '../../config/config.ts';

/** The folder that attacks of the user's go into. */
export const attacksFolder = 'attacks';

/** What an agent of the user's goes by. */
export const ownName = 'mine';

/** Where a server waits for an agent that runs already. */
export const firstPlace = '127.0.0.1:8080';

/** What was chosen to be attacked. */
export type Chosen =
  | { readonly kind: 'built-in'; readonly names: readonly string[] }
  | { readonly kind: 'target'; readonly target: Target };

export function firstConfig(chosen: Chosen): Config {
  const documents = [attacksFolder];
  if (chosen.kind === 'built-in') return { documents, agent: chosen.names };
  const { target } = chosen;
  return {
    documents,
    agent: ownName,
    targets: { [ownName]: target },
    ...(isServed(target) && { listen: { '*': firstPlace } }),
  };
}

/** An agent that runs already has to be told of servers by its user, so they need a fixed place. */
export function isServed(target: Target): boolean {
  return 'agUi' in target || 'http' in target || 'a2a' in target;
}

/** One target of each kind that a file can say. */
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
  [
    'the built-in agent with a language model, whose key is in the environment',
    'model',
    { llm: 'gpt-5-mini' },
  ],
];

/** What only code can say. */
export const functionExample = [
  'a function in this process',
  "inside: { function: async ({ prompt, mcpConfig, signal }) => '…' },",
] as const;
