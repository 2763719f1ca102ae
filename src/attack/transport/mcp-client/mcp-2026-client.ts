import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { addMeta, mcp2026, metaKey } from '../../../format/registry/mcp-2026.ts';
import type { Answer, Incoming, Sending } from '../../engine/actor-messages.ts';
import type { Sent, Transport } from '../../engine/ports.ts';
import type { McpReceive } from './mcp-client-options.ts';
import { EraOpening, type OpeningOptions, reportEra2026 } from './opening.ts';
import { createNextPageParams, createUnaskedAnswer, isMissingHeaders, type ToolListing } from './tool-headers.ts';

// The client side of MCP since 2026-07-28. The actor sees a handshake and requests from the server, as before. On the
// wire there is `server/discover`, and a server asks within its answers.

/** The official clients repeat a call ten times. */
const mostRounds = 10;

interface McpCall {
  /** The key by which the actor knows the call. */
  readonly ask: string;
  readonly method: string;
  readonly params: Value | undefined;
  readonly rounds: number;
  readonly how?: Sending | undefined;
  /** Fields that are added to the params: the answers to questions. */
  readonly more?: ValueMap;
  /** True when the call is repeated with the headers that the list of tools asks for. */
  readonly hasListed?: true;
  /** True when the call replaces the actor's handshake. */
  readonly isOpening?: true;
}

/** A call whose answer contains questions. */
interface QuestionedCall {
  readonly session: string;
  readonly call: McpCall;
  readonly interim: Answer;
  readonly requestState: Value | undefined;
  readonly missing: Set<string>;
  readonly responses: { [key: string]: Value };
}

type Ask = Parameters<Transport['ask']>;

interface SpeakingOptions extends Pick<OpeningOptions, 'era' | 'probeMs' | 'isVersionWritten'> {
  /** Whether requests carry headers that repeat their params. */
  readonly hasHeaders: boolean;
}

type Open = (receive: McpReceive) => Transport | Promise<Transport>;

/** Opens a connection that speaks either era. */
export async function openInEra(spoken: SpeakingOptions, receive: McpReceive, open: Open): Promise<Transport> {
  if (spoken.era === 'legacy') return open(receive);
  const client = new Mcp2026Client(spoken, receive, open);
  await client.connect();
  return client.transport;
}

class Mcp2026Client {
  readonly #receive: McpReceive;
  readonly #open: Open;
  readonly #opening: EraOpening;
  #inner: Transport | undefined;
  /** The number of connections so far; messages of an earlier connection are ignored. */
  #connections = 0;
  #isModern = false;
  #introduction: ValueMap = {};
  /** Calls in flight, by the id under which they went out. */
  readonly #calls = new Map<string, McpCall>();
  readonly #questions = new Map<string, { readonly of: QuestionedCall; readonly key: string }>();
  readonly #listings = new Map<string, ToolListing<McpCall>>();
  readonly #hasHeaders: boolean;
  #last = 0;

