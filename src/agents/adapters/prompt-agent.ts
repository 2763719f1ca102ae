import { randomUUID } from 'node:crypto';
import { AgentFailed } from '../../attack/transport/http-failure.ts';
import { isBlank } from '../../format/model/escape-invisible.ts';
import { parseJson, stringifyJson } from '../../format/model/json-text-values.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import type { InProcessAgent } from './agent-under-test.ts';
import type { ChatMessage } from './conversation/chat-message.ts';
import { type RunInput, readRunInput } from './conversation/read-run-input.ts';
import { type Thread, Threads } from './conversation/threads.ts';
import { type CarriedInput, describeOmission, type TakenInput } from './turn-omissions.ts';

export type { CarriedInput };

/** One turn of a conversation with an agent that does not speak AG-UI. */
export interface AgentTurn {
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

export interface TurnAnswer {
  readonly text: string;
  /** The answer in the agent's own protocol, if that says more than the text. */
  readonly raw?: { readonly event: Value; readonly source: string; readonly metadata?: Value } | undefined;
  /** Why the answer is incomplete or a failure. */
  readonly failure?: string | undefined;
  /** Whether the failure is that a limit cut the answer short. */
  readonly isCut?: boolean | undefined;
  /** How much of the turn the agent has actually read, if that is known only after its answer. */
  readonly carried?: TakenInput | undefined;
}

export interface PromptCarrier {
  /** How much of a turn the agent receives. */
  carries(isFirst: boolean): CarriedInput;
  /** Whether the agent knows the earlier turns by itself. If it does not, they are put before the prompt, unchanged. */
  readonly remembers: boolean;
  /** Rejects if the agent gave no answer. */
  say(turn: AgentTurn): Promise<TurnAnswer>;
}

export interface PromptAgent {
  readonly peer: InProcessAgent;
  /** The first thing that could not be passed on, if any. */
  missed(): string | undefined;
}

/**
 * Passes the user's prompts to an agent that takes a prompt and returns a text. The text becomes the assistant's
 * message.
 */
export function createPromptAgent({ carries, remembers, say }: PromptCarrier): PromptAgent {
  const threads = new Threads();
  let missed: string | undefined;

  async function* speak(request: Value, signal: AbortSignal): AsyncGenerator<ValueMap> {
    const input = parseJson(stringifyJson(isValueMap(request) ? request : {})) as ValueMap;
    const read = readRunInput(input, randomUUID);
    const { threadId, runId } = read;
    const thread = threads.get(threadId);
    const before = [...thread.messages];
    const isFirst = before.length === 0;
    const added = mergeMessages(thread, read);
    const { text, raw, failure, isCut, carried } = await say({
      prompt: formatPrompt(read, added, remembers ? [] : before),
      messages: [...thread.messages],
      application: read.application,
      input,
      thread: threadId,
      isFirst,
      signal,
    });
    missed ??= describeOmission(carried ?? carries(isFirst), { input: request, read, added });
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

  return { peer: speak, missed: () => missed };
}

function mergeMessages(thread: Thread, { messages }: RunInput): readonly ChatMessage[] {
  const before = new Set(thread.messages);
  thread.merge(messages);
  return thread.messages.filter((message) => !before.has(message));
}

function formatPrompt(
  { application }: RunInput,
  added: readonly ChatMessage[],
  before: readonly ChatMessage[],
): string {
  const words = added.filter(({ role }) => role === 'user').map(({ content }) => content);
  return [formatConversation(before), application, ...words].filter((part) => part !== '').join('\n\n');
}

/** The earlier messages as text, for an agent that does not remember them. */
function formatConversation(messages: readonly ChatMessage[]): string {
  const lines = messages.flatMap(({ role, content }) =>
    content === '' || (role !== 'user' && role !== 'assistant') ? [] : `${role}: ${content}`,
  );
  return lines.length === 0 ? '' : `Our conversation so far:\n${lines.join('\n')}`;
}
