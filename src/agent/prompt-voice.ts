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

/** One turn of a conversation with an agent that does not speak AG-UI. */
export interface Turn {
  /** The user's prompt of this turn, after the text that the application passes on. */
  readonly prompt: string;
  /** The conversation so far, including this turn. */
  readonly messages: readonly ChatMessage[];
  /** The text that the application passes on. */
  readonly application: string;
  /** The run input as the attack sends it. */
  readonly input: ValueMap;
  /** The id of the conversation; the same for all its turns. */
  readonly thread: string;
  /** Whether this is the first turn of its conversation. */
  readonly isFirst: boolean;
  /** Aborts the turn when its answer is no longer needed. */
  readonly signal: AbortSignal;
}

export interface Said {
  readonly text: string;
  /** The answer in the agent's own protocol, if that says more than the text. */
  readonly raw?: { readonly event: Value; readonly source: string; readonly metadata?: Value } | undefined;
  /** Why the answer is incomplete or a failure. */
  readonly failure?: string | undefined;
  /** Whether the failure is that a limit cut the answer short. */
  readonly isCut?: boolean | undefined;
  /** How much of the turn the agent has actually read, if that is known only after its answer. */
  readonly carried?: Taken | undefined;
}

export interface VoiceCarrier {
  /** How much of a turn the agent receives. */
  carries(isFirst: boolean): Carries;
  /**
   * Whether the agent knows the earlier turns by itself. If it does not, they are put before the prompt, as they were
   * spoken.
   */
  readonly remembers: boolean;
  /** Rejects if the agent gave no answer. */
  say(turn: Turn): Promise<Said>;
}

export interface PromptVoice {
  readonly voice: Voice;
  /** The first thing that could not be passed on, if any. */
  missed(): string | undefined;
}

/**
 * Carries the user's voice to an agent that takes a prompt and returns a text. The text becomes the assistant's
 * message.
 */
export function promptVoice({ carries, remembers, say }: VoiceCarrier): PromptVoice {
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
    // The text is sent in one event, so that a secret in it is found whole when it is stored.
    if (text !== '') {
      yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text };
      yield { type: 'TEXT_MESSAGE_END', messageId };
    }
    // A limit that cut the answer short is not a failure of the agent itself.
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

/** The earlier messages as text, for an agent that does not remember them. */
function conversation(messages: readonly ChatMessage[]): string {
  const lines = messages.flatMap(({ role, content }) =>
    content === '' || (role !== 'user' && role !== 'assistant') ? [] : `${role}: ${content}`,
  );
  return lines.length === 0 ? '' : `Our conversation so far:\n${lines.join('\n')}`;
}
