import type { ChatMessage, ModelInput } from '../model.ts';
import { promptPrefix } from '../model-offers.ts';
import { isInjectedInstruction } from './is-injected-instruction.ts';
import { splitSentences } from './sentences.ts';
import { isTaskAnswer } from './task-answer.ts';
import { collectTextSources } from './text-sources.ts';
import { findWantedWriting } from './write-out.ts';

const maxOrders = 12;

/** The instructions of anyone but the user, sentence by sentence. */
export function findUnheededInstructions(input: ModelInput): readonly string[] {
  const { system, messages, tools } = input;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const byOthers = messages.filter((message, index) => index === last || !isOwn(message));
  const sentences = collectTextSources({ system, messages: byOthers, tools }).flatMap(({ text, tool }) => {
    // A description that mentions its own tool states its purpose.
    const others = tools.filter(({ name }) => name !== tool);
    return splitSentences(text).filter((sentence) => isInjectedInstruction(sentence, others));
  });
  const written = collectRequestedWritings(input);
  return [...new Set(sentences)].filter((sentence) => !written.has(sentence)).slice(0, maxOrders);
}

function isOwn({ role, content }: ChatMessage): boolean {
  return role === 'user' || (role === 'assistant' && isTaskAnswer(content));
}

/** The sentences in which prompts that the user requested say what to write; they are not injected. */
function collectRequestedWritings({ messages, tools }: ModelInput): ReadonlySet<string | undefined> {
  const prompts = messages
    .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    .filter(({ name }) => name.startsWith(promptPrefix))
    .map(({ id }) => id);
  return new Set(
    messages
      .filter((message) => message.role === 'tool' && prompts.includes(message.toolCallId))
      .map(({ content }) => findWantedWriting(content, tools)),
  );
}
