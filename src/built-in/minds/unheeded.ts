import type { ChatMessage, ModelInput } from '../model.ts';
import { promptPrefix } from '../offers.ts';
import { isOrder } from './is-order.ts';
import { sentencesOf } from './sentences.ts';
import { sourcesOf } from './sources.ts';
import { isTaskAnswer } from './task-answer.ts';
import { wantedWriting } from './written-out.ts';

const maxOrders = 12;

/** The orders of anyone but the user, sentence by sentence. */
export function unheeded(input: ModelInput): readonly string[] {
  const { system, messages, tools } = input;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const byOthers = messages.filter((message, index) => index === last || !isOwn(message));
  const sentences = sourcesOf({ system, messages: byOthers, tools }).flatMap(({ text, tool }) => {
    // A description that mentions its own tool states its purpose.
    const others = tools.filter(({ name }) => name !== tool);
    return sentencesOf(text).filter((sentence) => isOrder(sentence, others));
  });
  const written = writings(input);
  return [...new Set(sentences)].filter((sentence) => !written.has(sentence)).slice(0, maxOrders);
}

function isOwn({ role, content }: ChatMessage): boolean {
  return role === 'user' || (role === 'assistant' && isTaskAnswer(content));
}

/** The texts that prompts asked for: the user requested those prompts, and they were written. */
function writings({ messages, tools }: ModelInput): ReadonlySet<string | undefined> {
  const prompts = messages
    .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    .filter(({ name }) => name.startsWith(promptPrefix))
    .map(({ id }) => id);
  return new Set(
    messages
      .filter((message) => message.role === 'tool' && prompts.includes(message.toolCallId))
      .map(({ content }) => wantedWriting(content, tools)),
  );
}
