import type { IncomingMessage } from 'node:http';
import { createEchoRemover } from '../../../attack/transport/echo-remover.ts';
import { formatRefusal, isAbsentStatus } from '../../../attack/transport/http-failure.ts';
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

/** The server refused, redirected, or sent nothing usable. */
export type HttpFailureKind = 'refused' | 'redirected' | 'broken';

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
  | ({ readonly ok: false; readonly why: HttpFailureKind; readonly reason: string } & FailureFacts);

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
  const requests = new OpenRequests();
  const breakOff = (): void => requests.breakOff();
  signal.addEventListener('abort', breakOff, { once: true });
  const clean = createEchoRemover(listSecrets(question));
  const failed = (why: HttpFailureKind, reason: string, facts: Partial<FailureFacts> = {}): HttpOutcome => ({
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
      headers: { ...listUsualHeaders(sent), ...headers },
      ...sent,
    });
    if (!reply.ok) return failed('broken', reply.reason, { isAbsent: reply.isAbsent });
    const { response } = reply;
    const longest = question.mostBytes ?? mostBytes;
    const { bytes, isWhole } = await readReplyBody(response, longest);
    if (isRedirect(response)) return failed('redirected', describeRedirect(response, url));
    if (!isOk(response)) {
      const { statusCode = 0, statusMessage = '' } = response;
      const reason = formatRefusal(statusCode, statusMessage, clean.bytes(bytes));
      return failed('refused', reason, { isAbsent: isAbsentStatus(statusCode), status: statusCode });
    }
    if (!isWhole) return failed('broken', describeUnfinishedAnswer(bytes, longest));
    const { statusCode: status = 0, headers: head } = response;
    const encoding = head['content-encoding']?.trim().toLowerCase() || 'identity';
    return { ok: true, status, type: head['content-type'] ?? '', encoding, body: bytes };
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
