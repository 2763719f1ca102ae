import type { Answer, Incoming } from '../../engine/messages.ts';
import type { Transport } from '../../engine/ports.ts';
import type { Protocol } from '../../model/enumerations.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import { mcp2026, mcp2026Error, questionableMethods } from '../../registry/mcp-2026.ts';
import type { Question, Recording } from './exchange.ts';
import { type AskedPeer, openPeer } from './peer.ts';
import { unwrapped } from './unwrapped.ts';

// Between an agent and a server: what the one asks, the other answers, and all of it is recorded.

interface Options {
  readonly protocol: Protocol;
  /** Where the agent comes in. */
  readonly door: Transport;
  /** To the server. */
  readonly server: Transport;
  readonly recording: Recording;
  readonly answerMs: number;
}

export interface Relay {
  /** Where the agent finds it. */
  readonly url: string;
  close(): Promise<void>;
}

export async function openRelay({ protocol, door, server, recording, answerMs }: Options): Promise<Relay> {
  let url = '';
  let asked = 0;
  const questions = new Map<string, string>();
  /** What the agent has asked and the server has not answered yet. */
  const open = new Map<string, { readonly method: string; readonly questions: Question[] }>();

  /** The one call that a question can belong to: no transport of before 2026-07-28 says which one it does. */
  function callOf(question: Question): string | undefined {
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
      if (message.kind === 'notification') return door.notify('every session', method, params, () => {});
      asked += 1;
      const ask = `relayed-${asked}`;
      questions.set(ask, message.exchange);
      const exchange = callOf({ method, params });
      door.ask(exchange === undefined ? 'every session' : { exchange }, ask, method, params, () => {});
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

  async function serve({
    exchange,
    method,
    params,
    era,
  }: Extract<Incoming, { kind: 'request' }>): Promise<void> {
    if (era === mcp2026) {
      const error = {
        code: mcp2026Error.unsupportedVersion,
        message: 'Unsupported protocol version',
        data: { supported: ['2025-11-25'] },
      };
      return door.answer(exchange, { kind: 'error', error }, () => {});
    }
    const parts: Value[] = [];
    const call = { method, questions: [] as Question[] };
    open.set(exchange, call);
    const reply = await peer.follow(method, params, (part) => {
      parts.push(part);
      door.part?.(exchange, part, () => {});
    });
    open.delete(exchange);
    const asks = call.questions.length > 0 && { questions: call.questions };
    if (reply.kind === 'result')
      recording.add({ method, params, result: wholeOf(parts, reply.result), ...asks });
    else if (reply.kind === 'error')
      recording.add({ method, params, result: reply.error, failed: true, ...asks });
    else recording.leftOut.add(`${method} was not answered: ${reply.reason}`);
    const answer =
      reply.kind === 'silent'
        ? ({ kind: 'error', error: { code: -32603, message: reply.reason } } as const)
        : method === 'initialize'
          ? inTheirVersion(reply, params)
          : withSessions(reply);
    door.answer(
      exchange,
      protocol === 'a2a' && method === 'agent_card/get' ? ourCard(answer, url) : answer,
      () => {},
    );
  }

  ({ url } = await door.open(hear));
  return {
    url,
    async close() {
      await door.close();
      await closeQuietly(peer);
    },
  };
}

/** The agent has shaken hands, so it is answered in a version that has handshakes. */
function inTheirVersion(answer: Answer, params: Value | undefined): Answer {
  if (answer.kind !== 'result' || !isValueMap(answer.result)) return answer;
  const { protocolVersion } = answer.result;
  const asked = isValueMap(params) ? params.protocolVersion : undefined;
  return protocolVersion !== mcp2026 || asked === undefined
    ? answer
    : { kind: 'result', result: { ...answer.result, protocolVersion: asked } };
}

/** What a server without sessions says beside its answers means nothing to an agent that has one. */
function withSessions(answer: Answer): Answer {
  return answer.kind === 'result' ? { kind: 'result', result: unwrapped(answer.result) } : answer;
}

/** A stream begins with the task; what came later has changed it. */
function wholeOf(parts: readonly Value[], last: Value): Value {
  return parts.find((part) => isValueMap(part) && part.kind === 'task') ?? last;
}

/** The agent has to come back to us. */
function ourCard(answer: Answer, url: string): Answer {
  if (answer.kind !== 'result' || !isValueMap(answer.result)) return answer;
  const { additionalInterfaces: _more, supportedInterfaces: _all, ...card } = answer.result;
  return { kind: 'result', result: { ...card, url, preferredTransport: 'JSONRPC' } };
}

async function closeQuietly(peer: AskedPeer): Promise<void> {
  await peer.close();
}
