import type { Transport } from '../engine/ports.ts';

type Receive = Parameters<Transport['open']>[0];

/** A transport that is chosen when it is opened, because its peer is not known before. */
export function createDeferredTransport(choose: (receive: Receive) => Transport | Promise<Transport>): Transport {
  let chosen: Transport | undefined;
  return {
    async open(receive) {
      chosen = await choose(receive);
      return chosen.open(receive);
    },
    answer: (exchange, answer, sent) => chosen?.answer(exchange, answer, sent),
    notify: (...message) => chosen?.notify(...message),
    ask: (...message) => chosen?.ask(...message),
    openSessions: () => chosen?.openSessions() ?? 0,
    isConnected: () => chosen?.isConnected() ?? false,
    close: async () => chosen?.close(),
  };
}

/**
 * The parts of a client that neither answers nor sends notifications: all that it sends are requests. It is connected
 * while any of them is open.
 */
export function createAskingParts(open: {
  readonly size: number;
}): Pick<Transport, 'answer' | 'notify' | 'openSessions' | 'isConnected'> {
  return { answer: () => {}, notify: () => {}, openSessions: () => open.size, isConnected: () => open.size > 0 };
}
