import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJsonString, stringifyJson } from '../../../../format/model/json-text-values.ts';
import { isValueMap, type Value, type ValueMap } from '../../../../format/model/value.ts';
import type { Answer, RefusedMessage } from '../../../engine/actor-messages.ts';
import type { HttpRefusal } from '../../http-server/refuse.ts';
import { hasRepeatedKeys, readJson } from '../../json-text.ts';
import { readLooseMessages } from '../../loose/loose-messages.ts';
import { twice } from '../../mcp-server/sessions/read-message.ts';
import { recordRefused } from '../../mcp-server/sessions/record-refused.ts';
import { chooseRestStatus1, jsonType1, toRestError1 } from '../errors-1.ts';
import { findOperation, isStreaming } from '../proto/a2a-operations.ts';
import { noteFileBytes } from '../proto/note-file-bytes.ts';
import { findRestRoute, type RestRoute } from '../rest-routes.ts';
import { noteRequestFaults, readExtensionsHeader } from './a2a-json-rpc-server.ts';
import { type FramedAnswer, StreamReply, WholeReply } from './a2a-reply.ts';
import type { A2aRequestBroker } from './request-broker.ts';

/** Handles a request of HTTP+JSON whose body has been read. */
export function takeRest(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  desk: A2aRequestBroker,
): HttpRefusal | undefined {
  const { method: verb = '', url = '' } = request;
  const [path = '', query = ''] = url.split('?', 2);
  const route = findRestRoute(verb, path);
  if (route === undefined) return { status: 404, code: -32601, reason: 'there is nothing here' };
  const read = bytes.length === 0 ? { ok: true as const, value: {} } : readJson(bytes, desk.limits.depth);
  if (!read.ok) return { status: 400, code: -32700, reason: read.reason };
  if (!isValueMap(read.value)) return { status: 400, code: -32600, reason: 'the body is not an object' };
  const { method, dialect } = route;
  const operation = findOperation(dialect, method);
  const written = { ...read.value, ...parseQuery(query) };
  const params = joinParams(route, written);
  const form = dialect.era === undefined ? form03 : form1;
  const toProto = (result: Value): Value => operation?.resultToProto(result) ?? result;
  const frame = (answer: Answer): FramedAnswer => form.whole(answer, method, toProto);
  const reply = isStreaming(method)
    ? new StreamReply(response, (answer) => form.item(answer, toProto), frame)
    : new WholeReply(response, frame);
  const session = desk.sessionOf(request.socket);
  const repeats = hasRepeatedKeys(bytes, read.value);
  if (repeats) recordRefused(desk, { reason: twice, bytes, session, messagesIn: readRestMessages(request) });
  const odd = repeats ? twice : noteFileBytes(params);
  const noted = bytes.length === 0 ? undefined : noteRequestFaults(request, odd);
  const wire = dialect.era === undefined ? undefined : { ...written, ...route.ids };
  const extensions = readExtensionsHeader(request);
  desk.take({ session, method, params, noted, reply, era: dialect.era, wire, toWire: toProto, extensions });
  return undefined;
}

/** Joins the params in the body and in the path, under OATF's names. */
function joinParams({ dialect, method, ids }: RestRoute, body: ValueMap): ValueMap {
  const operation = findOperation(dialect, method);
  if (dialect.era !== undefined) return operation?.paramsFromProto({ ...body, ...ids }) ?? { ...body, ...ids };
  return { ...(operation?.paramsFromProto(body) ?? body), ...ids };
}

/** Reads the body of a request that was not served as the operation of its path. */
export function readRestMessages({ method: verb = '', url = '' }: IncomingMessage) {
  const [path = '', query = ''] = url.split('?', 2);
  const route = findRestRoute(verb, path);
  return (value: Value): readonly RefusedMessage[] => {
    if (route === undefined) return readLooseMessages(value);
    const inner = parseJsonString(value);
    const content = isValueMap(inner) ? joinParams(route, { ...inner, ...parseQuery(query) }) : value;
    return [{ kind: 'request', method: route.method, content }];
  };
}

/** Numbers are written as text in a query. */
function parseQuery(query: string): ValueMap {
  const entries = [...new URLSearchParams(query)].map(([key, value]): [string, Value] => [
    key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    /^\d{1,9}$/.test(value) ? Number(value) : value,
  ]);
  return Object.fromEntries(entries);
}

const made = new Set(['message/send', 'tasks/pushNotificationConfig/set']);

/** The form of answers over HTTP in an era. */
interface RestForm {
  whole(answer: Answer, method: string, toProto: (result: Value) => Value): FramedAnswer;
  item(answer: Answer, toProto: (result: Value) => Value): string;
}

const form03: RestForm = {
  whole(answer, method, toProto) {
    if (answer.kind === 'error') return { status: chooseRestStatus(answer.error), text: stringifyJson(answer.error) };
    if (method === 'tasks/pushNotificationConfig/delete') return { status: 204, text: '' };
    return { status: made.has(method) ? 201 : 200, text: stringifyJson(toProto(answer.result)) };
  },
  item(answer, toProto) {
    if (answer.kind === 'error') return `event: error\ndata: ${stringifyJson(answer.error)}\n\n`;
    return `data: ${stringifyJson(toProto(answer.result))}\n\n`;
  },
};

const headers1 = { 'Content-Type': jsonType1 };

const form1: RestForm = {
  whole(answer, _method, toProto) {
    if (answer.kind === 'error')
      return {
        status: chooseRestStatus1(answer.error),
        text: stringifyJson(toRestError1(answer.error)),
        headers: headers1,
      };
    return { status: 200, text: stringifyJson(toProto(answer.result)), headers: headers1 };
  },
  item(answer, toProto) {
    if (answer.kind === 'error') return `event: error\ndata: ${stringifyJson(toRestError1(answer.error))}\n\n`;
    return `data: ${stringifyJson(toProto(answer.result))}\n\n`;
  },
};

const statuses: { readonly [code: string]: number } = {
  '-32700': 400,
  '-32600': 400,
  '-32602': 400,
  '-32601': 404,
  '-32001': 404,
  '-32002': 409,
  '-32003': 400,
  '-32004': 400,
  '-32005': 415,
};

function chooseRestStatus(error: Value): number {
  const code = isValueMap(error) ? String(error.code) : '';
  return Object.hasOwn(statuses, code) ? (statuses[code] ?? 500) : 500;
}
