import { randomUUID } from 'node:crypto';
import type { AgentCard, Message, MessageSendParams, PushNotificationConfig } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { stateIn } from '../agent/conversation/a2a-parts.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { isLoopbackUrl } from '../transport/loopback.ts';
import type { A2aInbox } from './a2a-inbox.ts';
import { loopbackFetch } from './a2a-loopback-fetch.ts';
import { type AgentSurvey, surveyOf } from './a2a-survey.ts';
import { answerText } from './a2a-text.ts';
import { shorten } from './content-text.ts';
import type { CallOutcome } from './mcp-server.ts';

export interface RemoteAgentOptions {
  readonly cardUrl: string;
  readonly timeoutMs: number;
  /** Where it can say more of a task later. */
  inbox(): Promise<A2aInbox>;
}

const fetchImpl = loopbackFetch;
const factory = new ClientFactory({
  transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
});
const mostItems = 1_000;
const pushMs = 2_000;
const failedStates: ReadonlySet<Value | undefined> = new Set(['failed', 'rejected', 'canceled']);
const openStates: ReadonlySet<Value | undefined> = new Set(['submitted', 'working']);

/** An agent that another one asks, through the official client. What it does wrong is an outcome, never thrown. */
export class RemoteAgent {
  readonly #options: RemoteAgentOptions;
  #contact: { readonly client: Client; readonly card: ValueMap } | undefined;
  #contextId: string | undefined;

  constructor(options: RemoteAgentOptions) {
    this.#options = options;
  }

  /** Reads the card anew each time: it may have changed. */
  async survey(signal: AbortSignal): Promise<AgentSurvey> {
    const { cardUrl, timeoutMs } = this.#options;
    const nobody = { cardUrl, name: 'agent', description: '' };
    try {
      const limit = within(timeoutMs, signal);
      const resolver = new DefaultAgentCardResolver({
        fetchImpl: (input, init) => loopbackFetch(input, { ...init, signal: limit }),
      });
      const card = await resolver.resolve(cardUrl, '');
      if (!isValueMap(card)) return { ...nobody, failure: 'has no card' };
      this.#contact = { card, client: await factory.createFromAgentCard(reachable(card, cardUrl)) };
      return surveyOf(cardUrl, card);
    } catch {
      return { ...nobody, failure: 'could not be reached' };
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
    const contact = this.#contact;
    if (contact === undefined) return [{ status: 'failed', message: 'the agent cannot be reached' }];
    const { client, card } = contact;
    const capabilities = isValueMap(card.capabilities) ? card.capabilities : {};
    const expected =
      capabilities.pushNotifications === true ? (await this.#options.inbox()).expect(pushMs) : undefined;
    const params = this.#params(text, expected?.config as PushNotificationConfig | undefined);
    try {
      const answers =
        capabilities.streaming === true
          ? await collect(client.sendMessageStream(params, { signal }))
          : [(await client.sendMessage(params, { signal })) as unknown as Value];
      const last = answers.at(-1);
      if (isValueMap(last) && typeof last.contextId === 'string') this.#contextId = last.contextId;
      const later = openStates.has(stateIn(last)) ? await expected?.said : undefined;
      return later === undefined ? withoutRepeats(answers) : [...withoutRepeats(answers), unwrapped(later)];
    } finally {
      expected?.stop();
    }
  }

  #params(text: string, pushNotificationConfig: PushNotificationConfig | undefined): MessageSendParams {
    const message: Message = {
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

/** A card that points away from this machine is taken for one of whoever served it. */
function reachable(card: ValueMap, cardUrl: string): AgentCard {
  const { url, preferredTransport } = card;
  const isHere = typeof url === 'string' && isLoopbackUrl(url);
  const here = { url: isHere ? url : new URL('/', cardUrl).href, additionalInterfaces: [] };
  const transport = isHere && preferredTransport === 'HTTP+JSON' ? 'HTTP+JSON' : 'JSONRPC';
  const capabilities = isValueMap(card.capabilities) ? card.capabilities : {};
  return { ...card, ...here, preferredTransport: transport, capabilities } as unknown as AgentCard;
}

async function collect(stream: AsyncIterable<unknown>): Promise<readonly Value[]> {
  const items: Value[] = [];
  for await (const item of stream) {
    items.push(item as Value);
    if (items.length >= mostItems || (isValueMap(item) && item.final === true)) break;
  }
  return items;
}

/** Updates repeat what the task has said; each thing is read once. */
function withoutRepeats(answers: readonly Value[]): readonly Value[] {
  const texts = answers.map(answerText);
  return answers.filter((answer, index) => {
    const said = texts[index] ?? '';
    const isRepeat = texts.some((other, place) => place < index && other.includes(said));
    return index === answers.length - 1 || !isRepeat || stateIn(answer) !== undefined;
  });
}

/** A push notification wraps what it is about. */
function unwrapped(said: Value): Value {
  if (!isValueMap(said)) return said;
  return (
    said.task ??
    said.statusUpdate ??
    said.artifactUpdate ??
    (said.status === undefined ? (said.message ?? said) : said)
  );
}

/** Called off by whoever asked, or when the time is over. */
function within(ms: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}
