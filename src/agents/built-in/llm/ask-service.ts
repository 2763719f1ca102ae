import type { IncomingMessage } from 'node:http';
import { createEventReader } from '../../../attack/transport/ag-ui-client/read-events.ts';
import { isAbsentStatus } from '../../../attack/transport/http-failure.ts';
import { OpenRequests } from '../../../attack/transport/mcp-client/http-request.ts';
import { coverEchoes } from '../../../secrets/echo-cover.ts';
import { listSecrets } from '../../../secrets/given-secrets.ts';

export interface ServiceRequest {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: object;
  /** Whether an unstreamed answer is accepted too. */
  readonly takesWhole?: true;
  readonly signal?: AbortSignal | undefined;
}

/** Waits between two attempts; tests replace it. */
export type Pause = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

const mostTries = 5;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
const longestEvent = 4 * 1024 * 1024;
const longestStream = 64 * 1024 * 1024;
const longestError = 16 * 1024;
const longestReason = 500;
/** The longest wait for a model that sends nothing. */
const longestSilenceMs = 5 * 60 * 1_000;

/** A service that cannot be reached, or that does not answer properly. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';
  /** Whether every request would fail in the same way: the service is absent or refuses access. */
  readonly isAbsent: boolean;

  constructor(message: string, isAbsent = false) {
    super(message);
    this.isAbsent = isAbsent;
  }
}

/** The event with which some services end a stream. */
export const streamEndEvent = Symbol('[DONE]');

type Clean = (text: string) => string;

/**
 * Sends a request to a service that answers with server-sent events, and yields the data of each event. If the service
 * is overloaded or asks for a delay, it is asked again, as long as no part of an answer has arrived. Some services
 * repeat the key that they were given, so it is masked in everything they send.
 */
export async function* askService(request: ServiceRequest, pause: Pause = wait): AsyncGenerator<unknown> {
  const clean: Clean = coverEchoes(listSecrets(request)).text;
  for (let tries = 1; ; tries++) {
    const exchange = new Exchange(request.signal);
    let answer: Answer;
    try {
      answer = await ask(request, exchange, clean);
      if ('response' in answer) {
        yield* streamEvents(answer.response, request, exchange, clean);
        return;
      }
      if ('whole' in answer) {
        yield answer.whole;
        return;
      }
    } finally {
      // Closes the connection even if the caller stops reading early.
      exchange.end();
    }
    if (!answer.isPassing || tries === mostTries) throw new ServiceFailure(answer.problem, answer.isAbsent);
    await pause(answer.afterMs ?? Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1)), request.signal);
  }
}

/** The message of a service's error, from any of the usual places. */
export function readErrorMessage(error: unknown): string | undefined {
  if (typeof error === 'string') return error;
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : undefined;
}

type Answer =
  | { readonly response: IncomingMessage }
  /** The whole answer at once. */
  | { readonly whole: unknown }
  | {
      readonly problem: string;
      readonly isPassing: boolean;
      readonly isAbsent?: boolean;
      readonly afterMs?: number;
    };

/** One attempt. It ends when it is aborted, or when nothing arrives for too long. */
class Exchange {
  readonly requests = new OpenRequests();
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #callOff = (): void => this.requests.breakOff();
  isSilent = false;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    signal?.addEventListener('abort', this.#callOff, { once: true });
    this.#timer = setTimeout(() => {
      this.isSilent = true;
      this.requests.breakOff();
    }, longestSilenceMs);
  }

  /** Restarts the silence timer, because data has arrived. */
  heard(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#callOff);
    this.requests.breakOff();
  }
}

