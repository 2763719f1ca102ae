import type { IncomingMessage } from 'node:http';
import { createEchoRemover } from '../../../attack/transport/echo-remover.ts';
import { formatRefusal } from '../../../attack/transport/http-failure.ts';
import { isOk, OpenRequests, readReplyBody } from '../../../attack/transport/mcp-client/http-request.ts';
import { stringifyJson } from '../../../format/model/json-text-values.ts';
import { listSecrets, redactUrl } from '../../../secrets/given-secrets.ts';

export interface HttpQuestion {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
  /** Values to mask in failure messages, in addition to headers with secret-looking names. */
  readonly secrets?: readonly string[];
  /** The limit on the size of an answer. */
  readonly mostBytes?: number;
}

/** The server redirected, or sent nothing usable. */
export type HttpFailureKind = 'redirected' | 'broken';

/** The answer, unmasked: the judge must see every secret that the server reveals. */
export interface TargetHttpAnswer {
  readonly status: number;
  /** The content type as the server sent it; empty if it sent none. */
  readonly type: string;
  readonly encoding: string;
  readonly body: Buffer;
}

export type HttpOutcome =
  | ({ readonly ok: true } & TargetHttpAnswer)
  | { readonly ok: false; readonly why: HttpFailureKind; readonly reason: string; readonly isAbsent: boolean }
  /** The server answered with a status that is not a success. */
  | {
      readonly ok: false;
      readonly why: 'refused';
      readonly reason: string;
      readonly answer: TargetHttpAnswer;
      /** Why some of the answer is missing. */
      readonly unread?: string;
    };

const mostBytes = 8 * 1024 * 1024;

/**
 * Sends one request and reads the whole answer. Redirects are not followed: the operator decides which hosts we
 * contact.
 */
export async function askOverHttp(question: HttpQuestion): Promise<HttpOutcome> {
  const { method, url, headers, body, signal } = question;
  const requests = new OpenRequests();
  const breakOff = (): void => requests.breakOff();
  signal.addEventListener('abort', breakOff, { once: true });
  const clean = createEchoRemover(listSecrets(question));
  const failed = (why: HttpFailureKind, reason: string, isAbsent = false): HttpOutcome => ({
    ok: false,
    why,
    reason: clean.text(reason),
    isAbsent,
  });
  try {
    if (signal.aborted) return failed('broken', 'it was cancelled');
    const sent = body === undefined ? {} : { body: stringifyJson(body) };
    const reply = await requests.send(new URL(url), {
      method,
      headers: { ...listUsualHeaders(sent), ...headers },
      ...sent,
    });
    if (!reply.ok) return failed('broken', reply.reason, reply.isAbsent);
    const { response } = reply;
    const longest = question.mostBytes ?? mostBytes;
    const { bytes, isWhole } = await readReplyBody(response, longest);
    if (isRedirect(response)) return failed('redirected', describeRedirect(response, url));
    const { statusCode: status = 0, statusMessage = '', headers: head } = response;
    const encoding = head['content-encoding']?.trim().toLowerCase() || 'identity';
    const answer = { status, type: head['content-type'] ?? '', encoding, body: bytes };
    const unread = isWhole ? undefined : describeUnfinishedAnswer(bytes, longest);
    if (!isOk(response)) {
      const reason = clean.text(formatRefusal(status, statusMessage, clean.bytes(bytes)));
      return { ok: false, why: 'refused', reason, answer, ...(unread !== undefined && { unread }) };
    }
    return unread === undefined ? { ok: true, ...answer } : failed('broken', unread);
  } finally {
    signal.removeEventListener('abort', breakOff);
    requests.breakOff();
  }
}

function listUsualHeaders({ body }: { readonly body?: string }): { readonly [name: string]: string } {
  return {
    accept: 'application/json, text/plain;q=0.9, */*;q=0.8',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
}

function isRedirect({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode < 400;
}

function describeRedirect({ statusCode, headers: { location = '' } }: IncomingMessage, from: string): string {
  const to = location !== '' && URL.canParse(location, from) ? redactUrl(new URL(location, from).href) : undefined;
  return `it answered HTTP ${statusCode}${to === undefined ? '' : ` and points to ${to}`}, which is not followed`;
}

function describeUnfinishedAnswer({ length }: Buffer, longest: number): string {
  return length < longest ? 'its answer broke off' : `its answer is larger than ${longest} bytes`;
}
