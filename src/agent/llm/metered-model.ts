import type { Model, Usage } from '../built-in/model.ts';
import type { LlmApi, LlmSettings } from './settings.ts';

const makers: { readonly [A in LlmApi]: () => Promise<(settings: LlmSettings) => Model> } = {
  openai: async () => (await import('./open-ai.ts')).openAiModel,
  anthropic: async () => (await import('./anthropic.ts')).anthropicModel,
};

/** A model that counts what it takes. */
export async function meteredModel(
  settings: LlmSettings,
): Promise<{ readonly model: Model; usage(): Usage }> {
  const inner = (await makers[settings.api]())(settings);
  let inputTokens = 0;
  let outputTokens = 0;
  return {
    model: {
      async complete(input) {
        const output = await inner.complete(input);
        inputTokens += output.usage?.inputTokens ?? 0;
        outputTokens += output.usage?.outputTokens ?? 0;
        return output;
      },
    },
    usage: () => ({ inputTokens, outputTokens }),
  };
}
