import { randomUUID } from 'node:crypto';
import type { Incoming } from '../../engine/messages.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { type A2aTarget, createA2aClient } from '../../transport/a2a/client.ts';
import { pause } from '../../transport/json-rpc-client/pause.ts';
import { stateIn } from '../built-in/a2a-text.ts';
import type { Said, Turn } from '../prompt-voice.ts';
import { saidIn } from './a2a-answer.ts';

/** An agent may think as long as the run lasts. */
const silenceMs = 60 * 60 * 1_000;
const firstPauseMs = 100;
const longestPauseMs = 2_000;
const openStates: ReadonlySet<Value | undefined> = new Set(['submitted', 'working']);
const failures: ReadonlyMap<Value | undefined, string> = new Map([
  ['failed', 'its task failed'],
  ['rejected', 'it rejected the task'],
  ['canceled', 'its task was canceled'],
  ['auth-required', 'its task waits for somebody to log in'],
]);

/** What is known of a conversation: the server's name for it, and the task that it is in the middle of. */
interface Thread {
  readonly contextId?: string;
  readonly taskId?: string;
}

export interface A2aConversation {
  /** Rejects when nothing came of it. */
  say(turn: Turn): Promise<Said>;
  close(): Promise<void>;
}

/** The user's words as A2A messages, over whichever transport the agent's card prefers. */
export async function openA2aConversation(target: A2aTarget): Promise<A2aConversation> {
  const transport = createA2aClient({ target: () => target, limits: { silenceMs } });
  const waiting = new Map<string, (outcome: Outcome) => void>();
  const threads = new Map<string, Thread>();
  let warning: string | undefined;
  await transport.open((message) => {
    if (message.kind === 'warning') warning ??= message.message;
    const outcome = outcomeOf(message);
    if (outcome !== undefined) waiting.get(outcome.ask)?.(outcome);
  });

  function call(method: string, params: ValueMap, signal: AbortSignal): Promise<Value> {
    const ask = randomUUID();
    return new Promise((resolve, reject) => {
      const done = ({ result, reason = '' }: Omit<Outcome, 'ask'>): void => {
        waiting.delete(ask);
        signal.removeEventListener('abort', callOff);
        if (result !== undefined) resolve(result);
        else reject(new Error(warning === undefined ? reason : `${reason}; ${warning}`));
      };
      const callOff = (): void => done({ reason: 'it was called off' });
      waiting.set(ask, done);
      signal.addEventListener('abort', callOff, { once: true });
      transport.ask('every session', ask, method, params, () => {});
    });
  }

  async function say({ prompt, thread, signal }: Turn): Promise<Said> {
    const known = threads.get(thread) ?? {};
    const message: ValueMap = {
      kind: 'message',
      messageId: randomUUID(),
      role: 'user',
      parts: [{ kind: 'text', text: prompt }],
      ...known,
    };
    const answer = await settled(
      await call('message/send', { message, configuration: { blocking: true } }, signal),
      signal,
    );
    threads.set(thread, threadAfter(known, answer));
    const text = saidIn(answer);
    const failure = failures.get(stateIn(answer));
    return failure === undefined ? { text } : { text, failure };
  }

  /** A task that is not done is asked for until it is, or wants something. */
  async function settled(answer: Value, signal: AbortSignal): Promise<Value> {
    let latest = answer;
    for (
      let wait = firstPauseMs;
      openStates.has(stateIn(latest));
      wait = Math.min(2 * wait, longestPauseMs)
    ) {
      const id = isValueMap(latest) ? latest.id : undefined;
      if (typeof id !== 'string') throw new Error('its task is not done, and has no id to ask for it by');
      await pause(wait, signal);
      latest = await call('tasks/get', { id }, signal);
    }
    return latest;
  }

  return { say, close: () => transport.close() };
}

interface Outcome {
  readonly ask: string;
  readonly result?: Value;
  readonly reason?: string;
}

function outcomeOf(message: Incoming): Outcome | undefined {
  if (message.kind === 'end')
    return { ask: message.ask, reason: message.reason ?? 'it ended without an answer' };
  if (message.kind !== 'answer') return undefined;
  const { ask, answer } = message;
  return answer.kind === 'result' ? { ask, result: answer.result } : { ask, reason: errorText(answer.error) };
}

function errorText(error: Value | undefined): string {
  if (!isValueMap(error)) return `it answered with an error: ${JSON.stringify(error)}`;
  return `it answered with error ${JSON.stringify(error.code)}: ${String(error.message ?? '')}`;
}

function threadAfter(before: Thread, answer: Value): Thread {
  if (!isValueMap(answer)) return before;
  const contextId = typeof answer.contextId === 'string' ? answer.contextId : before.contextId;
  const isWaiting = stateIn(answer) === 'input-required' && typeof answer.id === 'string';
  return {
    ...(contextId !== undefined && { contextId }),
    ...(isWaiting && { taskId: answer.id as string }),
  };
}
