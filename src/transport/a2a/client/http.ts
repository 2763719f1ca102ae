import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { holdsGenerated } from '../../expanded.ts';
import { connectionFailure, isAbsentError } from '../../http-failure.ts';
import { answeredEarly, writeBody } from '../../json-rpc-client/http-request.ts';
import { createEventReader } from '../../sse-client/read-events.ts';
import { orderRequest } from '../../wire/write-request.ts';
import type { Form, OutgoingCall } from './call.ts';

export interface HttpRequest {
  readonly url: URL;
  readonly verb: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string | undefined;
}

export interface HttpAnswer {
  /** The data of a server-sent event. */
  event(data: Buffer, name: string | undefined): void;
  /** The whole body of an answer that is not a stream. */
  body(status: number, bytes: Buffer, form: Form): void;
}

/** Makes one request over HTTP. A redirect is an answer like any other: the operator decides where we connect. */
export function callHttp(
  { url, verb, headers, body }: HttpRequest,
  call: OutgoingCall,
  answer: HttpAnswer,
): void {
  const { order } = call;
  const isMade = body !== undefined && order === undefined && holdsGenerated(body);
  const all = { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers };
  const ordered =
    order &&
    orderRequest({ headers: all, body }, order, {
      told: (performed) => call.sent(undefined, performed),
      over: (reason) => (order.read === 'none' ? call.leaveUnread(reason) : call.end(reason)),
    });
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: verb,
    headers: ordered?.headers ?? {
      ...all,
      ...(body !== undefined && !isMade && { 'content-length': String(Buffer.byteLength(body)) }),
    },
    // A connection is not reused: an agent that closes late must not break the next request.
    agent: false,
  });
  const { silenceMs } = call.limits;
  request.setTimeout(silenceMs, () => call.end(`nothing came for ${silenceMs / 1_000} s`));
  request.on('error', (error) => call.end(connectionFailure(error, url), { absent: isAbsentError(error) }));
  request.on('upgrade', () => call.end('it switched to another protocol'));
  request.on('close', () => ordered?.failed());
  request.on('response', (response) => {
    response.on('error', () => call.end('its answer broke off'));
    if (ordered?.answered(response) === false) return;
    // An agent may answer before it has read the whole request.
    call.sent(isMade ? answeredEarly : undefined);
    if (isEventStream(response)) readStream(response, call, answer);
    else readWhole(response, call, answer);
  });
  call.onAbort(() => request.destroy());
  if (ordered !== undefined) return void ordered.write(request);
  request.on('finish', () => call.sent());
  if (isMade) writeBody(request, body, (cut) => call.sent(cut));
  else request.end(body);
}

function isEventStream({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode < 300 && /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}

function readStream(response: IncomingMessage, call: OutgoingCall, answer: HttpAnswer): void {
  const { eventBytes, streamBytes } = call.limits;
  let bytes = 0;
  const reader = createEventReader(
    {
      data: (data, name) => answer.event(data, name),
      tooLong(data) {
        const reason = `an event of more than ${eventBytes} bytes`;
        call.malformed(data, reason, { end: 'too large' });
        call.end(`its stream has ${reason}`);
      },
    },
    eventBytes,
  );
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > streamBytes) call.end(`its stream is longer than ${streamBytes} bytes`);
    else reader.push(chunk);
  });
  response.on('end', () => {
    // A server that leaves out the last empty line still means its last event to count.
    const rest = reader.end();
    if (rest !== undefined) answer.event(rest, undefined);
    call.end();
  });
  response.on('close', () => call.end('its stream broke off'));
}

function readWhole(response: IncomingMessage, call: OutgoingCall, answer: HttpAnswer): void {
  const { bodyBytes } = call.limits;
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bodyBytes) {
      chunks.push(chunk);
      return;
    }
    call.malformed(Buffer.concat(chunks), `its answer is larger than ${bodyBytes} bytes`, {
      ...formOf(response),
      end: 'too large',
    });
    call.end(`its answer is larger than ${bodyBytes} bytes`);
  });
  response.on('end', () => answer.body(response.statusCode ?? 0, Buffer.concat(chunks), formOf(response)));
  response.on('close', () => {
    // A complete body was handled already, and may have led to another request.
    if (response.complete) return;
    if (chunks.length > 0)
      call.malformed(Buffer.concat(chunks), 'its answer broke off', { ...formOf(response), end: 'cut off' });
    call.end('its answer broke off');
  });
}

function formOf({ headers }: IncomingMessage): Form {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = headers;
  return { contentType, contentEncoding };
}
