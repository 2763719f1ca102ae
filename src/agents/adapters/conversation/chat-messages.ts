import type { Value } from '../../../format/model/value.ts';
import type { ChatMessage } from './chat-message.ts';

/** Messages in the format of chat completions. `nameOf` returns the name under which the service knows a tool. */
export function toChatCompletions(
  messages: readonly ChatMessage[],
  nameOf: (name: string) => string = (name) => name,
): readonly Value[] {
  return messages.map((message) => toChatCompletion(message, nameOf));
}

function toChatCompletion(message: ChatMessage, nameOf: (name: string) => string): Value {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      const tool_calls = toolCalls.map(({ id, name, arguments: args }) => ({
        id,
        type: 'function',
        function: { name: nameOf(name), arguments: JSON.stringify(args) },
      }));
      return { role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) };
    }
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
  }
}
