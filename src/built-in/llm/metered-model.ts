import { withoutSecrets } from '../../secrets/given.ts';
import type { Model, ModelOutput, Usage } from '../model.ts';
import type { LlmApi, LlmSettings } from './settings.ts';

const makers: { readonly [A in LlmApi]: () => Promise<(settings: LlmSettings) => Model> } = {
  openai: async () => (await import('./open-ai.ts')).openAiModel,
  anthropic: async () => (await import('./anthropic.ts')).anthropicModel,
};

const million = 1_000_000;

/** A model that counts what it takes, and never says the key that it is asked with. */
export async function meteredModel(
  settings: LlmSettings,
): Promise<{ readonly model: Model; usage(): Usage }> {
  const { prices, key } = settings;
  const inner = (await makers[settings.api]())(settings);
  const clean = key === undefined ? (output: ModelOutput) => output : withoutKey(key);
  let inputTokens = 0;
  let outputTokens = 0;
  return {
    model: {
      async complete(input) {
        const output = await inner.complete(input);
        inputTokens += output.usage?.inputTokens ?? 0;
        outputTokens += output.usage?.outputTokens ?? 0;
        return clean(output);
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

/** 0.1 + 0.2 is a little more than 0.3. */
function rounded(cost: number): number {
  return Number(cost.toPrecision(12));
}

/** Pieces of a stream may each be innocent. */
function withoutKey(key: string): (output: ModelOutput) => ModelOutput {
  const cover = withoutSecrets([key]);
  return (output) => {
    const bytes = Buffer.from(JSON.stringify(output));
    const cleaned = cover(bytes);
    return cleaned === bytes ? output : (JSON.parse(cleaned.toString('utf8')) as ModelOutput);
  };
}
