import type { ChatMessage } from '../built-in/model.ts';

/**
 * Services want the results of tool calls right behind the calls, and each call answered. What was noted in between
 * goes behind the results; a call that was never answered is told so.
 */
export function inWireOrder(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const ordered: ChatMessage[] = [];
  let notes: ChatMessage[] = [];
  let open = new Set<string>();
  const settle = (): void => {
    for (const toolCallId of open) ordered.push({ role: 'tool', toolCallId, content: 'no result' });
    ordered.push(...notes);
    notes = [];
    open = new Set();
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      if (open.delete(message.toolCallId)) ordered.push(message);
      if (open.size === 0) settle();
      continue;
    }
    if (open.size > 0 && message.role === 'system') {
      notes.push(message);
      continue;
    }
    settle();
    ordered.push(message);
    if (message.role === 'assistant') open = new Set(message.toolCalls?.map(({ id }) => id));
  }
  settle();
  return ordered;
}
