import type { Incoming } from '../../engine/messages.ts';
import type { Transport } from '../../engine/ports.ts';
import type { Protocol } from '../../model/enumerations.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import { mcp2026, mcp2026Error } from '../../registry/mcp-2026.ts';
import type { Recording } from './exchange.ts';
import { type AskedPeer, openPeer } from './peer.ts';

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
  const peer = await openPeer({
    transport: server,
    answerMs,
    other(message) {
      if (message.kind === 'notification')
        return door.notify('every session', message.method, message.params, () => {});
      asked += 1;
      const ask = `relayed-${asked}`;
      questions.set(ask, message.exchange);
      recording.leftOut.add(`the server asks ${message.method}, which is not written into the document`);
      door.ask('every session', ask, message.method, message.params, () => {});
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
    const reply = await peer.follow(method, params, (part) => {
      parts.push(part);
      door.part?.(exchange, part, () => {});
    });
    if (reply.kind === 'result') recording.add({ method, params, result: wholeOf(parts, reply.result) });
    else recording.leftOut.add(`${method} was answered with an error or not at all`);
    const answer =
      reply.kind === 'silent'
        ? ({ kind: 'error', error: { code: -32603, message: reply.reason } } as const)
        : reply;
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

/** A stream begins with the task; what came later has changed it. */
function wholeOf(parts: readonly Value[], last: Value): Value {
  return parts.find((part) => isValueMap(part) && part.kind === 'task') ?? last;
}

/** The agent has to come back to us. */
function ourCard(
  answer: Parameters<Transport['answer']>[1],
  url: string,
): Parameters<Transport['answer']>[1] {
  if (answer.kind !== 'result' || !isValueMap(answer.result)) return answer;
  const { additionalInterfaces: _more, supportedInterfaces: _all, ...card } = answer.result;
  return { kind: 'result', result: { ...card, url, preferredTransport: 'JSONRPC' } };
}

async function closeQuietly(peer: AskedPeer): Promise<void> {
  await peer.close();
}
