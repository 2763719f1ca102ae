import type { AgentUnderTest, Briefing, McpConfig, ServedAgent } from '../agent/agent.ts';
import type { Persona } from './built-in-agent.ts';

// The door of this room: what others import of the built-in agents, they import from here.

export {
  type Environment,
  type LlmApi,
  type LlmProblem,
  type LlmSettings,
  type LlmSource,
  llmApis,
  readLlmSettings,
} from './llm/settings.ts';
export { llmAgent } from './llm-agent.ts';

/** The names of the agents that are built in: `gullible` follows whatever it reads, `guarded` does not. */
export const builtInAgentNames = ['gullible', 'guarded'] as const;
/** The name of an agent that is built in. */
export type BuiltInAgentName = (typeof builtInAgentNames)[number];

export interface ServeBuiltInAgentOptions {
  readonly name: BuiltInAgentName;
  readonly mcpConfig: McpConfig;
  readonly a2aCards?: readonly string[] | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
}

/** A built-in agent; it listens on this machine once it is launched. */
export interface BuiltInAgent extends AgentUnderTest {
  launch(briefing: Briefing): Promise<ServedAgent>;
}

/** A built-in agent, as an agent under test. */
export function builtInAgent(name: BuiltInAgentName): BuiltInAgent {
  return {
    name,
    kind: 'built-in',
    speaks: ['ag_ui', 'mcp', 'a2a'],
    isTold: true,
    launch: ({ mcpConfig, a2aCards }) => serveBuiltInAgent({ name, mcpConfig, a2aCards }),
  };
}

export async function serveBuiltInAgent(options: ServeBuiltInAgentOptions): Promise<ServedAgent> {
  const { name, mcpConfig, a2aCards, host, port } = options;
  // The official client is slow to import, and most commands need no agent.
  const { serveAgent } = await import('./serve.ts');
  return serveAgent({ persona: await personas[name](), mcpConfig, a2aCards, host, port });
}

const personas: { readonly [Name in BuiltInAgentName]: () => Promise<Persona> } = {
  gullible: async () => ({
    model: (await import('./minds/gullible.ts')).gullible,
    answersServers: true,
    agreesToAnyVersion: true,
  }),
  guarded: async () => ({
    model: (await import('./minds/guarded.ts')).guarded,
    answersServers: false,
  }),
};
