import { randomUUID } from 'node:crypto';
import { stateIn } from '../agent/conversation/a2a-parts.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { isLoopbackUrl } from '../transport/loopback.ts';
import { A2aCaller } from './a2a-caller.ts';
import type { A2aInbox } from './a2a-inbox.ts';
import { type AgentSurvey, surveyOf } from './a2a-survey.ts';
import { answerText } from './a2a-text.ts';
import { shorten } from './content-text.ts';
import type { CallOutcome } from './mcp-server.ts';

export interface RemoteAgentOptions {
  readonly cardUrl: string;
  readonly timeoutMs: number;
  /** The address at which it can report on a task later. */
  inbox(): Promise<A2aInbox>;
}

const pushMs = 2_000;
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

  constructor(options: RemoteAgentOptions) {
    this.#options = options;
    this.#caller = new A2aCaller(options.cardUrl, options.timeoutMs);
  }

  close(): Promise<void> {
    return this.#caller.close();
  }

  /** Reads the card each time, because it may have changed. */
  async survey(signal: AbortSignal): Promise<AgentSurvey> {
    const { cardUrl, timeoutMs } = this.#options;
    const nobody = { cardUrl, name: 'agent', description: '' };
    try {
      if (!isLoopbackUrl(cardUrl)) return { ...nobody, failure: 'could not be reached' };
      const [open] = await this.#caller.call('agent_card/get', {}, within(timeoutMs, signal));
      if (!isValueMap(open)) return { ...nobody, failure: 'has no card' };
      const card = saysMore(open) ? ((await this.#extendedCard(signal)) ?? open) : open;
      this.#card = card;
      return surveyOf(cardUrl, card);
    } catch {
      return { ...nobody, failure: 'could not be reached' };
    }
  }

  /** The extended card for authenticated callers; it replaces the public one. */
  async #extendedCard(signal: AbortSignal): Promise<ValueMap | undefined> {
    try {
      const timed = within(this.#options.timeoutMs, signal);
      const [card] = await this.#caller.call('agent/getAuthenticatedExtendedCard', {}, timed);
      return isValueMap(card) ? card : undefined;
    } catch {
      return undefined;
    }
  }

  async ask(text: string, signal: AbortSignal): Promise<CallOutcome> {
    const { timeoutMs } = this.#options;
    try {
      const answers = await this.#converse(text, within(timeoutMs, signal));
      const last = answers.at(-1);
      return {
        content: shorten(answers.map(answerText).join('\n').trim()),
        isError: failedStates.has(stateIn(last)),
      };
    } catch (error) {
      return { content: shorten(error instanceof Error ? error.message : String(error)), isError: true };
    }
  }

  async #converse(text: string, signal: AbortSignal): Promise<readonly Value[]> {
    const card = this.#card;
    if (card === undefined) return [{ status: 'failed', message: 'the agent cannot be reached' }];
    const capabilities = isValueMap(card.capabilities) ? card.capabilities : {};
    const expected =
      capabilities.pushNotifications === true ? (await this.#options.inbox()).expect(pushMs) : undefined;
    const params = this.#params(text, expected?.config);
    try {
      const method = capabilities.streaming === true ? 'message/stream' : 'message/send';
      const answers = await this.#caller.call(method, params, signal);
      const last = answers.at(-1);
      if (isValueMap(last) && typeof last.contextId === 'string') this.#contextId = last.contextId;
      const later = openStates.has(stateIn(last)) ? await expected?.said : undefined;
      return later === undefined ? withoutRepeats(answers) : [...withoutRepeats(answers), unwrapped(later)];
    } finally {
      expected?.stop();
    }
  }

  #params(text: string, pushNotificationConfig: ValueMap | undefined): ValueMap {
    const message: ValueMap = {
      kind: 'message',
      messageId: randomUUID(),
      role: 'user',
      parts: [{ kind: 'text', text }],
      ...(this.#contextId !== undefined && { contextId: this.#contextId }),
    };
    return {
      message,
      ...(pushNotificationConfig !== undefined && { configuration: { pushNotificationConfig } }),
    };
  }
}

/** Each era has its own field for this, and a card may have both. */
function saysMore({ supportsAuthenticatedExtendedCard, capabilities }: ValueMap): boolean {
  return (
    supportsAuthenticatedExtendedCard === true ||
    (isValueMap(capabilities) && capabilities.extendedAgentCard === true)
  );
}

/** Updates repeat earlier texts of the task; each text is kept once. */
function withoutRepeats(answers: readonly Value[]): readonly Value[] {
  const texts = answers.map(answerText);
  return answers.filter((answer, index) => {
    const said = texts[index] ?? '';
    const isRepeat = texts.some((other, place) => place < index && other.includes(said));
    return index === answers.length - 1 || !isRepeat || stateIn(answer) !== undefined;
  });
}

/** Unwraps the payload of a push notification. */
function unwrapped(said: Value): Value {
  if (!isValueMap(said)) return said;
  return (
    said.task ??
    said.statusUpdate ??
    said.artifactUpdate ??
    (said.status === undefined ? (said.message ?? said) : said)
  );
}

/** Aborts when the caller does, or when the time is over. */
function within(ms: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}
