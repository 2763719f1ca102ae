import type { ChatMessage, Model, ModelInput, ToolCall, Usage } from '../built-in/model.ts';
import { askService, type Pause, ServiceFailure } from './ask-service.ts';
import type { LlmSettings } from './settings.ts';
import { argumentsFrom, objectSchema } from './tool-arguments.ts';
import { type WireNames, wireNames } from './wire-names.ts';
import { inWireOrder } from './wire-order.ts';

/** A model behind an API in the shape of OpenAI's chat completions. */
export function openAiModel(settings: LlmSettings, pause?: Pause): Model {
  const { baseUrl, key, model, temperature, maxTokens } = settings;
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
      const events = askService(
        {
          url: `${baseUrl}/chat/completions`,
          headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
          signal: input.signal,
          body: {
            model,
            messages: messagesOf(input, names),
            ...(tools.length > 0 && { tools }),
            ...(temperature !== undefined && { temperature }),
            max_completion_tokens: maxTokens,
            stream: true,
            stream_options: { include_usage: true },
          },
        },
        pause,
      );
      return read(events, names);
    },
  };
}

function messagesOf({ system, messages }: ModelInput, names: WireNames): readonly object[] {
  return [
    { role: 'system', content: system },
    ...inWireOrder(messages).map((message) => toWire(message, names)),
  ];
}

function toWire(message: ChatMessage, names: WireNames): object {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content,
        ...(message.toolCalls !== undefined &&
          message.toolCalls.length > 0 && {
            tool_calls: message.toolCalls.map(({ id, name, arguments: args }) => ({
              id,
              type: 'function',
              function: { name: names.toWire(name), arguments: JSON.stringify(args) },
            })),
          }),
      };
    default:
      return { role: message.role, content: message.content };
  }
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null;
      readonly tool_calls?: readonly {
        readonly index?: number;
        readonly id?: string;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      }[];
    };
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
  readonly error?: { readonly message?: string };
}

async function read(events: AsyncIterable<unknown>, names: WireNames): ReturnType<Model['complete']> {
  let text = '';
  let usage: Usage | undefined;
  const calls = new Map<number, { id: string; name: string; args: string }>();
  for await (const event of events) {
    const { choices = [], usage: used, error } = event as Chunk;
    if (error !== undefined) throw new ServiceFailure(error.message ?? 'the model failed');
    if (used) usage = { inputTokens: used.prompt_tokens ?? 0, outputTokens: used.completion_tokens ?? 0 };
    const delta = choices[0]?.delta;
    text += delta?.content ?? '';
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
  const toolCalls = [...calls.values()].map(
    ({ id, name, args }, index): ToolCall => ({
      id: id === '' ? `call-${index + 1}` : id,
      name: names.fromWire(name),
      arguments: argumentsFrom(args),
    }),
  );
  return { text, toolCalls, ...(usage !== undefined && { usage }) };
}
