import type { IncomingMessage, ServerResponse } from 'node:http';
import { unreachable } from '../../../model/value.ts';
import { errorCode, frameAnswer, readFrame } from '../../json-rpc.ts';
import { readJson } from '../../json-text.ts';
import type { Body } from '../../streamable-http/read-body.ts';
import type { Refusal } from '../../streamable-http/refuse.ts';
import { isStreaming } from '../proto/operations.ts';
import type { Desk } from './desk.ts';
import { StreamReply, WholeReply } from './reply.ts';

/** A POST of JSON-RPC whose body has been read. */
export function takeJsonRpc(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes }: Body,
  desk: Desk,
): Refusal | undefined {
  const json = readJson(bytes, desk.limits.depth);
  if (!json.ok) return { status: 400, code: errorCode.parseError, reason: json.reason };
  const frame = readFrame(json.value);
  switch (frame.kind) {
    case 'request': {
      const { method, id, params } = frame;
      const session = desk.sessionOf(request.socket);
      const reply = isStreaming(method)
        ? new StreamReply(response, (answer) => `data: ${frameAnswer(id, answer)}\n\n`)
        : new WholeReply(response, (answer) => ({ status: 200, text: frameAnswer(id, answer) }));
      desk.take({ session, method, id, params, reply });
      return undefined;
    }
    case 'notification': {
      const { kind, method, params } = frame;
      desk.receive({ kind, session: desk.sessionOf(request.socket), method, params });
      response.writeHead(202, { 'Content-Length': 0 }).end();
      return undefined;
    }
    case 'response':
      return { status: 400, code: errorCode.invalidRequest, reason: 'a response to no request of ours' };
    case 'invalid': {
      const { id, reason } = frame;
      return { status: 400, code: errorCode.invalidRequest, id, reason };
    }
    default:
      return unreachable(frame);
  }
}
