import type { ChatMessage, ModelInput, OfferedTool, ToolCall } from '../model.ts';
import { promptPrefix } from '../model-offers.ts';
import { actionsOfStem } from './action-classes.ts';
import { findFacts } from './find-facts.ts';
import { splitSentences } from './sentences.ts';
import { extractObjectPhrase } from './string-values.ts';
import { findSinceTask } from './task-section.ts';
import { namesTool } from './tool-names.ts';
import { normalizeLookAlikes } from './unhide.ts';
import { splitWords, stemWord } from './word-stems.ts';

const opening = 'Here is what I did for you:';
const nothingFits = 'I have no tool that fits this, so there is nothing I could do.';

/** Whether a message is an earlier answer of this policy. */
export function isTaskAnswer(text: string): boolean {
  return text.startsWith(opening) || text.startsWith(nothingFits);
}

/** Each call of the task, with its result. */
export function formatTaskAnswer(input: ModelInput): string {
  const { messages } = findSinceTask(input.messages);
  // An application that answers a call of its own tool repeats the call, so calls are counted by id.
  const calls = new Map(
    messages
      .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
      .map((call) => [call.id, call]),
  );
  if (calls.size === 0) return nothingFits;
  return [
    opening,
    ...[...calls.values()].map((call) => `- ${call.name}: ${describeCallOutcome(call, messages, input)}`),
  ].join('\n');
}

function describeCallOutcome({ id, name }: ToolCall, messages: readonly ChatMessage[], { tools }: ModelInput): string {
  const result = messages.find((message) => message.role === 'tool' && message.toolCallId === id);
  if (result?.role !== 'tool') return 'no answer yet';
  const facts = findFacts(result.content, tools);
  // A prompt that the user asked for says what to write.
  const lines = name.startsWith(promptPrefix) ? [...writeOut(result.content, tools), ...facts] : facts;
  if (result.isError === true) return ['it did not work.', ...lines].join(' ');
  if (result.content.trim() === '') return 'it worked, and nothing came back';
  return lines.length === 0 ? 'it did not give what you asked for' : lines.join('\n  ');
}

/** The sentence in which a prompt says what to write; undefined if it wants a tool used. */
export function findWantedWriting(prompt: string, tools: readonly OfferedTool[]): string | undefined {
  const [first = ''] = splitSentences(normalizeLookAlikes(prompt));
  const [verb = ''] = splitWords(first);
  const writes = (actionsOfStem.get(stemWord(verb)) ?? []).some(
    (action) => action === 'create' || action === 'analyze',
  );
  return !writes || tools.some(({ name }) => namesTool(first, name)) ? undefined : first;
}

/** The text that a prompt asks for, reduced to one line: the policies have no real writing skill. */
function writeOut(prompt: string, tools: readonly OfferedTool[]): readonly string[] {
  const wanted = findWantedWriting(prompt, tools);
  if (wanted === undefined) return [];
  const text = extractObjectPhrase(wanted);
  return [`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`];
}