async function ask(
  { url, headers, body, signal, takesWhole }: ServiceRequest,
  exchange: Exchange,
  clean: Clean,
): Promise<Answer> {
  signal?.throwIfAborted();
  const place = new URL(url);
  const reply = await exchange.requests.send(place, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
  signal?.throwIfAborted();
  if (!reply.ok) {
    const problem = exchange.isSilent ? describeSilence(place) : clean(reply.reason);
    return { problem, isPassing: !exchange.isSilent, isAbsent: reply.isAbsent };
  }
  exchange.heard();
  const { response } = reply;
  const { statusCode: status = 0, headers: head } = response;
  if (status >= 200 && status < 300) {
    const type = readContentType(response);
    if (streams.has(type)) return { response };
    if (type === 'application/json' && takesWhole)
      return parseUnstreamedAnswer(clean(await readBeginningOfBody(response, longestEvent)), place);
    const reason = readServiceError(clean(await readBeginningOfBody(response)));
    return { problem: `${describeUnstreamed(place, type)}: ${reason}`, isPassing: false };
  }
  // Redirects are not followed: the key is meant for one host only.
  if (status >= 300 && status < 400) {
    const problem = `${place.host} answered HTTP ${status} and points somewhere else, which is not followed`;
    return { problem, isPassing: false };
  }
  const afterMs = readRetryAfter(head['retry-after']);
  return {
    problem: `${place.host} answered HTTP ${status}: ${readServiceError(clean(await readBeginningOfBody(response)))}`,
    isPassing: status === 408 || status === 429 || status >= 500,
    isAbsent: isAbsentStatus(status),
    ...(afterMs !== undefined && { afterMs }),
  };
}

/** Reads an unstreamed answer: some services do not stream, or are asked not to. */
function parseUnstreamedAnswer(text: string, place: URL): Answer {
  try {
    const whole = JSON.parse(text) as { readonly choices?: unknown; readonly content?: unknown } | null;
    if (whole?.choices !== undefined) return { whole };
  } catch {
    // Text that is not JSON is reported as it is.
  }
  return {
    problem: `${describeUnstreamed(place, 'application/json')}: ${readServiceError(text)}`,
    isPassing: false,
  };
}

/** Content types that may hold events; some services send a wrong one. */
const streams = new Set(['text/event-stream', 'text/plain', 'application/octet-stream', 'no content type']);

function readContentType({ headers }: IncomingMessage): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() || 'no content type';
}

function describeUnstreamed({ host }: URL, type: string): string {
  return `${host} answered with ${type} instead of an event stream`;
}

function describeSilence({ host }: URL): string {
  return `nothing came from ${host} for ${longestSilenceMs / 1_000} s`;
}

/** Reads a number of seconds, or a date. */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(longestPauseMs, Math.max(0, ms));
}

function readServiceError(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    const message = readErrorMessage(error);
    if (message !== undefined) return message.slice(0, longestReason);
  } catch {
    // Text that is not JSON is reported as it is.
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, longestReason) || 'no reason given';
}

async function readBeginningOfBody(response: IncomingMessage, longest = longestError): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= longest) break;
    }
  } catch {
    // The part that has arrived is reported.
  }
  return Buffer.concat(chunks).subarray(0, longest).toString('utf8');
}

async function* streamEvents(
  response: IncomingMessage,
  { url, signal }: ServiceRequest,
  exchange: Exchange,
  clean: Clean,
): AsyncGenerator<unknown> {
  const place = new URL(url);
  const ready: Buffer[] = [];
  let isTooLong = false;
  let count = 0;
  let size = 0;
  const reader = createEventReader(
    {
      data: (bytes) => ready.push(bytes),
      tooLong: () => {
        isTooLong = true;
      },
    },
    longestEvent,
  );
  const take = function* (): Generator<unknown> {
    for (const bytes of ready.splice(0)) {
      count += 1;
      const text = clean(bytes.toString('utf8'));
      yield text.trim() === '[DONE]' ? streamEndEvent : parseEvent(text);
    }
  };
  const lost = (): string => (exchange.isSilent ? describeSilence(place) : `the answer of ${place.host} broke off`);
  for await (const chunk of streamChunks(response, signal, lost)) {
    exchange.heard();
    size += chunk.length;
    if (size > longestStream) throw new ServiceFailure(`its answer is longer than ${longestStream} bytes`);
    reader.push(chunk);
    if (isTooLong) throw new ServiceFailure(`its answer has an event of more than ${longestEvent} bytes`);
    yield* take();
  }
  const rest = reader.end();
  if (rest !== undefined) ready.push(rest);
  yield* take();
  const type = readContentType(response);
  if (count === 0 && type !== 'text/event-stream') throw new ServiceFailure(describeUnstreamed(place, type));
}

async function* streamChunks(
  response: IncomingMessage,
  signal: AbortSignal | undefined,
  lost: () => string,
): AsyncGenerator<Buffer> {
  const body = (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  for (;;) {
    const next = await body.next().catch(() => {
      signal?.throwIfAborted();
      throw new ServiceFailure(lost());
    });
    if (next.done) return;
    yield next.value;
  }
}

function parseEvent(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceFailure(`the service sent an event that is not JSON: ${text.slice(0, 100)}`);
  }
}

const wait: Pause = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(new Error('aborted'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
