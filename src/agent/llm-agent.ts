import type { AgentUnderTest, ServedAgent } from './agent.ts';
import type { Usage } from './built-in/model.ts';
import type { LlmSettings } from './llm/settings.ts';

/** The built-in agent with a language model behind it. */
export function llmAgent(name: string, settings: LlmSettings): AgentUnderTest {
  return {
    name,
    kind: 'llm',
    speaks: ['ag_ui', 'mcp'],
    isTold: true,
    async launch({ mcpConfig }): Promise<ServedAgent> {
      const [{ serveAgent }, { meteredModel }] = await Promise.all([
        import('./built-in/serve.ts'),
        import('./llm/metered-model.ts'),
      ]);
      const { model, usage } = await meteredModel(settings);
      const running = await serveAgent({ persona: { model, answersServers: true }, mcpConfig });
      return { ...running, usage: (): Usage => usage() };
    },
  };
}
