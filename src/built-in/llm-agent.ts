import type { AgentUnderTest, ServedAgent } from '../agent/agent.ts';
import type { LlmSettings } from './llm/settings.ts';
import type { Usage } from './model.ts';

/** The built-in agent with a language model behind it. */
export function llmAgent(name: string, settings: LlmSettings, prompt?: string): AgentUnderTest {
  return {
    name,
    kind: 'llm',
    speaks: ['ag_ui', 'mcp', 'a2a'],
    isTold: true,
    prompt,
    async launch({ mcpConfig, a2aCards }): Promise<ServedAgent> {
      const [{ serveAgent }, { meteredModel }] = await Promise.all([
        import('./serve.ts'),
        import('./llm/metered-model.ts'),
      ]);
      const { model, usage } = await meteredModel(settings);
      const persona = { model, instructions: settings.systemPrompt };
      const running = await serveAgent({ persona, mcpConfig, a2aCards });
      return { ...running, usage: (): Usage => usage() };
    },
  };
}
