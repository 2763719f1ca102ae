import type { ChatMessage } from '../model.ts';

/** The user's latest message, and everything that happened after it. */
export interface TaskSection {
  readonly task: string;
  readonly messages: readonly ChatMessage[];
  readonly before: readonly ChatMessage[];
}

export function findSinceTask(messages: readonly ChatMessage[]): TaskSection {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return {
    task: messages[last]?.content ?? '',
    messages: messages.slice(last + 1),
    before: messages.slice(0, Math.max(last, 0)),
  };
}
