import type { Value } from '../../model/value.ts';
import { errorCode } from '../json-rpc.ts';
import { ChannelReply, type ChannelSession } from './channel-session.ts';
import type { Peers } from './peers.ts';
import { countAnswers, countRequests, idOf, opensSession, readMessage } from './read-message.ts';
import { takeFrames } from './take-frames.ts';

/** The reason why a message was refused, and its error. */
export interface NotTaken {
  readonly why: 'unreadable' | 'too many';
  readonly code: number;
  readonly id: Value;
  readonly reason: string;
}

/** Takes a message of a session whose answers go out over its channel. */
export function takeMessage(bytes: Buffer, session: ChannelSession, peers: Peers): NotTaken | undefined {
  const message = readMessage(bytes, peers.limits.depth);
  if (message.kind === 'unreadable') return { ...message, why: 'unreadable' };
  const { frames, messages, isBatch, odd } = message;
  const requests = countRequests(frames);
  if (!peers.hasRoom(requests) || !peers.hasRoom(requests, session)) {
    const reason = 'too many requests wait for their answers';
    return { why: 'too many', code: errorCode.refused, id: idOf(message), reason };
  }
  const reply = new ChannelReply(session, {
    answers: countAnswers(frames),
    isBatch,
    greets: frames.some(opensSession),
  });
  takeFrames({ frames, messages, bytes, odd }, session, reply, peers);
  return undefined;
}
