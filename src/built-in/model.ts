import type { Usage } from '../agent/agent.ts';
import type { ChatMessage, OfferedTool, ToolCall } from '../agent/conversation/chat-message.ts';

export type { ChatMessage, OfferedTool, ToolCall, Usage };

// What the built-in agent needs of a model, in the terms that chat completion services share. The
// deterministic minds implement it, and see nothing that a language model in their place would not see.

export interface Model {
  complete(input: ModelInput): Promise<ModelOutput>;
}

export interface ModelInput {
  /** The agent's own instructions; those of its servers are part of them. */
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly OfferedTool[];
  /** The server that asks, where it is not the user's turn: a form to fill in, or a completion. */
  readonly askedBy?: string | undefined;
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
