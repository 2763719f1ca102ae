import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Incoming } from '../../../attack/engine/actor-messages.ts';
import { pauseBefore } from '../../../attack/engine/polls.ts';
import { type A2aPeer, createA2aClient } from '../../../attack/transport/a2a/a2a-client.ts';
import { AgentRefused, AgentUnreachable, type FailureContent } from '../../../attack/transport/http-failure.ts';
import { pause } from '../../../attack/transport/mcp-client/pause.ts';
import { isValueMap, toMaps, type Value, type ValueMap } from '../../../format/model/value.ts';
import { listEras } from '../../../format/registry/protocols.ts';
import { readPartTexts, readTaskState } from '../conversation/a2a-parts.ts';
import type { AgentTurn, TurnAnswer } from '../prompt-agent.ts';

const [firstEra] = listEras('a2a');

/** Long, because an agent may take as long as the run lasts. */
const silenceMs = 60 * 60 * 1_000;

/** The state of a conversation: its ids, including that of an unfinished task. */
interface Thread {
  readonly contextId?: string;
  readonly taskId?: string;
  /** The agent's messages that have been received, by id and words. */
  readonly heard: Set<string>;
  /** Our prompts, each as often as it was sent. */
  readonly said: string[];
}

export interface A2aConversation {
  /** Rejects if there is no answer. */
  say(turn: AgentTurn): Promise<TurnAnswer>;
  close(): Promise<void>;
}

/** Sends the user's prompts as A2A messages, over the transport that the agent's card prefers. */
export async function openA2aConversation(target: A2aPeer): Promise<A2aConversation> {
  const transport = createA2aClient({ target: () => target, limits: { silenceMs } });
  const waiting = new Map<string, (outcome: Outcome) => void>();
  const threads = new Map<string, Thread>();
  /** What came with failures, by request. */
  const beside = new Map<string, Beside>();
  let warning: string | undefined;
  let era: string | undefined;
  await transport.open((message) => {
    if (message.kind === 'warning') warning ??= message.message;
    if (message.kind === 'answer') era = message.era;
    if (message.kind === 'refused' || message.kind === 'malformed') noteBeside(beside, message);
    const outcome = readTurnOutcome(message, beside);
    if (outcome !== undefined) waiting.get(outcome.ask)?.(outcome);
  });

  function call(method: string, params: ValueMap, signal: AbortSignal): Promise<Value> {
    const ask = randomUUID();
    return new Promise((resolve, reject) => {
      const done = ({ result, reason = '', refusal, isAbsent }: Omit<Outcome, 'ask'>): void => {
        waiting.delete(ask);
        beside.delete(ask);
        signal.removeEventListener('abort', callOff);
        const failure = warning === undefined ? reason : `${reason}; ${warning}`;
        if (result !== undefined) resolve(result);
        else if (refusal !== undefined) reject(new AgentRefused(failure, refusal.status, refusal.content));
        else reject(new (isAbsent ? AgentUnreachable : Error)(failure));
      };
      const callOff = (): void => done({ reason: 'it was cancelled' });
      waiting.set(ask, done);
      signal.addEventListener('abort', callOff, { once: true });
      transport.ask('every session', ask, method, params, () => {});
    });
  }

  async function say({ prompt, thread, signal }: AgentTurn): Promise<TurnAnswer> {
    const before = threads.get(thread);
    // Many servers use the context id that they are given, and never report one of their own.
    const { heard, said, ...names } = before ?? { contextId: randomUUID(), heard: new Set<string>(), said: [] };
    const message: ValueMap = {
      kind: 'message',
      messageId: randomUUID(),
      role: 'user',
      parts: [{ kind: 'text', text: prompt }],
    };
    const send = (more: ValueMap): Promise<Value> =>
      call('message/send', { message: { ...message, ...more }, configuration: { blocking: true } }, signal);
    said.push(prompt);
    let sent: Thread = { heard, said, ...names };
    const first = await send(names).catch((thrown: unknown) => {
      // The protocol lets a server refuse a context id that it did not assign.
      const isUnwanted = thrown instanceof AgentRefused && /context/i.test(thrown.message);
      if (before !== undefined || !isUnwanted) throw thrown;
      sent = { heard, said };
      return send({});
    });
    const texts = new Set<string>();
    const answer = await settled(first, signal, (latest) => {
      for (const text of collectAnswerTexts(latest, heard)) texts.add(text);
    });
    for (const message of listMessages(answer)) heard.add(keyMessage(message));
    threads.set(thread, advanceThread(sent, answer));
    const isAlone = before !== undefined && Object.keys(names).length === 0;
    return {
      text: [...texts].join('\n'),
      raw: { event: dropOwnMessages(answer, said), source: 'a2a', metadata: { era: era ?? firstEra ?? '' } },
      failure: findAnswerFailure(answer),
      ...(isAlone && { carried: 'one turn' as const }),
    };
  }

  /** Polls an open task until it is done or needs input. Texts that arrive in the meantime count. */
  async function settled(answer: Value, signal: AbortSignal, read: (latest: Value) => void): Promise<Value> {
    let latest = answer;
    read(latest);
    for (let polls = 0; isTaskOpen(latest); polls++) {
      const id = isValueMap(latest) ? latest.id : undefined;
      if (typeof id !== 'string') throw new Error('its task is not done, and has no id to poll it by');
      await pause(pauseBefore(polls), signal);
      latest = await call('tasks/get', { id }, signal);
      read(latest);
    }
    return latest;
  }

  return { say, close: () => transport.close() };
}

