import { randomUUID } from 'node:crypto';
import { parseJson, stringifyJson } from '../model/json.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { isBlank } from '../primitives/is-blank.ts';
import { AgentFailed } from '../transport/http-failure.ts';
import type { Voice } from './agent.ts';
import type { ChatMessage } from './conversation/chat-message.ts';
import { type RunInput, readRunInput } from './conversation/run-input.ts';
import { type Thread, Threads } from './conversation/threads.ts';
import { type Carries, leftOut, type Taken } from './left-out.ts';

export type { Carries };

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
  /** Whether it is the first turn of its conversation. */
  readonly isFirst: boolean;
  /** Ends the turn: nobody waits for its answer any more. */
  readonly signal: AbortSignal;
}

export interface Said {
  readonly text: string;
  /** The answer as the agent's own protocol has it, where that says more than the text does. */
  readonly raw?: { readonly event: Value; readonly source: string; readonly metadata?: Value } | undefined;
  /** Why the answer is not all that it should have been. */
  readonly failure?: string | undefined;
  /** The failure is that a limit cut the answer short. */
  readonly isCut?: boolean | undefined;
  /** How much of the turn the agent has really taken, where only that it has answered can tell. */
  readonly carried?: Taken | undefined;
}

export interface Carrier {
  /** How much of a turn the agent is given. */
  carries(isFirst: boolean): Carries;
  /**
   * Whether it knows the turns before by itself. One that does not is told of them before the prompt, in the words that
   * were spoken.
   */
  readonly remembers: boolean;
  /** `say` rejects where the agent gave no answer at all. */
  say(turn: Turn): Promise<Said>;
}

export interface PromptVoice {
  readonly voice: Voice;
  /** What could not be handed on, the first time it could not. */
  missed(): string | undefined;
}

/** Carries the user's voice to an agent that takes a prompt and gives a text. What it says is the assistant's message. */
export function promptVoice({ carries, remembers, say }: Carrier): PromptVoice {
  const threads = new Threads();
  let missed: string | undefined;

  async function* speak(request: Value, signal: AbortSignal): AsyncGenerator<ValueMap> {
    const input = parseJson(stringifyJson(isValueMap(request) ? request : {})) as ValueMap;
    const read = readRunInput(input, randomUUID);
    const { threadId, runId } = read;
    const thread = threads.get(threadId);
    const before = [...thread.messages];
    const isFirst = before.length === 0;
    const added = addedTo(thread, read);
    const { text, raw, failure, isCut, carried } = await say({
      prompt: promptOf(read, added, remembers ? [] : before),
      messages: [...thread.messages],
      application: read.application,
      input,
      thread: threadId,
      isFirst,
      signal,
    });
    missed ??= leftOut(carried ?? carries(isFirst), { input: request, read, added });
    const messageId = randomUUID();
    thread.know(messageId);
    if (text !== '') thread.add({ role: 'assistant', content: text });
    yield { type: 'RUN_STARTED', threadId, runId };
    if (raw !== undefined) yield { type: 'RAW', ...raw };
    // In one piece, so that a secret in it is found whole when it is stored.
    if (text !== '') {
      yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text };
      yield { type: 'TEXT_MESSAGE_END', messageId };
    }
    // What ends its stream in the middle is no failure of the agent's own.
    if (isCut && failure !== undefined) throw new Error(failure);
    const trouble = failure ?? (isBlank(text) ? 'it answered with nothing' : undefined);
    if (trouble !== undefined) throw new AgentFailed(trouble);
    yield { type: 'RUN_FINISHED', threadId, runId };
  }

  return { voice: speak, missed: () => missed };
}

function addedTo(thread: Thread, { messages }: RunInput): readonly ChatMessage[] {
  const before = new Set(thread.messages);
  thread.merge(messages);
  return thread.messages.filter((message) => !before.has(message));
}

function promptOf(
  { application }: RunInput,
  added: readonly ChatMessage[],
  before: readonly ChatMessage[],
): string {
  const words = added.filter(({ role }) => role === 'user').map(({ content }) => content);
  return [conversation(before), application, ...words].filter((part) => part !== '').join('\n\n');
}

/** What was said before, for an agent that does not know it. */
function conversation(messages: readonly ChatMessage[]): string {
  const lines = messages.flatMap(({ role, content }) =>
    content === '' || (role !== 'user' && role !== 'assistant') ? [] : `${role}: ${content}`,
  );
  return lines.length === 0 ? '' : `Our conversation so far:\n${lines.join('\n')}`;
}
