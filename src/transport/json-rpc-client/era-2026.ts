import type { Answer, Incoming } from '../../engine/messages.ts';
import type { Sent, Transport } from '../../engine/ports.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { mcp2026, mcp2026Error, metaKey } from '../../registry/mcp-2026.ts';
import type { Receive } from './options.ts';

// MCP since 2026-07-28, the client's side. To the actor there is a handshake and there are questions, as before; on the
// wire there is `server/discover`, and a server asks within its answers.

/** The era in which a server is spoken to; `both` shakes hands, and goes on without a session where that is refused. */
export type SpokenEra = 'legacy' | 'modern' | 'both';

/** Errors of a server that knows no handshake. */
const knowsNoHandshake: ReadonlySet<unknown> = new Set([mcp2026Error.unsupportedVersion, -32601]);

/** The official clients repeat a call ten times. */
const mostRounds = 10;

interface Call {
  /** What the actor knows it by. */
  readonly ask: string;
  readonly method: string;
  readonly params: Value | undefined;
  readonly rounds: number;
}

/** A call whose answer asks for something. */
interface Questioned {
  readonly session: string;
  readonly call: Call;
  readonly interim: Answer;
  readonly requestState: Value | undefined;
  readonly missing: Set<string>;
  readonly responses: { [key: string]: Value };
}

type Ask = Parameters<Transport['ask']>;

/** Opens a connection that speaks either era. */
export async function openInEra(
  era: SpokenEra,
  receive: Receive,
  open: (receive: Receive) => Transport | Promise<Transport>,
): Promise<Transport> {
  if (era === 'legacy') return open(receive);
  const client = new Era2026(era, receive);
  const inner = await open((message) => client.hear(message));
  return client.speakThrough(inner);
}

class Era2026 {
  readonly #receive: Receive;
  readonly #isForced: boolean;
  #inner: Transport | undefined;
  #isModern = false;
  #version: string = mcp2026;
  #introduction: ValueMap = {};
  #handshake: { readonly ask: string; readonly refusal?: Incoming } | undefined;
  /** What went out under a name of our own. */
  readonly #calls = new Map<string, Call>();
  readonly #questions = new Map<string, { readonly of: Questioned; readonly key: string }>();
  #last = 0;

  constructor(era: SpokenEra, receive: Receive) {
    this.#isForced = era === 'modern';
    this.#receive = receive;
  }

  speakThrough(inner: Transport): Transport {
    this.#inner = inner;
    return {
      ...inner,
      ask: (...ask) => this.#ask(ask),
      notify: (target, method, params, sent) => {
        if (!this.#isModern) inner.notify(target, method, params, sent);
        // It is the end of a handshake that there was not.
        else if (method !== 'notifications/initialized')
          inner.notify(target, method, this.#withMeta(params), inEra(sent));
      },
      answer: (exchange, answer, sent) => {
        const question = this.#questions.get(exchange);
        if (question === undefined) inner.answer(exchange, answer, sent);
        else this.#answer(exchange, question, answer, sent);
      },
    };
  }

  #ask([target, ask, method, params, sent]: Ask): void {
    if (method === 'initialize') {
      this.#introduction = isValueMap(params) ? params : {};
      this.#handshake = { ask };
      if (!this.#isForced) this.#inner?.ask(target, ask, method, params, sent);
      else this.#discover(inEra(sent));
    } else if (!this.#isModern) this.#inner?.ask(target, ask, method, params, sent);
    else this.#call({ ask, method, params, rounds: 0 }, {}, inEra(sent));
  }

  #discover(sent: Sent = () => {}): void {
    const ask = this.#handshake?.ask ?? '';
    this.#call({ ask, method: 'server/discover', params: undefined, rounds: 0 }, {}, sent);
  }

  #call(call: Call, more: ValueMap, sent: Sent = () => {}): void {
    this.#last += 1;
    // Under the actor's own name the first time, so that the record shows what is on the wire.
    const key =
      call.rounds === 0 && call.method !== 'server/discover' ? call.ask : `${call.ask}.${this.#last}`;
    this.#calls.set(key, call);
    const { method, params } = call;
    const full = Object.keys(more).length === 0 ? params : { ...(isValueMap(params) && params), ...more };
    this.#inner?.ask('every session', key, method, this.#withMeta(full), sent);
  }

  /** What every request says of itself. The document's own keys stay as they are. */
  #withMeta(params: Value | undefined): Value {
    if (params !== undefined && params !== null && !isValueMap(params)) return params;
    const { capabilities = {}, clientInfo = {} } = this.#introduction;
    const written = params?._meta ?? {};
    if (!isValueMap(written)) return params ?? {};
    const meta = {
      [metaKey.protocolVersion]: this.#version,
      [metaKey.clientInfo]: clientInfo,
      [metaKey.clientCapabilities]: capabilities,
    };
    return { ...params, _meta: { ...meta, ...written } };
  }

