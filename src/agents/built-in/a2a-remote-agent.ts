import { randomUUID } from 'node:crypto';
import { isLoopback } from '../../format/model/loopback.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { readPartTexts, readTaskState } from '../adapters/conversation/a2a-parts.ts';
import { A2aCaller } from './a2a-caller.ts';
import type { A2aInbox } from './a2a-inbox.ts';
import { type AgentSurvey, summarizeCard } from './a2a-survey.ts';
import { shortenContent } from './content-text.ts';
import type { CallOutcome } from './mcp-server.ts';

export interface RemoteAgentOptions {
  readonly cardUrl: string;
  readonly timeoutMs: number;
  /** The address at which it can report on a task later. */
  inbox(): Promise<A2aInbox>;
}

/** A message to another agent. */
interface SentMessage {
  readonly text: string;
  readonly metadata?: ValueMap;
}

const pushMs = 2_000;
/** How long a report is waited for that was left to `awaitReport`. */
const leftPushMs = 5_000;
const failedStates: ReadonlySet<Value | undefined> = new Set(['failed', 'rejected', 'canceled']);
const openStates: ReadonlySet<Value | undefined> = new Set(['submitted', 'working']);

/**
 * An agent that another agent calls. Its failures are outcomes and are never thrown. Only agents on this machine are
 * called.
 */
export class RemoteAgent {
  readonly #options: RemoteAgentOptions;
  readonly #caller: A2aCaller;
  #card: ValueMap | undefined;
  #contextId: string | undefined;
  #expected: ReturnType<A2aInbox['expect']> | undefined;

  constructor(options: RemoteAgentOptions) {
    this.#options = options;
    this.#caller = new A2aCaller(options.cardUrl, options.timeoutMs);
  }

  close(): Promise<void> {
    this.#expected?.stop();
    return this.#caller.close();
  }

