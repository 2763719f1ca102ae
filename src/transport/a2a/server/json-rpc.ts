import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, RefusedMessage } from '../../../engine/messages.ts';
import { isValueMap, unreachable, type Value } from '../../../model/value.ts';
import type { WireOrder } from '../../../model/wire.ts';
import { a2a1, namesIn1 } from '../../../registry/a2a/era.ts';
import { extensionsHeader } from '../../../registry/a2a/extensions.ts';
import { errorCode, type Frame, frameAnswer, readFrame } from '../../json-rpc.ts';
import { readJson } from '../../json-text.ts';
import { looseMessages } from '../../loose/loose-messages.ts';
import { oddityOf } from '../../sessions/read-message.ts';
import { recordOddity } from '../../sessions/take-frames.ts';
import { isJson } from '../../streamable-http/accepted-types.ts';
import type { Body } from '../../streamable-http/read-body.ts';
import type { Refusal } from '../../streamable-http/refuse.ts';
import { jsonType1, rpcError1 } from '../errors-1.ts';
import { dialect1, isStreaming, operationOf } from '../proto/operations.ts';
import type { A2aRequest, Desk } from './desk.ts';
import { StreamReply, WholeReply } from './reply.ts';

/**
 * Handles a POST of JSON-RPC whose body has been read. As with most servers, its errors are answers with HTTP status
 * 200.
 */
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
      const { id } = frame;
      const session = desk.sessionOf(request.socket);
      if (odd !== undefined) recordOddity(desk, odd, bytes, session);
      const { method, params, framed = asIs, ...beside } = inEra(frame);
      const reply = isStreaming(method)
        ? new StreamReply(
            response,
            (answer, order) => `data: ${frameAnswer(idIn(order, id), framed(answer))}\n\n`,
          )
        : new WholeReply(response, (answer, order) => ({
            status: 200,
            text: frameAnswer(idIn(order, id), framed(answer)),
          }));
      const noted = notedOf(request, odd?.noted);
      desk.take({ session, method, id, params, reply, noted, extensions: extensionsOf(request), ...beside });
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

function idIn(order: WireOrder | undefined, id: Value): Value {
  return order?.id === undefined ? id : order.id.value;
}

/** Finds the messages in a body that was not served, under OATF's names. */
export function rpcMessages(value: Value): readonly RefusedMessage[] {
  return looseMessages(value).map((message) => {
    const method = message.method === undefined ? undefined : operationsBy1.get(message.method);
    const operation = method === undefined ? undefined : operationOf(dialect1, method);
    if (method === undefined || operation === undefined) return message;
    const { content } = message;
    return {
      ...message,
      method,
      content: isValueMap(content) ? operation.paramsFromProto(content) : content,
    };
  });
}

/** A table, because it is read for every request. */
const operationsBy1 = new Map(Object.entries(namesIn1).map(([before, since]) => [since, before]));

const asIs = (answer: Answer): Answer => answer;

type InEra = Pick<A2aRequest, 'method' | 'params' | 'era' | 'wire' | 'toWire'> & {
  framed?(answer: Answer): Answer;
};

/** Turns a request into OATF's name and shape. Since 1.0, the method's name shows the era. */
function inEra(frame: Extract<Frame, { kind: 'request' }>): InEra {
  const method = operationsBy1.get(frame.method);
  const operation = method === undefined ? undefined : operationOf(dialect1, method);
  if (method === undefined || operation === undefined) return frame;
  const { params } = frame;
  return {
    method,
    params: isValueMap(params) ? operation.paramsFromProto(params) : params,
    era: a2a1,
    wire: params,
    toWire: operation.resultToProto,
    framed: (answer) =>
      answer.kind === 'error'
        ? { kind: 'error', error: rpcError1(answer.error) }
        : { kind: 'result', result: operation.resultToProto(answer.result) },
  };
}

/** The extensions that a request lists; the list may be split over several header lines. */
export function extensionsOf({ headers }: IncomingMessage): string | undefined {
  const said = headers[extensionsHeader];
  return Array.isArray(said) ? said.join(',') : said;
}

/** Faults in the form of a request that is still served. */
export function notedOf({ headers }: IncomingMessage, odd: string | undefined): string | undefined {
  const type = headers['content-type'];
  const wrong =
    isJson(type) || isJson1(type) ? [] : [`its content type is ${type?.slice(0, 100) ?? 'not said'}`];
  const all = [...wrong, ...(odd === undefined ? [] : [odd])];
  return all.length === 0 ? undefined : all.join('; ');
}

function isJson1(type: string | undefined): boolean {
  return type?.toLowerCase().startsWith(jsonType1) ?? false;
}
