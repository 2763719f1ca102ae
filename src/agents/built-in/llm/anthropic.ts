import type { ChatMessage, Model, ModelOutput, Usage } from '../model.ts';
import { askService, type Pause, readErrorMessage, ServiceFailure } from './ask-service.ts';
import type { LlmSettings } from './llm-settings.ts';
import { sortForWire } from './message-order.ts';
import { createModelOutput, type ModelEnding, type StreamedCall } from './model-output.ts';
import { createWireNames, toObjectSchema, type WireNames } from './wire-names.ts';

const apiVersion = '2023-06-01';

/** A model behind Anthropic's messages API. */
export function createAnthropicModel(settings: LlmSettings, pause?: Pause): Model {
  const { baseUrl, key, model, temperature, maxTokens } = settings;
  return {
    async complete(input) {
      const names = createWireNames(input.tools);
      const tools = input.tools.map(({ name, description, inputSchema }) => ({
        name: names.toWire(name),
        description,
        input_schema: toObjectSchema(inputSchema),
      }));
      const events = askService(
        {
          url: `${baseUrl}/v1/messages`,
          headers: { 'anthropic-version': apiVersion, ...(key !== undefined && { 'x-api-key': key }) },
          signal: input.signal,
          body: {
            model,
            system: input.system,
            messages: toAnthropicTurns(sortForWire(input.messages), names),
            ...(tools.length > 0 && { tools }),
            ...(temperature !== undefined && { temperature }),
            max_tokens: maxTokens,
            stream: true,
          },
        },
        pause,
      );
      return readAnthropicEvents(events, names, maxTokens);
    },
  };
}

interface ModelTurn {
  readonly role: 'user' | 'assistant';
  readonly content: object[];
}

/** Joins neighbouring messages of the same side, because user and assistant must alternate in this API. */
function toAnthropicTurns(messages: readonly ChatMessage[], names: WireNames): readonly ModelTurn[] {
  const turns: ModelTurn[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = toAnthropicBlocks(message, names);
    if (blocks.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: [...blocks] });
  }
  const [first] = turns;
  return first?.role === 'assistant' ? [opening, ...turns] : turns;
}

/** The API requires a user message first, even if a history begins with another role. */
const opening: ModelTurn = { role: 'user', content: [{ type: 'text', text: '…' }] };

function toAnthropicBlocks(message: ChatMessage, names: WireNames): readonly object[] {
  const texts = message.content === '' ? [] : [{ type: 'text', text: message.content }];
  switch (message.role) {
    case 'tool': {
      const { toolCallId: tool_use_id, content, isError = false } = message;
      return [{ type: 'tool_result', tool_use_id, content, ...(isError && { is_error: true }) }];
    }
    case 'assistant':
      return [
        ...texts,
        ...(message.toolCalls ?? []).map(({ id, name, arguments: input }) => ({
          type: 'tool_use',
          id,
          name: names.toWire(name),
          input,
        })),
      ];
    // The API has no system role within a conversation.
    case 'system':
      return message.content === '' ? [] : [{ type: 'text', text: `[system] ${message.content}` }];
    case 'user':
      return texts;
  }
}

interface StreamEvent {
  readonly type?: string;
  readonly index?: number;
  readonly message?: { readonly usage?: Counts };
  readonly content_block?: { readonly type?: string; readonly id?: string; readonly name?: string };
  readonly delta?: {
    readonly text?: string;
    readonly partial_json?: string;
    readonly stop_reason?: string | null;
  };
  readonly usage?: Counts;
  readonly error?: unknown;
}

interface Counts {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
}

const endings: { readonly [reason: string]: ModelEnding } = {
  max_tokens: 'cut off',
  model_context_window_exceeded: 'cut off',
  refusal: 'refused',
};

async function readAnthropicEvents(
  events: AsyncIterable<unknown>,
  names: WireNames,
  maxTokens: number,
): Promise<ModelOutput> {
  let text = '';
  let usage: Usage | undefined;
  let ending: ModelEnding | undefined;
  const calls = new Map<number, StreamedCall>();
  for await (const each of events) {
    const event = (each ?? {}) as StreamEvent;
    if (event.type === 'error') throw new ServiceFailure(readErrorMessage(event.error) ?? 'the model failed');
    if (event.type === 'message_stop') ending ??= 'done';
    const counts = event.usage ?? event.message?.usage;
    if (counts !== undefined)
      usage = {
        inputTokens: counts.input_tokens ?? usage?.inputTokens ?? 0,
        outputTokens: counts.output_tokens ?? usage?.outputTokens ?? 0,
      };
    const { index = 0, content_block: block, delta } = event;
    if (typeof delta?.stop_reason === 'string') ending = endings[delta.stop_reason] ?? 'done';
    if (block?.type === 'tool_use') calls.set(index, { id: block.id ?? '', name: block.name ?? '', args: '' });
    text += delta?.text ?? '';
    const call = calls.get(index);
    if (call !== undefined) calls.set(index, { ...call, args: call.args + (delta?.partial_json ?? '') });
  }
  return createModelOutput({ text, calls: calls.values(), usage, ending }, names, maxTokens);
}
