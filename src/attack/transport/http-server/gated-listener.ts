import type { Exposure } from '../exposure/exposure.ts';
import { SecretGate } from '../exposure/secret-gate.ts';
import { recordUnreadAnswer } from '../mcp-server/sessions/record-malformed.ts';
import { type RefusalRecorder, recordGarbage } from '../mcp-server/sessions/record-refused.ts';
import type { Limits } from './http-server-options.ts';
import { Listener, type ListenerEvents } from './listener.ts';

interface GatedListenerOptions extends Pick<ListenerEvents, 'request' | 'connection'> {
  readonly limits: Limits;
  readonly exposure: Exposure | undefined;
  readonly recorder: RefusalRecorder;
  /** The protocols that may be agreed over TLS, in order of preference. */
  readonly protocols?: string[];
}

/** A listener, and the gate that keeps strangers out if other machines can reach it. */
export interface GatedListener {
  readonly listener: Listener;
  readonly gate: SecretGate | undefined;
}

/** Creates a listener. What admitted peers break is recorded; what strangers break is only counted. */
export function createGatedListener(options: GatedListenerOptions): GatedListener {
  const { limits, exposure, recorder, protocols, ...handlers } = options;
  const gate = exposure && new SecretGate(exposure, limits.headersMs, (message) => recorder.receive(message));
  const events: ListenerEvents = {
    ...handlers,
    garbage(reason, bytes, socket) {
      if (gate === undefined || gate.isAdmitted(socket)) recordGarbage(recorder, reason, bytes);
      else gate.refuse('a connection', reason, socket.remoteAddress);
    },
    unread(socket) {
      if (gate === undefined || gate.isAdmitted(socket)) recordUnreadAnswer(recorder);
    },
    damaged: (damage) => recorder.receive({ kind: 'fault', reason: damage }),
    accepted: (socket) => gate?.watch(socket),
  };
  const tls = exposure?.tls && { ...exposure.tls, ...(protocols !== undefined && { ALPNProtocols: protocols }) };
  return { listener: new Listener(limits, events, tls), gate };
}
