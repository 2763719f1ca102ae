import { stringifyJson } from '../../model/json.ts';
import { unreachable, type Value } from '../../model/value.ts';
import { errorCode, type Frame, frameError } from '../json-rpc.ts';
import type { Peers } from './peers.ts';
import { recordMalformed } from './record-malformed.ts';
import type { PeerSession, Reply } from './session.ts';

/** What came in together, and what it is made of. */
export interface TakenMessage {
  readonly frames: readonly Frame[];
  readonly bytes: Buffer;
  readonly odd?: string | undefined;
}

/** Hands a message of a session on to the actor. All of it is handled before this returns. */
export function takeFrames(
  { frames, bytes, odd }: TakenMessage,
  session: PeerSession,
  reply: Reply,
  peers: Peers,
): void {
  if (odd !== undefined) recordMalformed(peers, odd, bytes, session.id);
  for (const frame of frames) take(frame);

  function take(frame: Frame): void {
    switch (frame.kind) {
      case 'request': {
        const { key } = peers.openExchange(session, frame.id, reply);
        session.deliverWaiting();
        const { kind, method, id, params } = frame;
        peers.receive({ kind, session: session.id, exchange: key, method, id, params });
        break;
      }
      case 'notification': {
        const { kind, method, params } = frame;
        peers.receive({ kind, session: session.id, method, params });
        break;
      }
      case 'response': {
        const { id, answer } = frame;
        const ask = session.takeAsk(id);
        if (ask !== undefined) peers.receive({ kind: 'answer', session: session.id, ask, answer });
        else recordMalformed(peers, `a response to no request of ours: ${shown(id)}`, bytes, session.id);
        break;
      }
      case 'invalid':
        recordMalformed(peers, `in a batch: ${frame.reason}`, bytes, session.id);
        reply.answer(frameError(frame.id, errorCode.invalidRequest, frame.reason), () => {});
        break;
      default:
        unreachable(frame);
    }
  }
}

function shown(id: Value): string {
  return `id ${stringifyJson(id).slice(0, 200)}`;
}
