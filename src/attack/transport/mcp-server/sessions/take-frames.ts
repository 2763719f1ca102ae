import { stringifyJson } from '../../../../format/model/json-text-values.ts';
import { failUnreachable, isValueMap, type Value } from '../../../../format/model/value.ts';
import { mcp2026 } from '../../../../format/registry/mcp-2026.ts';
import { errorCode, type Frame, frameError } from '../../json-rpc-frames.ts';
import { readLooseMessages } from '../../loose/loose-messages.ts';
import { ChannelReply, type ChannelSession } from './channel-session.ts';
import type { PeerSession, SessionReply } from './peer-session.ts';
import type { McpPeers } from './peers.ts';
import {
  chooseErrorId,
  countAnswers,
  countRequests,
  isSessionOpener,
  type MessageOddity,
  readMessageText,
} from './read-message.ts';
import { recordMalformed } from './record-malformed.ts';
import type { RefusalRecorder } from './record-refused.ts';
import { isOf2026 } from './request-metadata.ts';
import { takeRequest } from './take-request.ts';

/** Messages that came in together, with their bytes. */
export interface TakenMessage {
  readonly frames: readonly Frame[];
  /** The value from which each frame was read. */
  readonly messages: readonly Value[];
  readonly bytes: Buffer;
  readonly odd?: MessageOddity | undefined;
  /** Params that the message repeats outside its body. */
  readonly repeated?: { readonly [name: string]: string } | undefined;
}

/** Hands a session's message to the actor. All of it is handled before this returns. */
export function takeFrames(message: TakenMessage, session: PeerSession, reply: SessionReply, peers: McpPeers): void {
  const { frames, messages, bytes, odd } = message;
  if (odd !== undefined) recordOddity(peers, odd, bytes, session.id);
  frames.forEach((frame, index) => {
    takeSessionFrame(frame, messages[index] ?? null, message, session, reply, peers);
  });
}

function takeSessionFrame(
  frame: Frame,
  value: Value,
  { bytes, odd, repeated }: TakenMessage,
  session: PeerSession,
  reply: SessionReply,
  peers: McpPeers,
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
      else refuseFrame(value, `a response to no request of ours: ${formatFrameId(id)}`, bytes, session, peers);
      break;
    }
    case 'invalid':
      refuseFrame(value, `in a batch: ${frame.reason}`, bytes, session, peers);
      reply.answer(frameError(frame.id, errorCode.invalidRequest, frame.reason), () => {});
      break;
    default:
      failUnreachable(frame);
  }
}

/** Cancels a stream of notifications: on a shared channel it cannot be ended in another way. */
function cancelStream(params: Value | undefined, session: PeerSession, peers: McpPeers): void {
  const id = isValueMap(params) ? params.requestId : undefined;
  const stream = [...session.exchanges].find((each) => each.call !== undefined && each.id === id);
  if (stream !== undefined && peers.cancel(stream)) stream.reply.abandon('cancelled');
}

function refuseFrame(value: Value, reason: string, bytes: Buffer, session: PeerSession, peers: McpPeers): void {
  const read = readLooseMessages(value);
  for (const message of read) peers.receive({ kind: 'refused', session: session.id, message, reason });
  const isUnknown = read.some(({ kind, method }) => kind !== 'response' && method === undefined);
  if (isUnknown) recordMalformed(peers, reason, { bytes, session: session.id });
}

/** Records the parts of a message that are not served with the rest of it. */
export function recordOddity(recorder: RefusalRecorder, odd: MessageOddity, bytes: Buffer, session: string): void {
  const { noted, beside, unread } = odd;
  for (const message of beside) recorder.receive({ kind: 'refused', session, message, reason: noted });
  if (unread !== undefined) recordMalformed(recorder, `${noted}; ${unread}`, { bytes, session });
}

function formatFrameId(id: Value): string {
  return `id ${stringifyJson(id).slice(0, 200)}`;
}

/** The reason why a message was refused, and its error. */
interface RefusedMessageReason {
  readonly why: 'unreadable' | 'too many';
  readonly code: number;
  readonly id: Value;
  readonly reason: string;
}

/** Takes a message of a session whose answers go out over its channel. */
export function takeMessage(bytes: Buffer, session: ChannelSession, peers: McpPeers): RefusedMessageReason | undefined {
  const message = readMessageText(bytes, peers.limits.depth);
  if (message.kind === 'unreadable') return { ...message, why: 'unreadable' };
  const { frames, messages, isBatch, odd } = message;
  const requests = countRequests(frames);
  if (!peers.hasRoom(requests) || !peers.hasRoom(requests, session)) {
    const reason = 'too many requests wait for their answers';
    return { why: 'too many', code: errorCode.refused, id: chooseErrorId(message), reason };
  }
  const reply = new ChannelReply(session, {
    answers: countAnswers(frames),
    isBatch,
    greets: frames.some(isSessionOpener),
  });
  takeFrames({ frames, messages, bytes, odd }, session, reply, peers);
  return undefined;
}
