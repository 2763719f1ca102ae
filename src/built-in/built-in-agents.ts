import type { AgentUnderTest, Briefing, McpConfig, ServedAgent } from '../agent/agent.ts';
import type { Model } from './model.ts';
import type { BuiltInAgentName } from './names.ts';

// The public face of this room: other rooms import the built-in agents from here only, and their names from names.ts.

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
export { type LlmJudge, llmJudge } from './llm-judge.ts';

export interface ServeBuiltInAgentOptions {
  readonly name: BuiltInAgentName;
  readonly mcpConfig: McpConfig;
  readonly a2aCards?: readonly string[] | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
}

/** A built-in agent; it listens on this machine after it was launched. */
export interface BuiltInAgent extends AgentUnderTest {
  launch(briefing: Briefing): Promise<ServedAgent>;
}

/** Creates a built-in agent as an agent under test. */
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
  // Loaded on demand: the official client is slow to import, and most commands need no agent.
  const { serveAgent } = await import('./serve.ts');
  return serveAgent({ persona: { model: await minds[name]() }, mcpConfig, a2aCards, host, port });
}

// The agents differ only in their minds.
const minds: { readonly [Name in BuiltInAgentName]: () => Promise<Model> } = {
  gullible: async () => (await import('./minds/gullible.ts')).gullible,
  guarded: async () => (await import('./minds/guarded.ts')).guarded,
  candid: async () => (await import('./minds/candid.ts')).candid,
};
