import type { Transport } from '../engine/ports.ts';

type Receive = Parameters<Transport['open']>[0];

/** A transport that is chosen when it is opened: only then it is known who is at its other end. */
export function chosenLate(choose: (receive: Receive) => Transport | Promise<Transport>): Transport {
  let chosen: Transport | undefined;
  return {
    async open(receive) {
      chosen = await choose(receive);
      return chosen.open(receive);
    },
    answer: (exchange, answer, sent) => chosen?.answer(exchange, answer, sent),
    notify: (to, method, params, sent) => chosen?.notify(to, method, params, sent),
    ask: (to, ask, method, params, sent, older) => chosen?.ask(to, ask, method, params, sent, older),
    openSessions: () => chosen?.openSessions() ?? 0,
    isConnected: () => chosen?.isConnected() ?? false,
    close: async () => chosen?.close(),
  };
}
