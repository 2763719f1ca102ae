import type { Answer, Incoming } from '../../attack/engine/actor-messages.ts';
import type { Transport } from '../../attack/engine/ports.ts';
import type { Value } from '../../format/model/value.ts';

export type PeerReply = Answer | { readonly kind: 'silent'; readonly reason: string };

/** A server that receives one request after another, over any transport. */
export interface AskedPeer {
  ask(method: string, params?: Value): Promise<PeerReply>;
  /** The same for a streamed answer, with its parts. */
  follow(method: string, params: Value | undefined, part: (content: Value) => void): Promise<PeerReply>;
  notify(method: string, params?: Value): void;
  /** Answers a question of the server. */
  answer(exchange: string, answer: Answer): void;
  close(): Promise<void>;
}

interface Options {
  readonly transport: Transport;
  /** The time limit for each answer. */
  readonly answerMs: number;
  /** Called with the reason when the server sends something that is not a message. */
  unread?(reason: string): void;
  /** Called for requests and notifications of the server. */
  other?(message: Extract<Incoming, { kind: 'request' | 'notification' }>): void;
}

interface Waiting {
  part(content: Value): void;
  settle(reply: PeerReply): void;
}

/** A request key only has to be unique here: transports frame it in their own way. */
let last = 0;

export async function openPeer({ transport, answerMs, unread, other }: Options): Promise<AskedPeer> {
  const waiting = new Map<string, Waiting>();
  const settle = (ask: string, reply: PeerReply): void => waiting.get(ask)?.settle(reply);
  const silent = (reason: string): PeerReply => ({ kind: 'silent', reason });

  await transport.open((message) => {
    switch (message.kind) {
      case 'answer':
        return settle(message.ask, message.answer);
      case 'part':
        return waiting.get(message.ask)?.part(message.part);
      case 'end':
        return settle(message.ask, silent(message.reason ?? 'it has ended without an answer'));
      case 'malformed':
        if (message.ask !== undefined)
          return settle(message.ask, silent(`the answer cannot be read: ${message.reason}`));
        return unread?.(message.reason);
      case 'refused':
        if (message.ask !== undefined)
          return settle(message.ask, silent(`the answer cannot be used: ${message.reason}`));
        return;
      case 'connection':
        if (message.event === 'closed')
          for (const ask of [...waiting.keys()]) settle(ask, silent('the connection has ended'));
        return;
      case 'request':
      case 'notification':
        return other?.(message);
      default:
        return;
    }
  });

  function follow(method: string, params: Value | undefined, part: (content: Value) => void): Promise<PeerReply> {
    last += 1;
    const key = `record-${last}`;
    return new Promise((resolve) => {
      const patience = setTimeout(() => settle(key, silent(`there was no answer in ${answerMs / 1000} s`)), answerMs);
      waiting.set(key, {
        part,
        settle(reply) {
          clearTimeout(patience);
          waiting.delete(key);
          resolve(reply);
        },
      });
      transport.ask('every session', key, method, params, () => {});
    });
  }

  return {
    ask: (method, params) => follow(method, params, () => {}),
    follow,
    notify: (method, params) => transport.notify('every session', method, params, () => {}),
    answer: (exchange, answer) => transport.answer(exchange, answer, () => {}),
    close: () => transport.close(),
  };
}
