import type { AgentUnderTest, ServedAgent } from '../adapters/agent-under-test.ts';
import type { LlmSettings } from './llm/llm-settings.ts';
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
      const [{ serveAgent }, { createMeteredModel }] = await Promise.all([
        import('./serve-agent.ts'),
        import('./llm/metered-model.ts'),
      ]);
      const { model, usage } = await createMeteredModel(settings);
      const persona = { model, instructions: settings.systemPrompt };
      const running = await serveAgent({ persona, mcpConfig, a2aCards });
      return { ...running, usage: (): Usage => usage() };
    },
  };
}
