import type { IncomingMessage, ServerResponse } from 'node:http';
import { unreachable } from '../../../model/value.ts';
import { errorCode, frameAnswer, readFrame } from '../../json-rpc.ts';
import { readJson } from '../../json-text.ts';
import { oddityOf } from '../../sessions/read-message.ts';
import { recordOddity } from '../../sessions/take-frames.ts';
import { isJson } from '../../streamable-http/accepted-types.ts';
import type { Body } from '../../streamable-http/read-body.ts';
import type { Refusal } from '../../streamable-http/refuse.ts';
import { isStreaming } from '../proto/operations.ts';
import type { Desk } from './desk.ts';
import { StreamReply, WholeReply } from './reply.ts';

/** A POST of JSON-RPC whose body has been read. Its errors are answers, as with most servers: HTTP says 200. */
export function takeJsonRpc(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes }: Body,
  desk: Desk,
): Refusal | undefined {
  const json = readJson(bytes, desk.limits.depth);
  if (!json.ok) return { status: 200, code: errorCode.parseError, reason: json.reason };
  const frame = readFrame(json.value);
  const odd = oddityOf([json.value], json.value, bytes, desk.limits.depth);
  switch (frame.kind) {
    case 'request': {
      const { method, id, params } = frame;
      const session = desk.sessionOf(request.socket);
      if (odd !== undefined) recordOddity(desk, odd, bytes, session);
      const reply = isStreaming(method)
        ? new StreamReply(response, (answer) => `data: ${frameAnswer(id, answer)}\n\n`)
        : new WholeReply(response, (answer) => ({ status: 200, text: frameAnswer(id, answer) }));
      desk.take({ session, method, id, params, reply, noted: notedOf(request, odd?.noted) });
      return undefined;
    }
    case 'notification': {
      const { kind, method, params } = frame;
      const session = desk.sessionOf(request.socket);
      if (odd !== undefined) recordOddity(desk, odd, bytes, session);
      desk.receive({ kind, session, method, params, noted: notedOf(request, odd?.noted) });
      response.writeHead(202, { 'Content-Length': 0 }).end();
      return undefined;
    }
    case 'response':
      return { status: 200, code: errorCode.invalidRequest, reason: 'a response to no request of ours' };
    case 'invalid': {
      const { id, reason } = frame;
      return { status: 200, code: errorCode.invalidRequest, id, reason };
    }
    default:
      return unreachable(frame);
  }
}

/** What is wrong with the form of a request that is served. */
export function notedOf({ headers }: IncomingMessage, odd: string | undefined): string | undefined {
  const type = headers['content-type'];
  const wrong = isJson(type) ? [] : [`its content type is ${type?.slice(0, 100) ?? 'not said'}`];
  const all = [...wrong, ...(odd === undefined ? [] : [odd])];
  return all.length === 0 ? undefined : all.join('; ');
}