  constructor({ hasHeaders, ...spoken }: SpeakingOptions, receive: McpReceive, open: Open) {
    this.#hasHeaders = hasHeaders;
    this.#receive = receive;
    this.#open = open;
    this.#opening = new EraOpening({
      ...spoken,
      receive,
      discover: ({ ask }, sent) =>
        this.#call({ ask, method: 'server/discover', params: undefined, rounds: 0, isOpening: true }, {}, sent),
      shakeHands: ({ ask, params, sent }) => {
        const shake = (): void => this.#inner?.ask('every session', ask, 'initialize', params, sent);
        // An older program may have exited because of a request that it does not know.
        if (this.#inner?.isConnected() === false && this.#calls.size === 0 && this.#hasAsked)
          void this.#connectAgain().then(shake);
        else shake();
      },
      discovered: (capabilities) => {
        this.#isModern = true;
        this.#listen(capabilities);
      },
    });
  }

  async connect(): Promise<void> {
    this.#connections += 1;
    const own = this.#connections;
    this.#inner = await this.#open((message) => {
      if (own === this.#connections) this.#hear(message);
    });
  }

  async #connectAgain(): Promise<void> {
    const before = this.#inner;
    const connected = this.connect();
    await before?.close();
    await connected;
  }

  get #hasAsked(): boolean {
    return this.#last > 0;
  }

  get transport(): Transport {
    return {
      open: async (receive) => (await this.#inner?.open(receive)) ?? { url: '' },
      openSessions: () => this.#inner?.openSessions() ?? 0,
      isConnected: () => this.#inner?.isConnected() ?? false,
      close: async () => {
        this.#opening.close();
        await this.#inner?.close();
      },
      ask: (...ask) => this.#ask(ask),
      notify: (target, method, params, sent, how) => {
        if (!this.#isModern) this.#inner?.notify(target, method, params, sent, how);
        // There was no handshake, so the notification that would end it is not sent.
        else if (method !== 'notifications/initialized')
          this.#inner?.notify(target, method, this.#withMeta(params), reportEra2026(sent), how);
      },
      answer: (exchange, answer, sent) => {
        const question = this.#questions.get(exchange);
        if (question === undefined) this.#inner?.answer(exchange, answer, sent);
        else this.#answer(exchange, question, answer, sent);
      },
    };
  }

  #ask([target, ask, method, params, sent, how]: Ask): void {
    if (method === 'initialize') {
      this.#introduction = isValueMap(params) ? params : {};
      this.#opening.begin({ ask, params, sent });
    } else if (!this.#isModern) this.#inner?.ask(target, ask, method, params, sent, how);
    else this.#call({ ask, method, params, rounds: 0, how }, {}, reportEra2026(sent));
  }

  #call(call: McpCall, more: ValueMap, sent: Sent = () => {}): void {
    this.#last += 1;
    // The first time, a call goes out under the actor's own key, so that the record shows the id on the wire.
    const isFirst = call.rounds === 0 && !call.isOpening && !call.hasListed;
    const key = isFirst ? call.ask : `${call.ask}.${this.#last}`;
    this.#calls.set(key, { ...call, more });
    const { method, params } = call;
    const full = Object.keys(more).length === 0 ? params : { ...(isValueMap(params) && params), ...more };
    this.#inner?.ask('every session', key, method, this.#withMeta(full), sent, call.how);
  }

  /** Adds the metadata that every request carries. */
  #withMeta(params: Value | undefined): Value {
    const { capabilities = {}, clientInfo = {} } = this.#introduction;
    return addMeta(params, {
      [metaKey.protocolVersion]: this.#opening.version,
      [metaKey.clientInfo]: clientInfo,
      [metaKey.clientCapabilities]: capabilities,
    });
  }

  #hear(message: Incoming): void {
    if (message.kind === 'answer') this.#hearAnswer(message);
    else if (message.kind === 'end') this.#hearEnd(message);
    // An older server that does not know `server/discover` may answer in any form; that is not an effect of the attack.
    else if (message.kind === 'malformed' && this.#opening.isProbing)
      this.#receive({ kind: 'log', level: 'info', message: `to server/discover: ${message.reason}` });
    else if (this.#isModern && (message.kind === 'request' || message.kind === 'notification'))
      this.#receive({ ...message, era: mcp2026 });
    else this.#receive(message);
  }

  /** Forgets a request that is over. Returns the call or the listing that it was made for. */
  #take(ask: string): { readonly call: McpCall | undefined; readonly listing: ToolListing<McpCall> | undefined } {
    const call = this.#calls.get(ask);
    this.#calls.delete(ask);
    const listing = this.#listings.get(ask);
    this.#listings.delete(ask);
    return { call, listing };
  }

  #hearAnswer(message: Extract<Incoming, { kind: 'answer' }>): void {
    const { ask } = message;
    const { call, listing } = this.#take(ask);
    if (listing !== undefined) this.#hearList(message, listing);
    else if (call?.isOpening) this.#opening.hearDiscovered(message);
    else if (call !== undefined) this.#hearResult(message, call);
    else if (this.#opening.isOf(ask)) {
      if (this.#opening.hearHandshake(message)) this.#receive(message);
    } else if (!isOwn(ask)) this.#receive(message);
  }

  /** Opens a stream for the notifications that the server says it sends. */
  #listen(capabilities: Value): void {
    const offers = (key: string): boolean => {
      const offered = isValueMap(capabilities) ? capabilities[key] : undefined;
      return isValueMap(offered) && offered.listChanged === true;
    };
    const wanted = ['tools', 'prompts', 'resources'].filter(offers);
    if (wanted.length === 0) return;
    const notifications = Object.fromEntries(wanted.map((key) => [`${key}ListChanged`, true]));
    const params = this.#withMeta({ notifications });
    this.#inner?.ask('every session', ownAsk, 'subscriptions/listen', params, () => {});
  }

  #learnHeaders(listing: ToolListing<McpCall>, params: ValueMap = {}): void {
    this.#last += 1;
    const ask = `${listing.call.ask}.${this.#last}`;
    this.#listings.set(ask, { ...listing, pages: listing.pages + 1 });
    this.#inner?.ask('every session', ask, 'tools/list', this.#withMeta(params), () => {});
  }

  #hearList(message: Extract<Incoming, { kind: 'answer' }>, listing: ToolListing<McpCall>): void {
    const { call, pages } = listing;
    this.#receive(createUnaskedAnswer(message, 'tools/list', 'it was asked for to learn which headers a call wants'));
    const cursor = createNextPageParams(call.params, message, pages);
    if (cursor === undefined) this.#call({ ...call, hasListed: true }, call.more ?? {});
    else this.#learnHeaders(listing, { cursor });
  }

  #hearResult(message: Extract<Incoming, { kind: 'answer' }>, call: McpCall): void {
    const { answer, session } = message;
    if (this.#hasHeaders && !call.hasListed && isMissingHeaders(call, answer)) {
      this.#receive(createUnaskedAnswer(message, call.method, 'the call is repeated with the headers that it lacks'));
      this.#learnHeaders({ call, refusal: message, pages: 0 });
      return;
    }
    const asked = readQuestions(answer);
    if (asked === undefined || call.rounds >= mostRounds) {
      this.#receive({ ...message, ask: call.ask, era: mcp2026 });
      return;
    }
    const missing = new Set(Object.keys(asked.requests));
    const of: QuestionedCall = {
      session,
      call,
      interim: answer,
      requestState: asked.requestState,
      missing,
      responses: {},
    };
    if (missing.size === 0) this.#repeat(of);
    for (const [key, { method, params }] of Object.entries(asked.requests)) {
      this.#last += 1;
      const exchange = `question ${this.#last}`;
      this.#questions.set(exchange, { of, key });
      this.#receive({ kind: 'request', session, exchange, method, id: key, params, era: mcp2026 });
    }
  }

  /**
   * Keeps an answer of ours until the others are there. If one is an error, the call ends with the server's interim
   * answer.
   */
  #answer(
    exchange: string,
    { of, key }: { readonly of: QuestionedCall; readonly key: string },
    answer: Answer,
    sent: () => void,
  ): void {
    this.#questions.delete(exchange);
    if (!of.missing.delete(key)) return;
    sent();
    if (answer.kind === 'result') of.responses[key] = answer.result;
    if (of.missing.size > 0) return;
    const asked = Object.keys(readQuestions(of.interim)?.requests ?? {});
    if (asked.every((each) => Object.hasOwn(of.responses, each))) this.#repeat(of);
    else
      this.#receive({
        kind: 'answer',
        session: of.session,
        ask: of.call.ask,
        answer: of.interim,
        era: mcp2026,
      });
  }

  #repeat({ call, requestState, responses }: QuestionedCall): void {
    const hasResponses = Object.keys(responses).length > 0;
    // The rule for the call was applied the first time.
    const { order: _, ...how } = call.how ?? {};
    this.#call(
      { ...call, how, rounds: call.rounds + 1 },
      {
        ...(hasResponses && { inputResponses: { ...responses } }),
        ...(requestState !== undefined && { requestState }),
      },
    );
  }

  #hearEnd(message: Extract<Incoming, { kind: 'end' }>): void {
    const { ask } = message;
    const { call, listing } = this.#take(ask);
    if (listing !== undefined) this.#receive({ ...listing.refusal, ask: listing.call.ask, era: mcp2026 });
    else if (call?.isOpening) this.#opening.hearEnd(message);
    else if (call !== undefined) this.#receive({ ...message, ask: call.ask });
    else if (!isOwn(ask)) this.#receive(message);
  }
}

/** The key of a request that the actor did not make. */
const ownAsk = 'the stream of notifications';

function isOwn(ask: string): boolean {
  return ask === ownAsk;
}

interface AskedQuestions {
  readonly requests: {
    readonly [key: string]: { readonly method: string; readonly params: Value | undefined };
  };
  readonly requestState: Value | undefined;
}

function readQuestions(answer: Answer): AskedQuestions | undefined {
  if (answer.kind !== 'result' || !isValueMap(answer.result)) return undefined;
  const { resultType, inputRequests = {}, requestState } = answer.result;
  if (resultType !== 'input_required' || !isValueMap(inputRequests)) return undefined;
  const requests = Object.entries(inputRequests).flatMap(([key, entry]) =>
    isValueMap(entry) && typeof entry.method === 'string'
      ? [[key, { method: entry.method, params: entry.params }] as const]
      : [],
  );
  return { requests: Object.fromEntries(requests), requestState };
}
