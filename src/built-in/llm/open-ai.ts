import { chatMessages } from '../../agent/conversation/chat-messages.ts';
import type { Model, ModelInput, Usage } from '../model.ts';
import { askService, lastWord, messageIn, type Pause, ServiceFailure } from './ask-service.ts';
import { type Ending, modelOutput, type Streamed, type StreamedCall } from './model-output.ts';
import { objectSchema } from './object-schema.ts';
import type { LlmSettings } from './settings.ts';
import { type WireNames, wireNames } from './wire-names.ts';
import { inWireOrder } from './wire-order.ts';

/** A model behind an API in the shape of OpenAI's chat completions. */
export function openAiModel(settings: LlmSettings, pause?: Pause): Model {
  const { baseUrl, key, model, temperature, maxTokens, stream = true } = settings;
  // Other servers know only the old name, and generate without end if no limit is set.
  const limit = {
    max_completion_tokens: maxTokens,
    ...(!isOpenAi.test(new URL(baseUrl).hostname) && { max_tokens: maxTokens }),
  };
  return {
    async complete(input) {
      const names = wireNames(input.tools);
      const tools = input.tools.map((tool) => ({
        type: 'function',
        function: {
          name: names.toWire(tool.name),
          description: tool.description,
          parameters: objectSchema(tool.inputSchema),
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
              messages: messagesOf(input, names),
              ...(tools.length > 0 && { tools }),
              ...(temperature !== undefined && { temperature }),
              ...limit,
              stream: isStreamed,
              ...(isStreamed && { stream_options: { include_usage: true } }),
            },
          },
          pause,
        );
      const answer = stream ? await read(asked(true)) : undefined;
      // Some services end a stream silently after a failure, and report the reason only without streaming.
      const whole = answer?.isEmpty === false ? answer : await read(asked(false));
      if (!whole.hasChoice && whole.ending !== undefined)
        throw new ServiceFailure('the service gave no answer: no choices');
      return modelOutput(whole, names, maxTokens);
    },
  };
}

const isOpenAi = /(?:^|\.)openai\.(?:com|azure\.com)$/;

function messagesOf({ system, messages }: ModelInput, names: WireNames): readonly unknown[] {
  return [{ role: 'system', content: system }, ...chatMessages(inWireOrder(messages), names.toWire)];
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

const endings: { readonly [reason: string]: Ending } = { length: 'cut off', content_filter: 'filtered' };

interface WholeAnswer extends Streamed {
  /** Whether nothing arrived. */
  readonly isEmpty: boolean;
  readonly hasChoice: boolean;
}

async function read(events: AsyncIterable<unknown>): Promise<WholeAnswer> {
  let text = '';
  let usage: Usage | undefined;
  let ending: Ending | undefined;
  let hasChoice = false;
  let isEmpty = true;
  const calls = new Map<number, StreamedCall>();
  for await (const event of events) {
    isEmpty = false;
    if (event === lastWord) {
      ending ??= 'done';
      continue;
    }
    const { choices, usage: used, error } = (event ?? {}) as Chunk;
    if (error !== undefined && error !== null)
      throw new ServiceFailure(messageIn(error) ?? 'the model failed');
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
