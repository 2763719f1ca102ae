import { stringifyJson } from '../../../../format/model/json-text-values.ts';
import { isValueMap, type Value, type ValueMap } from '../../../../format/model/value.ts';
import { spelling03 } from '../../../../format/registry/a2a/spelling.ts';
import { convertPushConfigToProto } from '../../../../format/registry/a2a/to-proto.ts';
import type { RefusedMessage } from '../../../engine/actor-messages.ts';
import { formatRefusal, isSuccessStatus, readFailureEnding } from '../../http-failure.ts';
import { readJson } from '../../json-text.ts';
import { fromRestError1, jsonType1 } from '../errors-1.ts';
import { type A2aOperation, findOperation, isStreaming } from '../proto/a2a-operations.ts';
import { noteFileBytes } from '../proto/note-file-bytes.ts';
import { createRestRequest } from '../rest-routes.ts';
import { callHttp } from './a2a-http-client.ts';
import type { OutgoingCall, RefusedBodyForm } from './call.ts';
import type { A2aEndpoint } from './locate-endpoint.ts';

export function callRest(place: A2aEndpoint, method: string, params: Value | undefined, call: OutgoingCall): void {
  const given = isValueMap(params) ? params : {};
  const { dialect } = place;
  const operation = findOperation(dialect, method);
  const is1 = dialect.era !== undefined;
  const written = is1 ? (operation?.paramsToProto(given) ?? given) : given;
  const asked = createRestRequest(dialect, method, written);
  if (asked === undefined) {
    call.end(`HTTP+JSON has no ${method}`);
    return;
  }
  const { verbs, path, rest } = asked;
  call.inEra(dialect.era, written);
  const url = new URL(`${place.url.replace(/\/+$/, '')}${path}`);
  const ways = verbs.flatMap((verb) =>
    verb === 'POST'
      ? (is1 ? [rest] : listBodies(method, given, rest, operation)).map((body) => ({
          verb,
          body: stringifyJson(body),
        }))
      : [{ verb }],
  );
  tryRequestForms(ways, { url, rest, place, method, operation }, call);
}

/** One way to make the same request. */
interface RequestForm {
  readonly verb: string;
  readonly body?: string;
}

interface RestCall {
  readonly url: URL;
  readonly rest: ValueMap;
  readonly place: A2aEndpoint;
  readonly method: string;
  readonly operation: A2aOperation | undefined;
}

/**
 * Servers differ in the form of requests. If a server does not understand one form, the next is tried; only the last
 * answer counts. A request that the document broke on purpose is not tried again.
 */
function tryRequestForms([way, ...others]: readonly RequestForm[], asking: RestCall, call: OutgoingCall): void {
  const { rest, place, method, operation } = asking;
  const { verb = 'GET', body } = way ?? {};
  const url = new URL(asking.url);
  if (verb === 'GET')
    for (const [key, value] of Object.entries(rest)) url.searchParams.set(key, formatQueryValue(value));
  const { era } = place.dialect;
  const json = era === undefined ? 'application/json' : jsonType1;
  const accept = isStreaming(method) ? 'text/event-stream' : json;
  const type = body === undefined || era === undefined ? {} : { 'content-type': jsonType1 };
  callHttp({ url, verb, headers: { ...place.headers, accept, ...type }, body }, call, {
    event: (data, name) => takeEvent(data, name, operation, call),
    body(status, bytes, form) {
      if (others.length > 0 && call.rule === undefined && misunderstood.has(status))
        tryRequestForms(others, asking, call);
      else takeBody(status, bytes, operation, call, form);
    },
  });
}

const misunderstood: ReadonlySet<number> = new Set([400, 404, 405, 415, 422, 500]);

function listBodies(
  method: string,
  params: ValueMap,
  rest: ValueMap,
  operation: A2aOperation | undefined,
): readonly Value[] {
  if (method === 'message/send' || method === 'message/stream') return [operation?.paramsToProto(params) ?? params];
  // Servers differ in which of two messages they expect. Most ignore unknown fields, so they get both in one; those
  // that refuse it get the message of the gRPC procedure.
  if (method === 'tasks/pushNotificationConfig/set') {
    const request = operation?.paramsToProto(params) ?? params;
    return [{ ...request, ...(convertPushConfigToProto(spelling03, params) as ValueMap) }, request];
  }
  return [rest];
}

function takeEvent(
  data: Buffer,
  name: string | undefined,
  operation: A2aOperation | undefined,
  call: OutgoingCall,
): void {
  const read = readJson(data, call.limits.depth);
  if (!read.ok) call.malformed(data, read.reason, { messagesIn: (value) => [toRestResult(value, operation, 'event')] });
  else if (name === 'error') call.answer({ kind: 'error', error: fromRestError1(read.value) ?? read.value });
  else {
    const item = operation?.resultFromProto(read.value) ?? read.value;
    call.item(item, data, { noted: noteFileBytes(item), wire: read.value });
  }
}

function takeBody(
  status: number,
  bytes: Buffer,
  operation: A2aOperation | undefined,
  call: OutgoingCall,
  form: RefusedBodyForm,
): void {
  const read = bytes.length === 0 ? { ok: true as const, value: null } : readJson(bytes, call.limits.depth);
  const isOk = isSuccessStatus(status);
  const error = isOk || !read.ok ? undefined : readRestError(status, read.value);
  if (isOk && read.ok) {
    const result = operation === undefined ? read.value : operation.resultFromProto(read.value);
    call.answer({ kind: 'result', result }, { noted: noteFileBytes(result), wire: read.value });
  } else if (error !== undefined) call.answer({ kind: 'error', error }, { status });
  else {
    const reason = isOk && !read.ok ? read.reason : formatRefusal(status, '', bytes);
    call.malformed(bytes, reason, {
      ...form,
      messagesIn: (value) => [toRestResult(value, operation, 'response')],
    });
    call.end(reason, readFailureEnding(status));
  }
}

/** The A2A code for an HTTP status, for servers that send only a message. */
const codes: ReadonlyMap<number, number> = new Map([
  [400, -32600],
  [404, -32001],
  [409, -32002],
  [415, -32005],
  [422, -32602],
  [501, -32004],
  [502, -32006],
]);

/** Statuses that mean that no agent is there, that it gives us no access, or that it is overloaded. */
const unavailable: ReadonlySet<number> = new Set([401, 403, 408, 429, 503, 504]);

/** The protocol error in a refusal, if it is one. The official Python server leaves the code out. */
function readRestError(status: number, body: Value): Value | undefined {
  if (!isValueMap(body)) return undefined;
  if (typeof body.code === 'number') return body;
  const error = fromRestError1(body);
  if (error !== undefined && !unavailable.has(status)) return error;
  const code = codes.get(status);
  if (code === undefined || typeof body.message !== 'string') return undefined;
  return { code, ...body, data: { http: status } };
}

function toRestResult(value: Value, operation: A2aOperation | undefined, kind: 'response' | 'event'): RefusedMessage {
  return { kind, content: operation?.resultFromProto(value) ?? value };
}

function formatQueryValue(value: Value): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}
