import { randomUUID } from 'node:crypto';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import type { Voice } from './agent.ts';
import type { ChatMessage } from './built-in/model.ts';
import { emitText, type RunEvent } from './built-in/run-events.ts';
import { type RunInput, readRunInput } from './built-in/run-input.ts';
import { type Thread, Threads } from './built-in/threads.ts';

/** What is said to an agent that does not speak AG-UI. */
export interface Turn {
  /** What the user says now, behind what the application passes along. */
  readonly prompt: string;
  /** The conversation so far, this turn's words included. */
  readonly messages: readonly ChatMessage[];
  /** What the application passes along, as text. */
  readonly application: string;
  /** The run input as the attack has it. */
  readonly input: ValueMap;
  /** The same for all turns of a conversation. */
  readonly thread: string;
  /** Ends the turn: nobody waits for its answer any more. */
  readonly signal: AbortSignal;
}

export interface Said {
  readonly text: string;
  /** Why the answer is not all that it should have been. */
  readonly failure?: string | undefined;
}

/** How much of a run input an agent is given: words only, the messages with who said them, or all of it. */
export type Carries = 'prompt' | 'messages' | 'input';

export interface PromptVoice {
  readonly voice: Voice;
  /** What could not be handed on, the first time it could not. */
  missed(): string | undefined;
}

/**
 * Carries the user's voice to an agent that takes a prompt and gives a text. What it says is the assistant's message.
 * `say` rejects where the agent gave no answer at all.
 */
export function promptVoice(carries: Carries, say: (turn: Turn) => Promise<Said>): PromptVoice {
  const threads = new Threads();
  let missed: string | undefined;

  async function* speak(request: Value, signal: AbortSignal): AsyncGenerator<ValueMap> {
    const input = isValueMap(request) ? request : {};
    const read = readRunInput(input, randomUUID);
    const { threadId, runId } = read;
    const thread = threads.get(threadId);
    const added = addedTo(thread, read);
    missed ??= leftOut(carries, read, added);
    const { text, failure } = await say({
      prompt: promptOf(read, added),
      messages: [...thread.messages],
      application: read.application,
      input,
      thread: threadId,
      signal,
    });
    const messageId = randomUUID();
    thread.know(messageId);
    if (text !== '') thread.add({ role: 'assistant', content: text });
    yield { type: 'RUN_STARTED', threadId, runId };
    const events: RunEvent[] = [];
    emitText((event) => events.push(event), messageId, text);
    yield* events;
    if (failure !== undefined) yield { type: 'RUN_ERROR', message: failure };
    else yield { type: 'RUN_FINISHED', threadId, runId };
  }

  return { voice: speak, missed: () => missed };
}

function addedTo(thread: Thread, { messages }: RunInput): readonly ChatMessage[] {
  const before = new Set(thread.messages);
  thread.merge(messages);
  return thread.messages.filter((message) => !before.has(message));
}

function promptOf({ application }: RunInput, added: readonly ChatMessage[]): string {
  const words = added.filter(({ role }) => role === 'user').map(({ content }) => content);
  return [application, ...words].filter((part) => part !== '').join('\n\n');
}

/** A history that nobody has lived through is an attack of its own, and told as plain words it is another one. */
function leftOut(carries: Carries, { tools }: RunInput, added: readonly ChatMessage[]): string | undefined {
  if (carries === 'input') return undefined;
  const isForged = carries === 'prompt' && added.some(({ role }) => role !== 'user');
  if (isForged)
    return 'it takes the user’s words only, and the history that the attack invents did not reach it';
  return tools.length > 0 ? 'it cannot be given the tools that the user’s application offers' : undefined;
}
