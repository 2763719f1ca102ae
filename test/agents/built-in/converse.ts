import type { ChatMessage, Model, ModelInput, OfferedTool, ToolCall } from '../../../src/agents/built-in/model.ts';

export interface Setting {
  readonly system?: string;
  readonly said: readonly ChatMessage[] | string;
  readonly tools: readonly OfferedTool[];
  /** The result of each tool; other tools return "ok". */
  readonly answers?: Readonly<Record<string, string>>;
}

export interface Course {
  readonly calls: readonly ToolCall[];
  readonly text: string;
}

/** Plays the agent's loop: answers every call from a table, until the mind makes no more. */
export async function converse(policy: Model, { system = '', said, tools, answers = {} }: Setting): Promise<Course> {
  const messages: ChatMessage[] = typeof said === 'string' ? [{ role: 'user', content: said }] : [...said];
  const calls: ToolCall[] = [];
  for (let turn = 0; turn < 25; turn++) {
    const input: ModelInput = { system, messages: [...messages], tools };
    const { text, toolCalls } = await policy.complete(input);
    if (toolCalls.length === 0) return { calls, text };
    messages.push({ role: 'assistant', content: text, toolCalls });
    for (const call of toolCalls) {
      calls.push(call);
      messages.push({ role: 'tool', toolCallId: call.id, content: answers[call.name] ?? 'ok' });
    }
  }
  throw new Error('the mind does not come to an end');
}
