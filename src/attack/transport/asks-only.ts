import type { Transport } from '../engine/ports.ts';

/** A client that neither answers nor sends notifications: all that it sends are requests. */
export const asksOnly: Pick<Transport, 'answer' | 'notify'> = { answer: () => {}, notify: () => {} };