interface Outcome {
  readonly ask: string;
  readonly result?: Value;
  readonly reason?: string;
  /** Set if the agent answered with an error, or with a status that is one. */
  readonly refusal?: Pick<AgentRefused, 'status' | 'content'>;
  readonly isAbsent?: boolean;
}

/** What came with a failure. */
interface Beside {
  readonly values: Value[];
  unread?: FailureContent['unread'];
}

function noteBeside(beside: Map<string, Beside>, message: Extract<Incoming, { kind: 'refused' | 'malformed' }>): void {
  if (message.ask === undefined) return;
  const known = beside.get(message.ask) ?? { values: [] };
  beside.set(message.ask, known);
  if (message.kind === 'refused') known.values.push(message.message.content);
  else known.unread ??= { bytes: Buffer.from(message.raw, 'base64'), reason: message.reason };
}

function readTurnOutcome(message: Incoming, beside: ReadonlyMap<string, Beside>): Outcome | undefined {
  if (message.kind === 'end') {
    const { ask, reason = 'it ended without an answer', absent = false, status } = message;
    const { values, unread } = beside.get(ask) ?? { values: [] };
    if (status === undefined) return { ask, reason, isAbsent: absent };
    return { ask, reason, refusal: { status, content: { events: values.flatMap(toEvents), unread } } };
  }
  if (message.kind !== 'answer') return undefined;
  const { ask, answer, status } = message;
  if (answer.kind === 'result') return { ask, result: answer.result };
  const { error } = answer;
  return { ask, reason: formatRpcError(error), refusal: { status, content: { events: toEvents(error) } } };
}

/** What an agent says with a failure, as events: its words, and all of it. */
function toEvents(value: Value): readonly Value[] {
  const told = isValueMap(value) && typeof value.message === 'string' ? [value.message] : [];
  const delta = [...told, ...collectAnswerTexts(value, new Set())].join('\n');
  const raw = { type: 'RAW', event: value, source: 'a2a' };
  return delta === '' ? [raw] : [{ type: 'TEXT_MESSAGE_CONTENT', messageId: randomUUID(), delta }, raw];
}

function formatRpcError(error: Value | undefined): string {
  if (!isValueMap(error)) return `it answered with an error: ${JSON.stringify(error)}`;
  return `it answered with error ${JSON.stringify(error.code)}: ${String(error.message ?? '')}`;
}

function advanceThread(before: Thread, answer: Value): Thread {
  if (!isValueMap(answer)) return before;
  const contextId = typeof answer.contextId === 'string' ? answer.contextId : before.contextId;
  const isWaiting = readTaskState(answer) === 'input-required' && typeof answer.id === 'string';
  return {
    heard: before.heard,
    said: before.said,
    ...(contextId !== undefined && { contextId }),
    ...(isWaiting && { taskId: answer.id as string }),
  };
}

/**
 * The texts of a message or a task for the user, in the agent's order, without messages of the history that were
 * received before.
 */