  /** Reads the card each time, because it may have changed. */
  async survey(signal: AbortSignal): Promise<AgentSurvey> {
    const { cardUrl, timeoutMs } = this.#options;
    const nobody = { cardUrl, name: 'agent', description: '' };
    try {
      if (!isLoopbackUrl(cardUrl)) return { ...nobody, failure: 'could not be reached' };
      const [open] = await this.#caller.call('agent_card/get', {}, settleWithin(timeoutMs, signal));
      if (!isValueMap(open)) return { ...nobody, failure: 'has no card' };
      const card = addsText(open) ? ((await this.#extendedCard(signal)) ?? open) : open;
      this.#card = card;
      return summarizeCard(cardUrl, card);
    } catch {
      return { ...nobody, failure: 'could not be reached' };
    }
  }

  /** The extended card for authenticated callers; it replaces the public one. */
  async #extendedCard(signal: AbortSignal): Promise<ValueMap | undefined> {
    try {
      const timed = settleWithin(this.#options.timeoutMs, signal);
      const [card] = await this.#caller.call('agent/getAuthenticatedExtendedCard', {}, timed);
      return isValueMap(card) ? card : undefined;
    } catch {
      return undefined;
    }
  }

  forgetContext(): void {
    this.#contextId = undefined;
  }

  /** The report on the last task, if it was left open; undefined if none comes in time. */
  async awaitReport(): Promise<CallOutcome | undefined> {
    const report = await this.#expected?.report;
    return report === undefined ? undefined : toOutcome([unwrapPush(report)]);
  }

  /** With `leavesReport`, a later report on the task is left to `awaitReport`. */
  async ask(sent: SentMessage, signal: AbortSignal, leavesReport = false): Promise<CallOutcome> {
    const { timeoutMs } = this.#options;
    try {
      return toOutcome(await this.#converse(sent, settleWithin(timeoutMs, signal), leavesReport));
    } catch (error) {
      return {
        content: shortenContent(error instanceof Error ? error.message : String(error)),
        isError: true,
      };
    }
  }

  async #converse(sent: SentMessage, signal: AbortSignal, leavesReport: boolean): Promise<readonly Value[]> {
    const card = this.#card;
    if (card === undefined) return [{ status: 'failed', message: 'the agent cannot be reached' }];
    const capabilities = isValueMap(card.capabilities) ? card.capabilities : {};
    const expected =
      capabilities.pushNotifications === true
        ? (await this.#options.inbox()).expect(leavesReport ? leftPushMs : pushMs)
        : undefined;
    if (leavesReport) this.#expected = expected;
    const params = this.#params(sent, expected?.config);
    try {
      const method = capabilities.streaming === true ? 'message/stream' : 'message/send';
      const answers = await this.#caller.call(method, params, signal);
      const last = answers.at(-1);
      if (isValueMap(last) && typeof last.contextId === 'string') this.#contextId = last.contextId;
      const later = !leavesReport && openStates.has(readTaskState(last)) ? await expected?.report : undefined;
      return later === undefined ? dropRepeatedTexts(answers) : [...dropRepeatedTexts(answers), unwrapPush(later)];
    } finally {
      if (!leavesReport) expected?.stop();
    }
  }

  #params({ text, metadata }: SentMessage, pushNotificationConfig: ValueMap | undefined): ValueMap {
    const message: ValueMap = {
      kind: 'message',
      messageId: randomUUID(),
      role: 'user',
      parts: [{ kind: 'text', text }],
      ...(metadata !== undefined && { metadata }),
      ...(this.#contextId !== undefined && { contextId: this.#contextId }),
    };
    return {
      message,
      ...(pushNotificationConfig !== undefined && { configuration: { pushNotificationConfig } }),
    };
  }
}

function toOutcome(answers: readonly Value[]): CallOutcome {
  return {
    content: shortenContent(answers.map(formatA2aAnswer).join('\n').trim()),
    isError: failedStates.has(readTaskState(answers.at(-1))),
  };
}

/** Each era has its own field for this, and a card may have both. */
function addsText({ supportsAuthenticatedExtendedCard, capabilities }: ValueMap): boolean {
  return (
    supportsAuthenticatedExtendedCard === true || (isValueMap(capabilities) && capabilities.extendedAgentCard === true)
  );
}

/** Updates repeat earlier texts of the task; each text is kept once. */
function dropRepeatedTexts(answers: readonly Value[]): readonly Value[] {
  const texts = answers.map(formatA2aAnswer);
  return answers.filter((answer, index) => {
    const text = texts[index] ?? '';
    const isRepeat = texts.some((other, place) => place < index && other.includes(text));
    return index === answers.length - 1 || !isRepeat || readTaskState(answer) !== undefined;
  });
}

/** Unwraps the payload of a push notification. */
function unwrapPush(payload: Value): Value {
  if (!isValueMap(payload)) return payload;
  return (
    payload.task ??
    payload.statusUpdate ??
    payload.artifactUpdate ??
    (payload.status === undefined ? (payload.message ?? payload) : payload)
  );
}

/** Aborts when the caller does, or when the time is over. */
function settleWithin(ms: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}

// Remote agents answer in many shapes, valid and malformed; a model reads their text.

/** All texts of an answer, in reading order. */
function formatA2aAnswer(answer: Value): string {
  const texts = collectTexts(answer).filter((text) => text.trim() !== '');
  const text = [...new Set(texts)].join('\n');
  return shortenContent(text === '' && !isPlainTask(answer) ? JSON.stringify(answer) : text);
}

function collectTexts(value: Value | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly Value[]).flatMap(collectTexts);
  if (!isValueMap(value)) return [];
  const { status, message, artifact, artifacts, parts, content } = value;
  return [
    ...(isValueMap(status) ? collectTexts(status.message) : []),
    ...collectTexts(message),
    ...collectArtifactTexts(artifacts ?? artifact),
    ...readPartTexts(parts ?? content),
  ];
}

function collectArtifactTexts(artifacts: Value | undefined): readonly string[] {
  const list = Array.isArray(artifacts) ? (artifacts as readonly Value[]) : [artifacts];
  return list.flatMap((artifact) => {
    if (!isValueMap(artifact)) return collectTexts(artifact);
    const title = [artifact.name, artifact.description].filter((text) => typeof text === 'string').join(': ');
    return [title, ...readPartTexts(artifact.parts ?? artifact.content)];
  });
}

/** A task that states only that it is done. */
function isPlainTask(answer: Value): boolean {
  return isValueMap(answer) && answer.status !== undefined;
}

/** Tells whether an HTTP URL is on this machine. */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) && isLoopback(hostname);
}
