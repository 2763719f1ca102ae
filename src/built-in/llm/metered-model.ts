import { coverEchoes } from '../../secrets/echoes.ts';
import type { Model, Usage } from '../model.ts';
import type { LlmApi, LlmSettings } from './settings.ts';
import { withTextTools } from './text-tools.ts';

const makers: { readonly [A in LlmApi]: () => Promise<(settings: LlmSettings) => Model> } = {
  openai: async () => (await import('./open-ai.ts')).openAiModel,
  anthropic: async () => (await import('./anthropic.ts')).anthropicModel,
};

const million = 1_000_000;

/** A model that counts its tokens, and whose output never contains its key. */
export async function meteredModel(
  settings: LlmSettings,
): Promise<{ readonly model: Model; usage(): Usage }> {
  const { prices, key } = settings;
  const asked = (await makers[settings.api]())(settings);
  const inner = settings.tools === 'text' ? withTextTools(asked) : asked;
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
        cost: rounded((inputTokens * prices.input + outputTokens * prices.output) / million),
      }),
    }),
  };
}

/** Removes floating-point noise: 0.1 + 0.2 is slightly more than 0.3. */
function rounded(cost: number): number {
  return Number(cost.toPrecision(12));
}
