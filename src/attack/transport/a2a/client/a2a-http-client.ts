import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createEventReader } from '../../ag-ui-client/read-events.ts';
import { holdsGenerated } from '../../expand-generated.ts';
import { formatConnectionFailure, isAbsentError } from '../../http-failure.ts';
import { answeredEarly, writeBody } from '../../mcp-client/http-request.ts';
import { readResponse } from '../../read-response.ts';
import { applyRuleToRequest } from '../../wire/write-request.ts';
import type { OutgoingCall, RefusedBodyForm } from './call.ts';

export interface HttpRequest {
  readonly url: URL;
  readonly verb: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string | undefined;
}

export interface HttpAnswerSink {
  /** The data of a server-sent event. */
  event(data: Buffer, name: string | undefined): void;
  /** The whole body of an answer that is not a stream. */
  body(status: number, bytes: Buffer, form: RefusedBodyForm): void;
}

/** Makes one request over HTTP. A redirect is an answer like any other: the operator decides where we connect. */
export function callHttp({ url, verb, headers, body }: HttpRequest, call: OutgoingCall, answer: HttpAnswerSink): void {
  const { rule } = call;
  const isMade = body !== undefined && rule === undefined && holdsGenerated(body);
  const all = { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers };
  const ruled =
    rule &&
    applyRuleToRequest({ headers: all, body }, rule, {
      report: (performed) => call.sent(undefined, performed),
      over: (reason) => (rule.read === 'none' ? call.leaveUnread(reason) : call.end(reason)),
    });
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: verb,
    headers: ruled?.headers ?? {
      ...all,
      ...(body !== undefined && !isMade && { 'content-length': String(Buffer.byteLength(body)) }),
    },
    // A connection is not reused: an agent that closes late must not break the next request.
    agent: false,
  });
  const { silenceMs } = call.limits;
  request.setTimeout(silenceMs, () => call.end(`nothing came for ${silenceMs / 1_000} s`));
  request.on('error', (error) => call.end(formatConnectionFailure(error, url), { absent: isAbsentError(error) }));
  request.on('upgrade', (_response, socket) => {
    socket.destroy();
    call.end('it switched to another protocol');
  });
  request.on('close', () => ruled?.failed());
  request.on('response', (response) => {
    if (ruled?.answered(response) === false) return;
    // An agent may answer before it has read the whole request.
    call.sent(isMade ? answeredEarly : undefined);
    if (isSseAnswer(response)) readHttpStream(response, call, answer);
    else readWhole(response, call, answer);
  });
  call.onAbort(() => request.destroy());
  if (ruled !== undefined) return void ruled.write(request);
  request.on('finish', () => call.sent());
  if (isMade) writeBody(request, body, (cut) => call.sent(cut));
  else request.end(body);
}

function isSseAnswer({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode < 300 && /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}

function readHttpStream(response: IncomingMessage, call: OutgoingCall, answer: HttpAnswerSink): void {
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
  const take = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > streamBytes) call.end(`its stream is longer than ${streamBytes} bytes`);
    else reader.push(chunk);
  };
  readResponse(response, take, (isComplete) => {
    if (!isComplete) return call.end('its stream broke off');
    // A server that leaves out the last empty line still means its last event to count.
    const rest = reader.end();
    if (rest !== undefined) answer.event(rest, undefined);
    call.end();
  });
}

function readWhole(response: IncomingMessage, call: OutgoingCall, answer: HttpAnswerSink): void {
  const { bodyBytes } = call.limits;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= bodyBytes) {
      chunks.push(chunk);
      return;
    }
    call.malformed(Buffer.concat(chunks), `its answer is larger than ${bodyBytes} bytes`, {
      ...readBodyForm(response),
      end: 'too large',
    });
    call.end(`its answer is larger than ${bodyBytes} bytes`);
  };
  readResponse(response, take, (isComplete) => {
    if (isComplete) return answer.body(response.statusCode ?? 0, Buffer.concat(chunks), readBodyForm(response));
    if (chunks.length > 0)
      call.malformed(Buffer.concat(chunks), 'its answer broke off', {
        ...readBodyForm(response),
        end: 'cut off',
      });
    call.end('its answer broke off');
  });
}

function readBodyForm({ headers, statusCode: status }: IncomingMessage): RefusedBodyForm {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = headers;
  return { contentType, contentEncoding, status };
}
