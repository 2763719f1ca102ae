import type { RefusedMessage } from '../../../engine/messages.ts';
import { stringifyJson } from '../../../model/json.ts';
import { isValueMap, type Value, type ValueMap } from '../../../model/value.ts';
import { isAbsentStatus, refusalReason } from '../../http-failure.ts';
import { readJson } from '../../json-text.ts';
import { isStreaming, type Operation, operationOf } from '../proto/operations.ts';
import { pushConfigToProto } from '../proto/to-proto.ts';
import { restRequest } from '../rest-routes.ts';
import type { Call, Form } from './call.ts';
import { callHttp } from './http.ts';
import type { Place } from './locate.ts';

export function callRest(place: Place, method: string, params: Value | undefined, call: Call): void {
  const given = isValueMap(params) ? params : {};
  const asked = restRequest(method, given);
  if (asked === undefined) {
    call.end(`HTTP+JSON has no ${method}`);
    return;
  }
  const { verb, path, rest } = asked;
  const operation = operationOf(method);
  const url = new URL(`${place.url.replace(/\/+$/, '')}${path}`);
  if (verb === 'GET')
    for (const [key, value] of Object.entries(rest)) url.searchParams.set(key, textOf(value));
  const accept = isStreaming(method) ? 'text/event-stream' : 'application/json';
  const body = verb === 'POST' ? stringifyJson(bodyOf(method, given, rest, operation)) : undefined;
  callHttp({ url, verb, headers: { ...place.headers, accept }, body }, call, {
    event: (data, name) => takeEvent(data, name, operation, call),
    body: (status, bytes, form) => takeBody(status, bytes, operation, call, form),
  });
}

function bodyOf(method: string, params: ValueMap, rest: ValueMap, operation: Operation | undefined): Value {
  if (method === 'message/send' || method === 'message/stream')
    return operation?.paramsToProto(params) ?? params;
  // Servers differ in which of the two messages they take it for.
  if (method === 'tasks/pushNotificationConfig/set')
    return { ...operation?.paramsToProto(params), ...(pushConfigToProto(params) as ValueMap) };
  return rest;
}

function takeEvent(
  data: Buffer,
  name: string | undefined,
  operation: Operation | undefined,
  call: Call,
): void {
  const read = readJson(data, call.limits.depth);
  if (!read.ok)
    call.malformed(data, read.reason, { messagesIn: (value) => [asResult(value, operation, 'event')] });
  else if (name === 'error') call.answer({ kind: 'error', error: read.value });
  else call.item(operation?.resultFromProto(read.value) ?? read.value, data);
}

function takeBody(
  status: number,
  bytes: Buffer,
  operation: Operation | undefined,
  call: Call,
  form: Form,
): void {
  const read = bytes.length === 0 ? { ok: true as const, value: null } : readJson(bytes, call.limits.depth);
  const isOk = status >= 200 && status < 300;
  if (isOk && read.ok) {
    const result = operation === undefined ? read.value : operation.resultFromProto(read.value);
    call.answer({ kind: 'result', result });
  } else if (read.ok && isValueMap(read.value) && typeof read.value.code === 'number')
    call.answer({ kind: 'error', error: read.value });
  else {
    const reason = isOk && !read.ok ? read.reason : refusalReason(status, '', bytes);
    call.malformed(bytes, reason, {
      ...form,
      messagesIn: (value) => [asResult(value, operation, 'response')],
    });
    call.end(reason, isAbsentStatus(status));
  }
}

function asResult(
  value: Value,
  operation: Operation | undefined,
  kind: 'response' | 'event',
): RefusedMessage {
  return { kind, content: operation?.resultFromProto(value) ?? value };
}

function textOf(value: Value): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}
