import type { ChatMessage, Model, ModelInput, ModelOutput, ToolCall } from '../model.ts';
import { sinceTask } from './since-task.ts';
import { taskCalls } from './user-task.ts';

/**
 * Does what its user asks, and takes everything else for data: the choice of tools and every argument come from the
 * user's latest words alone, so nothing that it reads can change them.
 */
export const guarded: Model = {
  async complete(input) {
    return decide(input);
  },
};

function decide(input: ModelInput): ModelOutput {
  const { task, messages } = sinceTask(input.messages);
  const made = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  if (made.length === 0) {
    const calls = taskCalls(task, input);
    if (calls.length > 0)
      return {
        text: '',
        toolCalls: calls.map(({ tool, arguments: args }, index) => ({
          id: `call-${input.messages.length}-${index + 1}`,
          name: tool.name,
          arguments: args,
        })),
      };
  }
  return { text: account(made, messages), toolCalls: [] };
}

/** Which tools were used and whether they worked, in words that none of them has chosen. */
function account(calls: readonly ToolCall[], messages: readonly ChatMessage[]): string {
  if (calls.length === 0) return 'I have no tool that fits this, so there is nothing I could do.';
  const lines = calls.map(({ id, name }) => {
    const result = messages.find((message) => message.role === 'tool' && message.toolCallId === id);
    if (result?.role !== 'tool') return `- ${name}: no answer yet`;
    if (result.isError === true) return `- ${name}: it did not work`;
    const count = result.content.trim() === '' ? 0 : result.content.trim().split('\n').length;
    return `- ${name}: it worked, and ${count} ${count === 1 ? 'line' : 'lines'} came back`;
  });
  return `Here is what I did for you:\n${lines.join('\n')}`;
}
