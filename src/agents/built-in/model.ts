import type { PlannedAnswer } from '../../format/model/user-plan.ts';
import type { Usage } from '../adapters/agent-under-test.ts';
import type { ChatMessage, OfferedTool, ToolCall } from '../adapters/conversation/chat-message.ts';

export type { ChatMessage, OfferedTool, ToolCall, Usage };

// The interface between the built-in agent and a model, in the terms that chat completion services share. The policies
// implement it, and see exactly what a language model would see.

export interface Model {
  complete(input: ModelInput): Promise<ModelOutput>;
}

export interface ModelInput {
  /** The agent's own instructions, including those of its servers. */
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly OfferedTool[];
  /** The server that asks, if the completion is not for the user: a form to fill in, or a sampling request. */
  readonly askedBy?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the document's plan says to do. Only rule-based models get it; without it they go by the user's words. */
  readonly planned?: PlannedTurn | undefined;
}

/** What is left of a turn of the plan. */
export interface PlannedTurn {
  /** The calls that are left; the first one comes next, and has all its values. */
  readonly calls: readonly ToolCall[];
  /** What to say after them. Absent if the plan does not say. */
  readonly answer?: string | undefined;
  /** The answer to the question that a server asks. */
  readonly reply?: PlannedAnswer | undefined;
}

export interface ModelOutput {
  readonly text: string;
  /** Empty if the model is done and `text` is its answer. */
  readonly toolCalls: readonly ToolCall[];
  /** The tokens that were used, if the model counts them. */
  readonly usage?: Usage;
  /** Why the output is incomplete: something other than the model ended it. */
  readonly cutOff?: string;
}
