import { coverEchoes } from '../../../secrets/echo-cover.ts';
import type { Model, Usage } from '../model.ts';
import type { LlmApi, LlmSettings } from './llm-settings.ts';
import { wrapWithTextTools } from './text-tools.ts';

const makers: { readonly [A in LlmApi]: () => Promise<(settings: LlmSettings) => Model> } = {
  openai: async () => (await import('./open-ai.ts')).createOpenAiModel,
  anthropic: async () => (await import('./anthropic.ts')).createAnthropicModel,
};

const million = 1_000_000;

/** A model that counts its tokens, and whose output never contains its key. */
export async function createMeteredModel(settings: LlmSettings): Promise<{ readonly model: Model; usage(): Usage }> {
  const { prices, key } = settings;
  const asked = (await makers[settings.api]())(settings);
  const inner = settings.tools === 'text' ? wrapWithTextTools(asked) : asked;
  const clean = coverEchoes(key === undefined ? [] : [key]);
  let inputTokens = 0;
  let outputTokens = 0;
  return {
    model: {
      async complete(input) {
        const output = await inner.complete(input);
        inputTokens += output.usage?.inputTokens ?? 0;
        outputTokens += output.usage?.outputTokens ?? 0;
        // Each piece of a stream may be harmless on its own, so the key is looked for in the whole output.
        return clean.json(output);
      },
    },
    usage: () => ({
      inputTokens,
      outputTokens,
      ...(prices !== undefined && {
        cost: roundCost((inputTokens * prices.input + outputTokens * prices.output) / million),
      }),
    }),
  };
}

/** Removes floating-point noise: 0.1 + 0.2 is slightly more than 0.3. */
function roundCost(cost: number): number {
  return Number(cost.toPrecision(12));
}
