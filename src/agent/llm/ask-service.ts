import { connectionFailure } from '../../transport/http-failure.ts';
import { secretsIn, withoutSecrets } from '../../transport/secrets.ts';
import { createEventReader } from '../../transport/sse-client/read-events.ts';

export interface ServiceRequest {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: object;
  readonly signal?: AbortSignal | undefined;
}

/** What waits between two tries; tests bring their own. */
export type Pause = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

const mostTries = 5;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
const longestEvent = 4 * 1024 * 1024;
const longestStream = 64 * 1024 * 1024;
const longestError = 16 * 1024;
const longestTold = 500;

/** A service that cannot be asked, or does not answer as it should. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';
}

/** What some services send when they are done. */
export const lastWord = Symbol('[DONE]');

type Clean = (text: string) => string;

/**
 * Asks a service that answers with server-sent events, and gives the data of each. When it is overloaded or asks for
 * patience it is asked again, as long as nothing of an answer has come. Some services repeat the key that they were
 * given; it is taken out of whatever they send.
 */
export async function* askService(request: ServiceRequest, pause: Pause = wait): AsyncGenerator<unknown> {
  const cover = withoutSecrets(secretsIn(request));
  const clean: Clean = (text) => cover(Buffer.from(text)).toString('utf8');
  for (let tries = 1; ; tries++) {
    const answer = await ask(request, clean);
    if ('response' in answer) {
      yield* eventsOf(answer.response, request, clean);
      return;
    }
    if (!answer.isPassing || tries === mostTries) throw new ServiceFailure(answer.problem);
    await pause(answer.afterMs ?? Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1)), request.signal);
  }
}

/** What a service says of an error, in whichever of the usual places. */
export function messageIn(error: unknown): string | undefined {
  if (typeof error === 'string') return error;
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : undefined;
}

type Answer =
  | { readonly response: Response }
  | { readonly problem: string; readonly isPassing: boolean; readonly afterMs?: number };

async function ask({ url, headers, body, signal }: ServiceRequest, clean: Clean): Promise<Answer> {
  const place = new URL(url);
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify(body),
      // The key is for one place only.
      redirect: 'manual',
      ...(signal !== undefined && { signal }),
    });
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    const { cause, message } = thrown as Error & { cause?: NodeJS.ErrnoException };
    const problem = connectionFailure(cause ?? new Error(message), place);
    return { problem: clean(problem), isPassing: true };
  }
  const { status } = response;
  if (response.ok) return { response };
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    const problem = `${place.host} answered HTTP ${status} and points somewhere else, which is not followed`;
    return { problem, isPassing: false };
  }
  const afterMs = retryAfter(response.headers.get('retry-after'));
  return {
    problem: `${place.host} answered HTTP ${status}: ${errorIn(clean(await beginningOf(response)))}`,
    isPassing: status === 408 || status === 429 || status >= 500,
    ...(afterMs !== undefined && { afterMs }),
  };
}

/** So many seconds, or a date. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(longestPauseMs, Math.max(0, ms));
}

function errorIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    const message = messageIn(error);
    if (message !== undefined) return message.slice(0, longestTold);
  } catch {
    // What is no JSON is told as it is.
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, longestTold) || 'no reason given';
}

async function beginningOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= longestError) break;
    }
  } catch {
    // What has come is told.
  }
  return Buffer.concat(chunks).subarray(0, longestError).toString('utf8');
}

async function* eventsOf(
  response: Response,
  { url, signal }: ServiceRequest,
  clean: Clean,
): AsyncGenerator<unknown> {
  const ready: Buffer[] = [];
  let isTooLong = false;
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
      const text = clean(bytes.toString('utf8'));
      yield text.trim() === '[DONE]' ? lastWord : parsed(text);
    }
  };
  for await (const chunk of chunksOf(response, url, signal)) {
    size += chunk.length;
    if (size > longestStream) throw new ServiceFailure(`its answer is longer than ${longestStream} bytes`);
    reader.push(Buffer.from(chunk));
    if (isTooLong) throw new ServiceFailure(`its answer has an event of more than ${longestEvent} bytes`);
    yield* take();
  }
  const rest = reader.end();
  if (rest !== undefined) ready.push(rest);
  yield* take();
}

async function* chunksOf(
  response: Response,
  url: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const body = response.body?.[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await body?.next().catch((thrown: unknown) => {
        if (signal?.aborted) throw thrown;
        throw new ServiceFailure(`the answer of ${new URL(url).host} broke off`);
      });
      if (next === undefined || next.done) return;
      yield next.value;
    }
  } finally {
    // Whoever reads no further must not leave the connection open.
    await body?.return?.().catch(() => {});
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceFailure(`the service sent an event that is no JSON: ${text.slice(0, 100)}`);
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
