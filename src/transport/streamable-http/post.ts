import type { IncomingMessage, ServerResponse } from 'node:http';
import { unreachable, type Value } from '../../model/value.ts';
import { errorCode, type Frame, frameError, readFrame } from '../json-rpc.ts';
import { readJson } from '../json-text.ts';
import { acceptedTypes, isJson } from './accepted-types.ts';
import type { Peers } from './peers.ts';
import { PostReply } from './post-reply.ts';
import type { Body } from './read-body.ts';
import { type Refusal, recordMalformed } from './refuse.ts';
import type { Session } from './session.ts';

/** Takes a POST whose body has been read. Everything in it is handled before this returns. */
export function takePost(
  request: IncomingMessage,
  response: ServerResponse,
  body: Body,
  peers: Peers,
): Refusal | undefined {
  const unread = unreadable(request, body, peers);
  if (unread !== undefined) return unread;
  const json = readJson(body.bytes, peers.limits.depth);
  if (!json.ok) return { status: 400, code: errorCode.parseError, reason: json.reason };

  const isBatch = Array.isArray(json.value);
  const frames = isBatch ? (json.value as readonly Value[]).map(readFrame) : [readFrame(json.value)];
  const opens = frames.some((frame) => frame.kind === 'request' && frame.method === 'initialize');
  const wrong = invalidBody(frames, isBatch, opens);
  if (wrong !== undefined) return { status: 400, code: errorCode.invalidRequest, ...wrong };

  const session = sessionFor(request, opens, frames.filter(({ kind }) => kind === 'request').length, peers);
  if ('status' in session) return session;
  serve(request, response, frames, { session, isBatch, opens, bytes: body.bytes, peers });
  return undefined;
}

function invalidBody(
  frames: readonly Frame[],
  isBatch: boolean,
  opens: boolean,
): { readonly id?: Value; readonly reason: string } | undefined {
  const [first] = frames;
  if (first === undefined) return { reason: 'an empty batch' };
  if (isBatch) return opens ? { reason: 'initialize within a batch' } : undefined;
  return first.kind === 'invalid' ? { id: first.id, reason: first.reason } : undefined;
}

/** Why a body is not looked into. */
function unreadable({ headers }: IncomingMessage, body: Body, { limits }: Peers): Refusal | undefined {
  // What was not read to its end is still on its way, so the connection can carry nothing after it.
  const close = { Connection: 'close' };
  switch (body.kind) {
    case 'too large':
      return { status: 413, reason: `the body is larger than ${limits.bodyBytes} bytes`, headers: close };
    case 'no room':
      return { status: 503, reason: 'too much is being sent at once', headers: close };
    case 'cut off':
      return { status: 400, reason: 'the connection ended before the body did', headers: close };
    case 'whole':
      break;
  }
  if (!isJson(headers['content-type']))
    return { status: 415, reason: 'the content type is not application/json' };
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return { status: 415, reason: 'the body is compressed' };
  const { json, events } = acceptedTypes(headers.accept);
  if (!json && !events)
    return { status: 406, reason: 'neither application/json nor text/event-stream is accepted' };
  return undefined;
}

/** The session that a POST belongs to. Only `initialize` makes one; it is told apart from the rest by that. */
function sessionFor(
  { headers }: IncomingMessage,
  opens: boolean,
  requests: number,
  peers: Peers,
): Session | Refusal {
  const { limits } = peers;
  const id = headers['mcp-session-id'] as string | undefined;
  const session = id === undefined ? undefined : peers.session(id);
  if (id !== undefined && session === undefined)
    return { status: 404, code: errorCode.sessionNotFound, reason: 'no such session' };
  if (session === undefined && !opens) return { status: 400, reason: 'no Mcp-Session-Id header' };
  if (!peers.hasRoom(requests)) return { status: 503, reason: 'too many requests wait for their answers' };
  if (!peers.hasRoom(requests, session))
    return { status: 429, reason: 'too many requests of this session wait for their answers' };
  if (session === undefined && peers.sessionCount >= limits.sessions)
    return { status: 503, reason: 'too many sessions' };
  return session ?? peers.openSession();
}

interface Post {
  readonly session: Session;
  readonly isBatch: boolean;
  /** Whether it opens a session. Nothing but its answer is due to a peer that has not been answered yet. */
  readonly opens: boolean;
  readonly bytes: Buffer;
  readonly peers: Peers;
}

function serve(
  request: IncomingMessage,
  response: ServerResponse,
  frames: readonly Frame[],
  { session, isBatch, opens, bytes, peers }: Post,
): void {
  const answers = frames.filter(({ kind }) => kind === 'request' || kind === 'invalid').length;
  const reply = new PostReply(response, {
    accepts: acceptedTypes(request.headers.accept),
    answers,
    isBatch,
    carriesOthers: !opens,
    headers: opens ? { 'Mcp-Session-Id': session.id } : {},
    openStream: () => session.openStream(),
  });
  for (const frame of frames) take(frame);
  if (answers === 0) response.writeHead(202, { 'Content-Length': 0 }).end();

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
  return `id ${JSON.stringify(id).slice(0, 200)}`;
}