  hear(message: Incoming): void {
    if (message.kind === 'answer') this.#hearAnswer(message);
    else if (message.kind === 'end') this.#hearEnd(message);
    else if (this.#isModern && (message.kind === 'request' || message.kind === 'notification'))
      this.#receive({ ...message, era: mcp2026 });
    else this.#receive(message);
  }

  #hearAnswer(message: Extract<Incoming, { kind: 'answer' }>): void {
    const { ask, answer } = message;
    const call = this.#calls.get(ask);
    this.#calls.delete(ask);
    if (call?.method === 'server/discover') this.#hearDiscovered(message, call);
    else if (call !== undefined) this.#hearResult(message, call);
    else if (ask === this.#handshake?.ask && isRefusedHandshake(answer)) {
      this.#handshake = { ask, refusal: message };
      this.#discover();
    } else if (!isOwn(ask)) this.#receive(message);
  }

  /** The answer stands for that to the handshake. */
  #hearDiscovered(message: Extract<Incoming, { kind: 'answer' }>, call: Call): void {
    const { answer, session } = message;
    const refusal = this.#handshake?.refusal;
    const other = otherVersion(answer);
    if (other !== undefined && call.rounds === 0) {
      this.#version = other;
      this.#call({ ...call, rounds: 1 }, {});
      return;
    }
    if (answer.kind === 'error' || !isValueMap(answer.result)) {
      this.#receive(refusal ?? { ...message, ask: call.ask });
      return;
    }
    this.#isModern = true;
    if (refusal !== undefined)
      this.#receive({
        kind: 'log',
        session,
        level: 'info',
        message: `it knows no handshake, so it is spoken to in MCP ${this.#version}`,
      });
    const { capabilities = {}, instructions, _meta } = answer.result;
    const serverInfo = isValueMap(_meta) ? _meta[metaKey.serverInfo] : undefined;
    const result = {
      protocolVersion: this.#version,
      capabilities,
      ...(serverInfo !== undefined && { serverInfo }),
      ...(instructions !== undefined && { instructions }),
    };
    this.#receive({ ...message, ask: call.ask, answer: { kind: 'result', result }, era: mcp2026 });
    this.#listen(capabilities);
  }

  /** A stream for whatever the server says that it may say by itself. */
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

  #hearResult(message: Extract<Incoming, { kind: 'answer' }>, call: Call): void {
    const { answer, session } = message;
    const asked = questionsIn(answer);
    if (asked === undefined || call.rounds >= mostRounds) {
      this.#receive({ ...message, ask: call.ask, era: mcp2026 });
      return;
    }
    const missing = new Set(Object.keys(asked.requests));
    const of: Questioned = {
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

  /** An answer of ours waits for the others. Where one is refused, the call ends with what it was answered with. */
  #answer(
    exchange: string,
    { of, key }: { readonly of: Questioned; readonly key: string },
    answer: Answer,
    sent: () => void,
  ): void {
    this.#questions.delete(exchange);
    if (!of.missing.delete(key)) return;
    sent();
    if (answer.kind === 'result') of.responses[key] = answer.result;
    if (of.missing.size > 0) return;
    const asked = Object.keys(questionsIn(of.interim)?.requests ?? {});
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

  #repeat({ call, requestState, responses }: Questioned): void {
    const hasResponses = Object.keys(responses).length > 0;
    this.#call(
      { ...call, rounds: call.rounds + 1 },
      {
        ...(hasResponses && { inputResponses: { ...responses } }),
        ...(requestState !== undefined && { requestState }),
      },
    );
  }

  #hearEnd(message: Extract<Incoming, { kind: 'end' }>): void {
    const { ask } = message;
    const call = this.#calls.get(ask);
    this.#calls.delete(ask);
    if (call?.method === 'server/discover' && this.#handshake?.refusal !== undefined)
      this.#receive(this.#handshake.refusal);
    else if (call !== undefined) this.#receive({ ...message, ask: call.ask });
    else if (!isOwn(ask)) this.#receive(message);
  }
}

/** The name of what the actor did not ask for. */
const ownAsk = 'the stream of notifications';

function isOwn(ask: string): boolean {
  return ask === ownAsk;
}

function inEra(sent: Sent): Sent {
  return (session) => sent(session, mcp2026);
}

function isRefusedHandshake(answer: Answer): boolean {
  return answer.kind === 'error' && isValueMap(answer.error) && knowsNoHandshake.has(answer.error.code);
}

/** A version without sessions that a server names in place of ours. */
function otherVersion(answer: Answer): string | undefined {
  if (answer.kind !== 'error' || !isValueMap(answer.error)) return undefined;
  const { code, data } = answer.error;
  if (code !== mcp2026Error.unsupportedVersion || !isValueMap(data) || !Array.isArray(data.supported))
    return undefined;
  return data.supported.find((each): each is string => typeof each === 'string' && each > mcp2026);
}

interface Asked {
  readonly requests: {
    readonly [key: string]: { readonly method: string; readonly params: Value | undefined };
  };
  readonly requestState: Value | undefined;
}

function questionsIn(answer: Answer): Asked | undefined {
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
