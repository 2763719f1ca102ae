import type { ChatMessage, Model, ToolCall, Usage } from '../built-in/model.ts';
import { askService, type Pause, ServiceFailure } from './ask-service.ts';
import type { LlmSettings } from './settings.ts';
import { argumentsFrom, objectSchema } from './tool-arguments.ts';
import { type WireNames, wireNames } from './wire-names.ts';
import { inWireOrder } from './wire-order.ts';

const apiVersion = '2023-06-01';

/** A model behind Anthropic's messages API. */
export function anthropicModel(settings: LlmSettings, pause?: Pause): Model {
  const { baseUrl, key, model, temperature, maxTokens } = settings;
  return {
    async complete(input) {
      const names = wireNames(input.tools);
      const tools = input.tools.map(({ name, description, inputSchema }) => ({
        name: names.toWire(name),
        description,
        input_schema: objectSchema(inputSchema),
      }));
      const events = askService(
        {
          url: `${baseUrl}/v1/messages`,
          headers: { 'anthropic-version': apiVersion, ...(key !== undefined && { 'x-api-key': key }) },
          signal: input.signal,
          body: {
            model,
            system: input.system,
            messages: inTurns(inWireOrder(input.messages), names),
            ...(tools.length > 0 && { tools }),
            ...(temperature !== undefined && { temperature }),
            max_tokens: maxTokens,
            stream: true,
          },
        },
        pause,
      );
      return read(events, names);
    },
  };
}

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: object[];
}

/** User and assistant take turns there, so neighbours of the same side are joined. */
function inTurns(messages: readonly ChatMessage[], names: WireNames): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(message, names);
    if (blocks.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: [...blocks] });
  }
  return turns;
}

function blocksOf(message: ChatMessage, names: WireNames): readonly object[] {
  const said = message.content === '' ? [] : [{ type: 'text', text: message.content }];
  switch (message.role) {
    case 'tool': {
      const { toolCallId: tool_use_id, content, isError = false } = message;
      return [{ type: 'tool_result', tool_use_id, content, ...(isError && { is_error: true }) }];
    }
    case 'assistant':
      return [
        ...said,
        ...(message.toolCalls ?? []).map(({ id, name, arguments: input }) => ({
          type: 'tool_use',
          id,
          name: names.toWire(name),
          input,
        })),
      ];
    // There is no system role within a conversation.
    case 'system':
      return message.content === '' ? [] : [{ type: 'text', text: `[system] ${message.content}` }];
    case 'user':
      return said;
  }
}

interface StreamEvent {
  readonly type?: string;
  readonly index?: number;
  readonly message?: { readonly usage?: Counts };
  readonly content_block?: { readonly type?: string; readonly id?: string; readonly name?: string };
  readonly delta?: { readonly text?: string; readonly partial_json?: string };
  readonly usage?: Counts;
  readonly error?: { readonly message?: string };
}

interface Counts {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
}

async function read(events: AsyncIterable<unknown>, names: WireNames): ReturnType<Model['complete']> {
  let text = '';
  let usage: Usage | undefined;
  const calls = new Map<number, { readonly id: string; readonly name: string; args: string }>();
  for await (const each of events) {
    const event = each as StreamEvent;
    if (event.type === 'error') throw new ServiceFailure(event.error?.message ?? 'the model failed');
    const counts = event.usage ?? event.message?.usage;
    if (counts !== undefined)
      usage = {
        inputTokens: counts.input_tokens ?? usage?.inputTokens ?? 0,
        outputTokens: counts.output_tokens ?? usage?.outputTokens ?? 0,
      };
    const { index = 0, content_block: block, delta } = event;
    if (block?.type === 'tool_use')
      calls.set(index, { id: block.id ?? '', name: block.name ?? '', args: '' });
    text += delta?.text ?? '';
    const call = calls.get(index);
    if (call !== undefined) call.args += delta?.partial_json ?? '';
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
