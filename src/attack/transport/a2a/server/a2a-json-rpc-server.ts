import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppliedWireRule } from '../../../../format/model/applied-wire-rule.ts';
import { failUnreachable, isCollection, isValueMap, type Value } from '../../../../format/model/value.ts';
import { a2a1, extensionsHeader, namesIn1 } from '../../../../format/registry/a2a/a2a-era.ts';
import type { Answer, RefusedMessage } from '../../../engine/actor-messages.ts';
import type { RequestBody } from '../../http-server/read-body.ts';
import type { HttpRefusal } from '../../http-server/refuse.ts';
import { errorCode, type Frame, frameAnswer, readFrame } from '../../json-rpc-frames.ts';
import { readJson } from '../../json-text.ts';
import { readLooseMessages } from '../../loose/loose-messages.ts';
import { isJsonContentType } from '../../mcp-server/accepted-types.ts';
import { findOddity } from '../../mcp-server/sessions/read-message.ts';
import { recordOddity } from '../../mcp-server/sessions/take-frames.ts';
import { jsonType1, toRpcError1 } from '../errors-1.ts';
import { dialect1, findOperation, isStreaming } from '../proto/a2a-operations.ts';
import { type FramedAnswer, StreamReply, WholeReply } from './a2a-reply.ts';
import type { A2aRequest, A2aRequestBroker } from './request-broker.ts';

/**
 * Handles a POST of JSON-RPC whose body has been read. As with most servers, its errors are answers with HTTP status
 * 200.
 */
export function takeJsonRpc(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes }: RequestBody,
  desk: A2aRequestBroker,
): HttpRefusal | undefined {
  const json = readJson(bytes, desk.limits.depth);
  if (!json.ok) return { status: 200, code: errorCode.parseError, reason: json.reason };
  const frame = readFrame(json.value);
  const odd = findOddity([json.value], json.value, bytes, desk.limits.depth);
  switch (frame.kind) {
    case 'request': {
      const { id } = frame;
      if (isCollection(id))
        return { status: 200, code: errorCode.invalidRequest, reason: '`id` is an object or a list' };
      const session = desk.sessionOf(request.socket);
      if (odd !== undefined) recordOddity(desk, odd, bytes, session);
      const { method, params, framed = keepAnswer, ...beside } = toEraRequest(frame);
      const frameText = (answer: Answer, rule?: AppliedWireRule): string =>
        frameAnswer(chooseAnswerId(rule, id), framed(answer));
      const frameWhole = (answer: Answer, rule?: AppliedWireRule): FramedAnswer => ({
        status: 200,
        text: frameText(answer, rule),
      });
      // Before 1.0, clients expect events in answer to a call that streams, also if it is refused.
      const refuse = beside.era === a2a1 ? frameWhole : undefined;
      const reply = isStreaming(method)
        ? new StreamReply(response, (answer, rule) => `data: ${frameText(answer, rule)}\n\n`, refuse)
        : new WholeReply(response, frameWhole);
      const noted = noteRequestFaults(request, odd?.noted);
      desk.take({
        session,
        method,
        id,
        params,
        reply,
        noted,
        extensions: readExtensionsHeader(request),
        ...beside,
      });
      return undefined;
    }
    case 'notification': {
      const { kind, method, params } = frame;
      const session = desk.sessionOf(request.socket);
      if (odd !== undefined) recordOddity(desk, odd, bytes, session);
      desk.receive({ kind, session, method, params, noted: noteRequestFaults(request, odd?.noted) });
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
      return failUnreachable(frame);
  }
}

function chooseAnswerId(rule: AppliedWireRule | undefined, id: Value): Value {
  return rule?.id === undefined ? id : rule.id.value;
}

/** Finds the messages in a body that was not served, under OATF's names. */
export function findRpcMessages(value: Value): readonly RefusedMessage[] {
  return readLooseMessages(value).map((message) => {
    const method = message.method === undefined ? undefined : operationsBy1.get(message.method);
    const operation = method === undefined ? undefined : findOperation(dialect1, method);
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

const keepAnswer = (answer: Answer): Answer => answer;

type EraRequest = Pick<A2aRequest, 'method' | 'params' | 'era' | 'wire' | 'toWire'> & {
  framed?(answer: Answer): Answer;
};

/** Turns a request into OATF's name and shape. Since 1.0, the method's name shows the era. */
function toEraRequest(frame: Extract<Frame, { kind: 'request' }>): EraRequest {
  const method = operationsBy1.get(frame.method);
  const operation = method === undefined ? undefined : findOperation(dialect1, method);
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
        ? { kind: 'error', error: toRpcError1(answer.error) }
        : { kind: 'result', result: operation.resultToProto(answer.result) },
  };
}

/** The extensions that a request lists; the list may be split over several header lines. */
export function readExtensionsHeader({ headers }: IncomingMessage): string | undefined {
  const listed = headers[extensionsHeader];
  return Array.isArray(listed) ? listed.join(',') : listed;
}

/** Faults in the form of a request that is still served. */
export function noteRequestFaults({ headers }: IncomingMessage, odd: string | undefined): string | undefined {
  const type = headers['content-type'];
  const wrong =
    isJsonContentType(type) || isJson1(type) ? [] : [`its content type is ${type?.slice(0, 100) ?? 'not said'}`];
  const all = [...wrong, ...(odd === undefined ? [] : [odd])];
  return all.length === 0 ? undefined : all.join('; ');
}

function isJson1(type: string | undefined): boolean {
  return type?.toLowerCase().startsWith(jsonType1) ?? false;
}
