import { toChatCompletions } from '../../adapters/conversation/chat-message.ts';
import type { Model, ModelInput, Usage } from '../model.ts';
import { askService, type Pause, readErrorMessage, ServiceFailure, streamEndEvent } from './ask-service.ts';
import type { LlmSettings } from './llm-settings.ts';
import { sortForWire } from './message-order.ts';
import { createModelOutput, type ModelEnding, type StreamedAnswer, type StreamedCall } from './model-output.ts';
import { createWireNames, toObjectSchema, type WireNames } from './wire-names.ts';

/** A model behind an API in the shape of OpenAI's chat completions. */
export function createOpenAiModel(settings: LlmSettings, pause?: Pause): Model {
  const { baseUrl, key, model, temperature, maxTokens, stream = true } = settings;
  // Other servers know only the old name, and generate without end if no limit is set.
  const limit = {
    max_completion_tokens: maxTokens,
    ...(!isOpenAi.test(new URL(baseUrl).hostname) && { max_tokens: maxTokens }),
  };
  return {
    async complete(input) {
      const names = createWireNames(input.tools);
      const tools = input.tools.map((tool) => ({
        type: 'function',
        function: {
          name: names.toWire(tool.name),
          description: tool.description,
          parameters: toObjectSchema(tool.inputSchema),
        },
      }));
      const asked = (isStreamed: boolean) =>
        askService(
          {
            url: `${baseUrl}/chat/completions`,
            headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
            signal: input.signal,
            takesWhole: true,
            body: {
              model,
              messages: toOpenAiMessages(input, names),
              ...(tools.length > 0 && { tools }),
              ...(temperature !== undefined && { temperature }),
              ...limit,
              stream: isStreamed,
              ...(isStreamed && { stream_options: { include_usage: true } }),
            },
          },
          pause,
        );
      const answer = stream ? await readOpenAiEvents(asked(true)) : undefined;
      // Some services end a stream silently after a failure, and report the reason only without streaming.
      const whole = answer?.isEmpty === false ? answer : await readOpenAiEvents(asked(false));
      if (!whole.hasChoice && whole.ending !== undefined)
        throw new ServiceFailure('the service gave no answer: no choices');
      return createModelOutput(whole, names, maxTokens);
    },
  };
}

const isOpenAi = /(?:^|\.)openai\.(?:com|azure\.com)$/;

function toOpenAiMessages({ system, messages }: ModelInput, names: WireNames): readonly unknown[] {
  return [{ role: 'system', content: system }, ...toChatCompletions(sortForWire(messages), names.toWire)];
}

interface Chunk {
  readonly choices?: readonly Choice[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
  readonly error?: unknown;
}

/** A part of an answer, or the whole answer. */
interface Part {
  readonly content?: string | null;
  readonly refusal?: string | null;
  readonly tool_calls?: readonly {
    readonly index?: number;
    readonly id?: string;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  }[];
}

interface Choice {
  readonly delta?: Part;
  /** Set if the answer was not streamed. */
  readonly message?: Part;
  readonly finish_reason?: string | null;
}

const endings: { readonly [reason: string]: ModelEnding } = { length: 'cut off', content_filter: 'filtered' };

interface WholeAnswer extends StreamedAnswer {
  /** Whether nothing arrived. */
  readonly isEmpty: boolean;
  readonly hasChoice: boolean;
}

async function readOpenAiEvents(events: AsyncIterable<unknown>): Promise<WholeAnswer> {
  let text = '';
  let usage: Usage | undefined;
  let ending: ModelEnding | undefined;
  let hasChoice = false;
  let isEmpty = true;
  const calls = new Map<number, StreamedCall>();
  for await (const event of events) {
    isEmpty = false;
    if (event === streamEndEvent) {
      ending ??= 'done';
      continue;
    }
    const { choices, usage: used, error } = (event ?? {}) as Chunk;
    if (error !== undefined && error !== null) throw new ServiceFailure(readErrorMessage(error) ?? 'the model failed');
    if (used) usage = { inputTokens: used.prompt_tokens ?? 0, outputTokens: used.completion_tokens ?? 0 };
    const { message, delta = message, finish_reason: reason } = choices?.[0] ?? {};
    hasChoice ||= choices?.[0] !== undefined;
    // An unstreamed answer is complete.
    if (message !== undefined) ending = 'done';
    if (typeof reason === 'string') ending = endings[reason] ?? 'done';
    text += (delta?.content ?? '') + (delta?.refusal ?? '');
    for (const part of delta?.tool_calls ?? []) {
      const index = part.index ?? calls.size;
      const call = calls.get(index) ?? { id: '', name: '', args: '' };
      calls.set(index, {
        id: part.id ?? call.id,
        name: call.name + (part.function?.name ?? ''),
        args: call.args + (part.function?.arguments ?? ''),
      });
    }
  }
  return { text, calls: calls.values(), usage, ending, isEmpty, hasChoice };
}
