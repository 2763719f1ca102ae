import type { Value, ValueMap } from '../../../format/model/value.ts';

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
