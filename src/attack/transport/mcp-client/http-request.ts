import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AppliedWireRule, WirePerformed } from '../../../format/model/applied-wire-rule.ts';
import { holdsGenerated, type TextSentCallback, writeExpanded } from '../expand-generated.ts';
import { formatConnectionFailure, isAbsentError } from '../http-failure.ts';
import { readFrame } from '../json-rpc-frames.ts';
import { readJson } from '../json-text.ts';
import { readResponse } from '../read-response.ts';
import { applyRuleToRequest } from '../wire/write-request.ts';

export interface HttpMessage {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'GET' | 'DELETE';
  readonly headers: { readonly [name: string]: string };
  readonly body?: string | Buffer;
  /** Called once, when the request is written whole, or is answered before that. */
  sent?: RequestSentCallback;
  /** The `x-wire` rule that applies to the request. */
  readonly rule?: AppliedWireRule | undefined;
}

/** Called when a request has been sent, with a report on its rule. */
export type RequestSentCallback = (cut?: string, performed?: WirePerformed) => void;

export type HttpReply =
  | { readonly ok: true; readonly response: IncomingMessage }
  | { readonly ok: false; readonly reason: string; readonly isAbsent: boolean };

/** Requests in flight, so that they can be aborted together. */
export class OpenRequests {
  readonly #open = new Set<ClientRequest>();

  /** Resolves when the head of the response has arrived. It has no time limit of its own; the caller has one. */
  send(url: URL, { method, headers, body, sent, rule }: HttpMessage): Promise<HttpReply> {
    const start = url.protocol === 'https:' ? requestHttps : requestHttp;
    const isMade = typeof body === 'string' && rule === undefined && holdsGenerated(body);
    const length = body === undefined || isMade ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    let isSent = false;
    const noteSent: RequestSentCallback = (cut, performed) => {
      if (!isSent) sent?.(cut, performed);
      isSent = true;
    };
    return new Promise((resolve) => {
      const fail = (reason: string, isAbsent = false): void => resolve({ ok: false, reason, isAbsent });
      const ruled =
        rule &&
        applyRuleToRequest({ headers, body: body?.toString() }, rule, {
          report: (performed) => noteSent(undefined, performed),
          over: (reason) => fail(reason),
        });
      let request: ClientRequest;
      try {
        // A connection is not reused: a peer that closes late must not break the next request.
        request = start(url, {
          method,
          headers: ruled?.headers ?? { ...length, ...headers },
          agent: false,
        });
      } catch (error) {
        fail((error as Error).message);
        return;
      }
      this.#open.add(request);
      request.on('close', () => {
        this.#open.delete(request);
        ruled?.failed();
        fail(`${url.host} closed the connection`);
      });
      request.on('error', (error: NodeJS.ErrnoException) =>
        fail(formatConnectionFailure(error, url), isAbsentError(error)),
      );
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        fail('it switched to another protocol');
      });
      request.on('response', (response) => {
        response.on('error', ignoreRequestError);
        // A response that is not read stays open until we close.
        if (ruled?.answered(response) === false) return;
        // A peer may answer before it has read the whole request.
        noteSent(isMade ? answeredEarly : undefined);
        resolve({ ok: true, response });
      });
      if (ruled !== undefined) return void ruled.write(request);
      request.on('finish', () => noteSent());
      if (isMade) writeBody(request, body, noteSent);
      else request.end(body);
    });
  }

  breakOff(): void {
    for (const request of this.#open) request.destroy();
  }
}

/** The reason why a request was not written to its end. */
export const answeredEarly = 'it was answered before all of it was written';

/** Writes a body that contains generated values. */
export function writeBody(request: ClientRequest, body: string, cutOff: TextSentCallback): void {
  writeExpanded(request, body, (cut) => {
    if (cut === undefined) request.end();
    else cutOff(cut);
  });
}

export interface ReplyBody {
  readonly bytes: Buffer;
  /** False if the body is too long or broke off. */
  readonly isWhole: boolean;
}

/** Reads a whole body, or the beginning of one that is too long. */
export function readReplyBody(response: IncomingMessage, longest: number): Promise<ReplyBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const done = (isWhole: boolean): void => resolve({ bytes: Buffer.concat(chunks), isWhole });
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= longest) {
        chunks.push(chunk);
        return;
      }
      chunks.push(chunk.subarray(0, chunk.length - (size - longest)));
      done(false);
      response.destroy();
    };
    readResponse(response, take, done);
  });
}

/** An error is followed by `close`, which has a listener. */
function ignoreRequestError(): void {}

// Reads the head of a response, and decides whether its body is a message.

/** Statuses of servers that do not accept a POST at the URL of their stream. */
export const olderAnswers = new Set([400, 404, 405]);

export function isOk({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

export function isJsonResponse({ headers }: IncomingMessage): boolean {
  return /^application\/json\b/i.test(headers['content-type'] ?? '');
}

export function isJsonRpcError(body: Buffer, depth: number): boolean {
  const json = readJson(body, depth);
  const frame = json.ok ? readFrame(json.value) : undefined;
  return frame?.kind === 'response' && frame.answer.kind === 'error';
}

export function readHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Redirects within the origin only: tokens are not sent to another host. */
export function findRedirection({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
  if ((statusCode !== 307 && statusCode !== 308) || headers.location === undefined) return undefined;
  if (!URL.canParse(headers.location, from.href)) return undefined;
  const to = new URL(headers.location, from);
  return to.origin === from.origin ? to : undefined;
}
