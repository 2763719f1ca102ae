import { createEventReader } from '../../transport/sse-client/read-events.ts';
import type { Problem } from './settings.ts';

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
const longestError = 2_000;

/** A service that cannot be asked, or does not answer as it should. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';
}

/**
 * Asks a service that answers with server-sent events, and gives the data of each. When it is overloaded or asks for
 * patience it is asked again, as long as nothing of an answer has come.
 */
export async function* askService(request: ServiceRequest, pause: Pause = wait): AsyncGenerator<unknown> {
  for (let tries = 1; ; tries++) {
    const answer = await ask(request);
    if ('response' in answer) {
      yield* eventsOf(answer.response);
      return;
    }
    if (!answer.isPassing || tries === mostTries) throw new ServiceFailure(answer.problem);
    await pause(answer.afterMs ?? Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1)), request.signal);
  }
}

type Answer =
  | { readonly response: Response }
  | (Pick<Problem, 'problem'> & { readonly isPassing: boolean; readonly afterMs?: number });

async function ask({ url, headers, body, signal }: ServiceRequest): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify(body),
      redirect: 'error',
      ...(signal !== undefined && { signal }),
    });
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    const { cause, message } = thrown as Error & { cause?: { message?: string } };
    return { problem: `${new URL(url).host}: ${cause?.message ?? message}`, isPassing: true };
  }
  if (response.ok) return { response };
  const { status } = response;
  const afterMs = retryAfter(response.headers.get('retry-after'));
  return {
    problem: `${new URL(url).host} answered HTTP ${status}: ${await errorIn(response)}`,
    isPassing: status === 408 || status === 429 || status >= 500,
    ...(afterMs !== undefined && { afterMs }),
  };
}

function retryAfter(header: string | null): number | undefined {
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(longestPauseMs, seconds * 1_000) : undefined;
}

async function errorIn(response: Response): Promise<string> {
  const text = (await response.text().catch(() => '')).slice(0, longestError);
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    if (typeof error?.message === 'string') return error.message;
  } catch {
    // What is no JSON is told as it is.
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, 200) || 'no reason given';
}

async function* eventsOf(response: Response): AsyncGenerator<unknown> {
  const ready: Buffer[] = [];
  let isTooLong = false;
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
      const text = bytes.toString('utf8');
      if (text !== '[DONE]') yield parsed(text);
    }
  };
  for await (const chunk of response.body ?? []) {
    reader.push(Buffer.from(chunk));
    if (isTooLong) throw new ServiceFailure(`an event of more than ${longestEvent} bytes`);
    yield* take();
  }
  const rest = reader.end();
  if (rest !== undefined) ready.push(rest);
  yield* take();
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
  });
