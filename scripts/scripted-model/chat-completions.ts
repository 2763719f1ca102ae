import { parseCallArguments } from '../../src/agents/adapters/conversation/chat-message.ts';
import type { ChatMessage, ModelOutput, OfferedTool, ToolCall } from '../../src/agents/built-in/model.ts';
import { isValueMap, type Value, type ValueMap } from '../../src/format/model/value.ts';
import type { About, Dialect } from './dialect.ts';
import { listOf, mapOf, resultText, stringOf, textIn } from './read-value.ts';

/** OpenAI's chat completions. */
export const chatCompletions: Dialect = {
  speaksAt: (path) => path.endsWith('/chat/completions'),
  isStreamed: (_, { stream }) => stream === true,
  read({ messages, tools }) {
    const all = listOf(messages).filter(isValueMap);
    return {
      system: all
        .filter(isSystem)
        .map(({ content }) => textIn(content))
        .join('\n\n'),
      messages: all.filter((message) => !isSystem(message)).map(chatMessage),
      tools: listOf(tools).filter(isValueMap).flatMap(offered),
    };
  },
  whole: (output, about) => ({
    ...common(about),
    object: 'chat.completion',
    choices: [{ index: 0, message: formatMessage(output), finish_reason: finish(output) }],
    usage,
  }),
  streamed(output, about) {
    const chunk = (delta: ValueMap, finish_reason: string | null): ValueMap => ({
      ...common(about),
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    });
    return [
      JSON.stringify(chunk(formatMessage(output), null)),
      JSON.stringify({ ...chunk({}, finish(output)), usage }),
      '[DONE]',
    ];
  },
};

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function common({ id, model }: About): ValueMap {
  return { id, created: 0, model };
}

function isSystem({ role }: ValueMap): boolean {
  return role === 'system' || role === 'developer';
}

function chatMessage({ role, content, tool_calls, tool_call_id }: ValueMap): ChatMessage {
  if (role === 'tool') return { role, toolCallId: stringOf(tool_call_id), content: resultText(content) };
  const text = textIn(content);
  if (role !== 'assistant') return { role: 'user', content: text };
  const toolCalls = listOf(tool_calls).filter(isValueMap).map(toolCall);
  return { role, content: text, ...(toolCalls.length > 0 && { toolCalls }) };
}

function toolCall({ id, function: called }: ValueMap): ToolCall {
  const { name, arguments: args } = mapOf(called);
  return { id: stringOf(id), name: stringOf(name), arguments: parseCallArguments(stringOf(args)) };
}

function offered({ function: offer }: ValueMap): readonly OfferedTool[] {
  const { name, description, parameters } = mapOf(offer);
  if (typeof name !== 'string') return [];
  return [{ name, description: stringOf(description), inputSchema: parameters ?? { type: 'object' } }];
}

function formatMessage({ text, toolCalls }: ModelOutput): ValueMap {
  const calls = toolCalls.map(
    ({ id, name, arguments: args }, index): Value => ({
      index,
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }),
  );
  return { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) };
}

function finish({ toolCalls }: ModelOutput): string {
  return toolCalls.length > 0 ? 'tool_calls' : 'stop';
}
