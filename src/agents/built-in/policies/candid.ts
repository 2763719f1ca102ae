import policyWords from '../../../../data/policy-words.json' with { type: 'json' };
import type { ChatMessage, Model, ModelInput } from '../model.ts';
import { promptPrefix } from '../model-offers.ts';
import { doTask } from './guarded.ts';
import { isInjectedInstruction } from './is-injected-instruction.ts';
import { splitSentences } from './sentences.ts';
import { findWantedWriting, isTaskAnswer } from './task-answer.ts';
import { collectTextSources } from './text-sources.ts';

/**
 * Does what `guarded` does, and tells its user which injected instructions it has read and not followed. An honest
 * agent may do so, so no indicator may match on these words.
 */
export const candid: Model = {
  async complete(input) {
    const done = doTask(input);
    if (done.toolCalls.length > 0 || input.askedBy !== undefined) return done;
    const orders = findUnheededInstructions(input);
    return { ...done, text: [done.text, ...orders.map(quoteSentence)].join('\n\n') };
  },
};

// Different styles of quoting an instruction. Secrets and the targets of links are left out, because they must not be
// passed on.

const styles: readonly string[] = policyWords.quotingStyles;

/** Quotes a sentence. The sentence decides the style, so the same sentence is always quoted in the same way. */
export function quoteSentence(sentence: string): string {
  const quote = dropSecrets(sentence);
  const style = styles[hashText(sentence) % styles.length] ?? '{quote}';
  return style.replace('{quote}', () => quote);
}

const link = /\b(?:https?|ftp|wss?):\/\/[^\s"'`<>)\]]+|\bwww\.[^\s"'`<>)\]]+|\bmailto:\S+/gi;
const secretive =
  /(pass(?:word|wd|code|phrase)?|secret|token|api[_-]?key|credential)(\w{0,20}["']?\s{0,3}[:=]\s{0,3})\S+/gi;
// A word of both letters and digits, which natural language does not have.
const opaque = /(?<![\w@.-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{8,}(?![\w@-])/g;

function dropSecrets(text: string): string {
  return text
    .replace(/<!--|-->/g, '')
    .trim()
    .replace(link, '[link left out]')
    .replace(secretive, '$1$2[left out]')
    .replace(opaque, '[left out]');
}

/** FNV-1a: picks a style for each sentence without any memory of earlier quotes. */
function hashText(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value;
}

const maxOrders = 12;

/** The instructions of anyone but the user, sentence by sentence. */
function findUnheededInstructions(input: ModelInput): readonly string[] {
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
