import type { Value, ValueMap } from '../model/value.ts';

// What the built-in agent needs of a model, in the terms that chat completion services share. The two
// deterministic minds implement it, and see nothing that a language model in their place would not see.

export interface Model {
  complete(input: ModelInput): Promise<ModelOutput>;
}

export interface ModelInput {
  /** The agent's own instructions; those of its servers are part of them. */
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly OfferedTool[];
  readonly signal?: AbortSignal | undefined;
}

export interface ModelOutput {
  readonly text: string;
  /** Empty when the model is done and `text` is its answer. */
  readonly toolCalls: readonly ToolCall[];
  /** What it took, where the model counts. */
  readonly usage?: Usage;
  /** Why there is no more of it: something else than the model has ended it. */
  readonly cutOff?: string;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the prices that were given, where they were. */
  readonly cost?: number;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, as the server wrote it. */
  readonly inputSchema: Value;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: ValueMap;
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | {
      readonly role: 'tool';
      readonly toolCallId: string;
      readonly content: string;
      readonly isError?: boolean;
    };
