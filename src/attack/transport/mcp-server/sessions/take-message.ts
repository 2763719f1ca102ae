import type { Value } from '../../../../format/model/value.ts';
import { errorCode } from '../../json-rpc-frames.ts';
import { ChannelReply, type ChannelSession } from './channel-session.ts';
import type { McpPeers } from './peers.ts';
import { chooseErrorId, countAnswers, countRequests, isSessionOpener, readMessageText } from './read-message.ts';
import { takeFrames } from './take-frames.ts';

/** The reason why a message was refused, and its error. */
export interface RefusedMessageReason {
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