function collectAnswerTexts(answer: Value, heard: ReadonlySet<string>): readonly string[] {
  if (!isValueMap(answer)) return typeof answer === 'string' ? [answer] : [];
  const { artifacts, history, parts } = answer;
  const texts = [
    // When the state of a task changes, servers move its earlier status messages into the history.
    ...toMaps(history).flatMap((message) =>
      !heard.has(keyMessage(message)) && !isOfUser(message) ? collectPartTexts(message.parts) : [],
    ),
    ...collectPartTexts(readStatusMessage(answer).parts),
    ...toMaps(artifacts).flatMap(readArtifactTexts),
    ...collectPartTexts(parts),
  ].filter((text) => text.trim() !== '');
  // A rejection without a reason has no text, so the state is used.
  return texts.length === 0 && readTaskState(answer) === 'rejected' ? ['rejected'] : texts;
}

/** The answer without our own messages, which servers keep in the history of a task. Words decide what is ours. */
function dropOwnMessages(answer: Value, said: readonly string[]): Value {
  if (!isValueMap(answer) || !Array.isArray(answer.history)) return answer;
  const left = said.map((prompt) => prompt.trim());
  const history = (answer.history as readonly Value[]).flatMap((message): readonly Value[] => {
    if (!isValueMap(message) || !isOfUser(message)) return [message];
    const { parts, ...others } = message;
    const at = left.indexOf(collectPartTexts(parts).join('\n').trim());
    if (at < 0) return [message];
    left.splice(at, 1);
    return [others];
  });
  return { ...answer, history };
}

function isOfUser({ role }: ValueMap): boolean {
  return /user/i.test(String(role));
}

function listMessages(answer: Value): readonly ValueMap[] {
  if (!isValueMap(answer)) return [];
  return [answer, readStatusMessage(answer), ...toMaps(answer.history)];
}

/** The same words under another id, or other words under the same id, are another message. */
function keyMessage({ messageId = null, parts = null }: ValueMap): string {
  return JSON.stringify([messageId, parts]);
}

const longestReason = 200;
const open: ReadonlySet<Value | undefined> = new Set(['submitted', 'working']);
/** A rejected task is an answer. */
const done: ReadonlySet<Value | undefined> = new Set(['completed', 'input-required', 'rejected']);
const failures: ReadonlyMap<Value | undefined, string> = new Map([
  ['failed', 'its task failed'],
  ['canceled', 'its task was canceled'],
  ['auth-required', 'its task waits for a login'],
]);

/** Whether the task is still open, so that more may come. */
function isTaskOpen(answer: Value): boolean {
  return open.has(readTaskState(answer));
}

/** Why an answer does not count as one, with the agent's own text about it. */
function findAnswerFailure(answer: Value): string | undefined {
  if (!isValueMap(answer)) return 'its answer is neither a message nor a task';
  if (answer.status === undefined)
    return answer.parts === undefined ? 'its answer is neither a message nor a task' : undefined;
  const state = readTaskState(answer);
  if (done.has(state)) return undefined;
  const failure =
    failures.get(state) ??
    `its task is ${JSON.stringify(state) ?? 'in no state'}, which is not a final state of A2A 0.3`;
  const words = collectPartTexts(readStatusMessage(answer).parts).join(' ').replace(/\s+/g, ' ').trim();
  return words === '' ? failure : `${failure}: ${words.slice(0, longestReason)}`;
}

function readStatusMessage({ status }: ValueMap): ValueMap {
  return isValueMap(status) && isValueMap(status.message) ? status.message : {};
}

function readArtifactTexts({ name, description, parts }: ValueMap): readonly string[] {
  const title = [name, description].filter((text) => typeof text === 'string' && text !== '').join(': ');
  return [title, ...collectPartTexts(parts)];
}

function collectPartTexts(parts: Value | undefined): readonly string[] {
  return Array.isArray(parts) ? (parts as readonly Value[]).flatMap(readPartText) : readPartTexts(parts);
}

function readPartText(part: Value): readonly string[] {
  const file = isValueMap(part) && isValueMap(part.file) ? part.file : undefined;
  const text = file === undefined ? undefined : decodeFileText(file);
  if (file === undefined || text === undefined) return readPartTexts([part]);
  return [...(typeof file.name === 'string' ? [file.name] : []), text];
}

/** The text of an attached file, if it is text. */
function decodeFileText({ bytes }: ValueMap): string | undefined {
  if (typeof bytes !== 'string') return undefined;
  const content = Buffer.from(bytes, 'base64');
  return content.length > 0 && isUtf8(content) && !content.includes(0) ? content.toString('utf8') : undefined;
}
