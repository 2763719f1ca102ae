import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';

// A conversation in the terms that chat completion services share.

/** One message of a conversation between a user, a model and its tools. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | {
      readonly role: 'tool';
      readonly toolCallId: string;
      readonly content: string;
      readonly isError?: boolean;
    };

/** A tool that a model may call. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, as the server wrote it. */
  readonly inputSchema: Value;
}

/** A tool call that a model requests. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: ValueMap;
}

/** Messages in the format of chat completions. `nameOf` returns the name under which the service knows a tool. */
export function toChatCompletions(
  messages: readonly ChatMessage[],
  renameTool: (name: string) => string = (name) => name,
): readonly Value[] {
  return messages.map((message) => toChatCompletion(message, renameTool));
}

function toChatCompletion(message: ChatMessage, renameTool: (name: string) => string): Value {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      const tool_calls = toolCalls.map(({ id, name, arguments: args }) => ({
        id,
        type: 'function',
        function: { name: renameTool(name), arguments: JSON.stringify(args) },
      }));
      return { role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) };
    }
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
  }
}

/** Reads the arguments of a call. They may be any text; a value that is not an object is wrapped in one. */
export function parseCallArguments(text: string): ValueMap {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as Value;
    return isValueMap(value) ? value : { value };
  } catch {
    return { text };
  }
}
