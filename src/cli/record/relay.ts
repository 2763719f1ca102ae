import type { Answer, Incoming } from '../../attack/engine/actor-messages.ts';
import type { Transport } from '../../attack/engine/ports.ts';
import type { Protocol } from '../../format/model/enumeration-types.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { mcp2026, questionableMethods } from '../../format/registry/mcp-2026.ts';
import { openPeer } from './asked-peer.ts';
import type { RecordedQuestion, Recording } from './recorded-exchange.ts';
import {
  createDiscovery,
  createHandshake,
  dropCallerMeta,
  unwrapSessionless,
  wrapSessionless,
} from './without-session.ts';

// Relays between an agent and a server, and records every request and answer.

interface Options {
  readonly protocol: Protocol;
  readonly agentSide: Transport;
  readonly server: Transport;
  readonly recording: Recording;
  readonly answerMs: number;
}

type Request = Extract<Incoming, { kind: 'request' }>;

export interface Relay {
  /** The address for the agent. */
  readonly url: string;
  close(): Promise<void>;
}

export async function openRelay({ protocol, agentSide, server, recording, answerMs }: Options): Promise<Relay> {
  let url = '';
  let asked = 0;
  const questions = new Map<string, string>();
  /** Requests of the agent that the server has not answered yet. */
  const open = new Map<string, { readonly method: string; readonly questions: RecordedQuestion[] }>();

  /** The only open call that a question can belong to: before 2026-07-28 no transport says which call it is. */
  function assignQuestion(question: RecordedQuestion): string | undefined {
    const calls = [...open].filter(([, { method }]) => questionableMethods.has(method));
    const [[exchange, call] = []] = calls;
    if (calls.length !== 1 || call === undefined)
      recording.leftOut.add(
        `the server asks ${question.method} while ${calls.length === 0 ? 'no call' : 'more than one call'} is open`,
      );
    else call.questions.push(question);
    return exchange;
  }

  const peer = await openPeer({
    transport: server,
    answerMs,
    other(message) {
      const { method, params } = message;
      if (message.kind === 'notification') return agentSide.notify('every session', method, params, () => {});
      asked += 1;
      const ask = `relayed-${asked}`;
      questions.set(ask, message.exchange);
      const exchange = assignQuestion({ method, params });
      agentSide.ask(exchange === undefined ? 'every session' : { exchange }, ask, method, params, () => {});
    },
  });
  const hear = (message: Incoming): void => {
    if (message.kind === 'request') void serve(message);
    else if (message.kind === 'notification') peer.notify(message.method, message.params);
    else if (message.kind === 'answer') {
      const exchange = questions.get(message.ask);
      if (exchange !== undefined) peer.answer(exchange, message.answer);
    }
  };

  /** Passes a request to the server, and records the answer. */
  async function pass(exchange: string, method: string, params: Value | undefined): Promise<Answer> {
    const parts: Value[] = [];
    const call = { method, questions: [] as RecordedQuestion[] };
    open.set(exchange, call);
    const reply = await peer.follow(method, params, (part) => {
      parts.push(part);
      agentSide.part?.(exchange, part, () => {});
    });
    open.delete(exchange);
    const asks = call.questions.length > 0 && { questions: call.questions };
    if (reply.kind === 'result')
      recording.add({ method, params, result: findStreamTask(parts, reply.result), ...asks });
    else if (reply.kind === 'error') recording.add({ method, params, result: reply.error, failed: true, ...asks });
    else recording.leftOut.add(`${method} was not answered: ${reply.reason}`);
    return reply.kind === 'silent' ? { kind: 'error', error: { code: -32603, message: reply.reason } } : reply;
  }

  async function serve(message: Request): Promise<void> {
    const { exchange, method, params, era } = message;
    if (era === mcp2026) return serveWithoutSession(message);
    const answer = await pass(exchange, method, params);
    if (protocol === 'a2a')
      agentSide.answer(exchange, method === 'agent_card/get' ? redirectCard(answer, url) : answer, () => {});
    else
      agentSide.answer(
        exchange,
        method === 'initialize' ? restoreAgentVersion(answer, params) : dropSessionlessFields(answer),
        () => {},
      );
  }

  /** The server's introduction, requested once. */
  let opened: Promise<Answer> | undefined;

  async function introduce(exchange: string, params: Value | undefined): Promise<Answer> {
    const answer = await pass(exchange, 'initialize', createHandshake(params));
    peer.notify('notifications/initialized');
    return answer;
  }

  async function serveWithoutSession({ exchange, method, params }: Request): Promise<void> {
    opened ??= introduce(exchange, params);
    const opening = await opened;
    const server = opening.kind === 'result' && isValueMap(opening.result) ? opening.result : undefined;
    if (server === undefined) return agentSide.answer(exchange, opening, () => {});
    if (method === 'subscriptions/listen') {
      const { notifications = {} } = isValueMap(params) ? params : {};
      const heard = 'notifications/subscriptions/acknowledged';
      return agentSide.notify({ exchange }, heard, { notifications }, () => {});
    }
    const answer: Answer =
      method === 'server/discover'
        ? { kind: 'result', result: createDiscovery(server) }
        : await pass(exchange, method, dropCallerMeta(params));
    agentSide.answer(exchange, wrapSessionless(answer, method, server), () => {});
  }

  ({ url } = await agentSide.open(hear));
  return {
    url,
    async close() {
      await agentSide.close();
      await peer.close();
    },
  };
}

/** The agent used a handshake, so its answer names a version that has handshakes. */
function restoreAgentVersion(answer: Answer, params: Value | undefined): Answer {
  if (answer.kind !== 'result' || !isValueMap(answer.result)) return answer;
  const { protocolVersion } = answer.result;
  const asked = isValueMap(params) ? params.protocolVersion : undefined;
  return protocolVersion !== mcp2026 || asked === undefined
    ? answer
    : { kind: 'result', result: { ...answer.result, protocolVersion: asked } };
}

/** The fields that a server without sessions adds to its answers mean nothing to an agent with a session. */
function dropSessionlessFields(answer: Answer): Answer {
  return answer.kind === 'result' ? { kind: 'result', result: unwrapSessionless(answer.result) } : answer;
}

/** A stream begins with the task; later items update it. */
function findStreamTask(parts: readonly Value[], last: Value): Value {
  return parts.find((part) => isValueMap(part) && part.kind === 'task') ?? last;
}

/** Puts our address into the card, so that the agent comes back to us. */
function redirectCard(answer: Answer, url: string): Answer {
  if (answer.kind !== 'result' || !isValueMap(answer.result)) return answer;
  const { additionalInterfaces: _more, supportedInterfaces: _all, ...card } = answer.result;
  return { kind: 'result', result: { ...card, url, preferredTransport: 'JSONRPC' } };
}
