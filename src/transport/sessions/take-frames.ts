import { stringifyJson } from '../../model/json.ts';
import { isValueMap, unreachable, type Value } from '../../model/value.ts';
import { mcp2026 } from '../../registry/mcp-2026.ts';
import { errorCode, type Frame, frameError } from '../json-rpc.ts';
import { looseMessages } from '../loose/loose-messages.ts';
import { isOf2026 } from './era-2026.ts';
import type { Peers } from './peers.ts';
import type { Oddity } from './read-message.ts';
import { recordMalformed } from './record-malformed.ts';
import type { Recorder } from './record-refused.ts';
import type { PeerSession, Reply } from './session.ts';
import { takeRequest } from './take-request.ts';

/** Messages that came in together, with their bytes. */
export interface TakenMessage {
  readonly frames: readonly Frame[];
  /** The value from which each frame was read. */
  readonly messages: readonly Value[];
  readonly bytes: Buffer;
  readonly odd?: Oddity | undefined;
  /** Params that the message repeats outside its body. */
  readonly repeated?: { readonly [name: string]: string } | undefined;
}

/** Hands a session's message to the actor. All of it is handled before this returns. */
export function takeFrames(message: TakenMessage, session: PeerSession, reply: Reply, peers: Peers): void {
  const { frames, messages, bytes, odd } = message;
  if (odd !== undefined) recordOddity(peers, odd, bytes, session.id);
  frames.forEach((frame, index) => {
    take(frame, messages[index] ?? null, message, session, reply, peers);
  });
}

function take(
  frame: Frame,
  value: Value,
  { bytes, odd, repeated }: TakenMessage,
  session: PeerSession,
  reply: Reply,
  peers: Peers,
): void {
  const noted = odd === undefined ? {} : { noted: odd.noted };
  switch (frame.kind) {
    case 'request': {
      if (isOf2026(frame)) {
        takeRequest({ ...frame, ...noted, repeated }, session, reply, peers);
        break;
      }
      const { key } = peers.openExchange(session, frame.id, reply);
      session.deliverWaiting();
      const { kind, method, id, params } = frame;
      peers.receive({ kind, session: session.id, exchange: key, method, id, params, ...noted });
      break;
    }
    case 'notification': {
      const { kind, method, params } = frame;
      const era = isOf2026(frame) ? mcp2026 : session.era;
      if (method === 'notifications/cancelled') cancelStream(params, session, peers);
      peers.receive({
        kind,
        session: session.id,
        method,
        params,
        ...(era !== undefined && { era }),
        ...noted,
      });
      break;
    }
    case 'response': {
      const { id, answer } = frame;
      const ask = session.takeAsk(id);
      if (ask !== undefined) peers.receive({ kind: 'answer', session: session.id, ask, answer, ...noted });
      else refuse(value, `a response to no request of ours: ${shown(id)}`, bytes, session, peers);
      break;
    }
    case 'invalid':
      refuse(value, `in a batch: ${frame.reason}`, bytes, session, peers);
      reply.answer(frameError(frame.id, errorCode.invalidRequest, frame.reason), () => {});
      break;
    default:
      unreachable(frame);
  }
}

/** Cancels a stream of notifications: on a shared channel it cannot be ended in another way. */
function cancelStream(params: Value | undefined, session: PeerSession, peers: Peers): void {
  const id = isValueMap(params) ? params.requestId : undefined;
  const stream = [...session.exchanges].find((each) => each.call !== undefined && each.id === id);
  if (stream !== undefined && peers.cancel(stream)) stream.reply.abandon('cancelled');
}

function refuse(value: Value, reason: string, bytes: Buffer, session: PeerSession, peers: Peers): void {
  const read = looseMessages(value);
  for (const message of read) peers.receive({ kind: 'refused', session: session.id, message, reason });
  const isUnknown = read.some(({ kind, method }) => kind !== 'response' && method === undefined);
  if (isUnknown) recordMalformed(peers, reason, { bytes, session: session.id });
}

/** Records the parts of a message that are not served with the rest of it. */
export function recordOddity(recorder: Recorder, odd: Oddity, bytes: Buffer, session: string): void {
  const { noted, beside, unread } = odd;
  for (const message of beside) recorder.receive({ kind: 'refused', session, message, reason: noted });
  if (unread !== undefined) recordMalformed(recorder, `${noted}; ${unread}`, { bytes, session });
}

function shown(id: Value): string {
  return `id ${stringifyJson(id).slice(0, 200)}`;
}
