import type { IncomingMessage } from 'node:http';
import { stringifyJson } from '../../model/json.ts';
import { secretsIn, shownUrl } from '../../secrets/given.ts';
import { isAbsentStatus, refusalReason } from '../../transport/http-failure.ts';
import { isOk } from '../../transport/json-rpc-client/http-reply.ts';
import { Requests, readBody } from '../../transport/json-rpc-client/http-request.ts';
import { withoutEchoes } from '../../transport/without-echoes.ts';

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

/** The server refused, redirected, or sent nothing usable. */
export type Failure = 'refused' | 'redirected' | 'broken';

/** The answer, unmasked: the judge must see what the server gives away. */
export interface HttpAnswer {
  readonly status: number;
  /** The content type as the server sent it; empty if it sent none. */
  readonly type: string;
  readonly encoding: string;
  readonly body: Buffer;
}

export type HttpOutcome =
  | ({ readonly ok: true } & HttpAnswer)
  | ({ readonly ok: false; readonly why: Failure; readonly reason: string } & FailureFacts);

/** Additional facts about a failure. */
interface FailureFacts {
  readonly isAbsent: boolean;
  /** The HTTP status, if there was an answer. */
  readonly status?: number;
}

const mostBytes = 8 * 1024 * 1024;

/**
 * Sends one request and reads the whole answer. Redirects are not followed: the operator decides which hosts we
 * contact.
 */
export async function askOverHttp(question: HttpQuestion): Promise<HttpOutcome> {
  const { method, url, headers, body, signal } = question;
  const requests = new Requests();
  const breakOff = (): void => requests.breakOff();
  signal.addEventListener('abort', breakOff, { once: true });
  const clean = withoutEchoes(secretsIn(question));
  const failed = (why: Failure, reason: string, facts: Partial<FailureFacts> = {}): HttpOutcome => ({
    ok: false,
    why,
    reason: clean.text(reason),
    isAbsent: false,
    ...facts,
  });
  try {
    if (signal.aborted) return failed('broken', 'it was cancelled');
    const sent = body === undefined ? {} : { body: stringifyJson(body) };
    const reply = await requests.send(new URL(url), {
      method,
      headers: { ...usual(sent), ...headers },
      ...sent,
    });
    if (!reply.ok) return failed('broken', reply.reason, { isAbsent: reply.isAbsent });
    const { response } = reply;
    const longest = question.mostBytes ?? mostBytes;
    const { bytes, isWhole } = await readBody(response, longest);
    if (isRedirect(response)) return failed('redirected', redirectReason(response, url));
    if (!isOk(response)) {
      const { statusCode = 0, statusMessage = '' } = response;
      const reason = refusalReason(statusCode, statusMessage, clean.bytes(bytes));
      return failed('refused', reason, { isAbsent: isAbsentStatus(statusCode), status: statusCode });
    }
    if (!isWhole) return failed('broken', unfinished(bytes, longest));
    const { statusCode: status = 0, headers: head } = response;
    const encoding = head['content-encoding']?.trim().toLowerCase() || 'identity';
    return { ok: true, status, type: head['content-type'] ?? '', encoding, body: bytes };
  } finally {
    signal.removeEventListener('abort', breakOff);
    requests.breakOff();
  }
}

function usual({ body }: { readonly body?: string }): { readonly [name: string]: string } {
  return {
    accept: 'application/json, text/plain;q=0.9, */*;q=0.8',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
}

function isRedirect({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode < 400;
}

function redirectReason({ statusCode, headers: { location = '' } }: IncomingMessage, from: string): string {
  const to =
    location !== '' && URL.canParse(location, from) ? shownUrl(new URL(location, from).href) : undefined;
  return `it answered HTTP ${statusCode}${to === undefined ? '' : ` and points to ${to}`}, which is not followed`;
}

function unfinished({ length }: Buffer, longest: number): string {
  return length < longest ? 'its answer broke off' : `its answer is larger than ${longest} bytes`;
}
