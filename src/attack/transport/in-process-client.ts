import { parseJson, stringifyJson } from '../../format/model/json-text-values.ts';
import type { Value } from '../../format/model/value.ts';
import type { Incoming } from '../engine/actor-messages.ts';
import type { Sent, Transport } from '../engine/ports.ts';
import { createAskingParts } from './deferred-transport.ts';
import { expandValue } from './expand-generated.ts';
import { AgentFailed, AgentRefused, AgentUnreachable, readFailureEnding } from './http-failure.ts';

/**
 * An agent in this process that answers requests with a stream of parts. If it throws, the error is the reason why the
 * stream ends too early.
 */
export type InProcessAgent = (request: Value, signal: AbortSignal) => AsyncIterable<Value>;

export interface InProcessClientOptions {
  /** The agent to speak to; called for the first request. */
  voice(): InProcessAgent;
}

/** The size of the whole answer to one request. */
const mostBytes = 64 * 1024 * 1024;
const mostParts = 100_000;
/** The most bytes of unreadable content that are recorded. */
const mostRecorded = 64 * 1024;

/** Sends requests to an agent in this process; it opens no port. */
export function createInProcessClient({ voice }: InProcessClientOptions): Transport {
  const open = new Map<string, AbortController>();
  let receive: (message: Incoming) => void = () => {};

  async function listen(ask: string, request: Value, signal: AbortSignal): Promise<string | Error | undefined> {
    let bytes = 0;
    let parts = 0;
    for await (const part of voice()(request, signal)) {
      if (signal.aborted) return undefined;
      const text = stringifyJson(part) ?? 'null';
      bytes += Buffer.byteLength(text);
      parts += 1;
      if (bytes > mostBytes) return `its answer is longer than ${mostBytes} bytes`;
      if (parts > mostParts) return `its answer has more than ${mostParts} parts`;
      // Only values that could have come over a wire are accepted.
      const raw = (): string => Buffer.from(text).toString('base64');
      receive({ kind: 'part', session: ask, ask, part: parseJson(text), raw });
    }
    return undefined;
  }

  /** What an agent says with a refusal is judged like everything else. */
  function hearRefusal(ask: string, { message: reason, status, content }: AgentRefused): void {
    const { events, unread } = content;
    for (const event of events)
      receive({ kind: 'refused', session: ask, ask, message: { kind: 'event', content: event }, reason, status });
    if (unread === undefined) return;
    const raw = unread.bytes.subarray(0, mostRecorded).toString('base64');
    receive({ kind: 'malformed', session: ask, ask, raw, reason: `${reason}; ${unread.reason}` });
  }

  function speak(ask: string, params: Value, sent: Sent): void {
    const abort = new AbortController();
    open.set(ask, abort);
    // An agent in this process gets the whole value at once.
    const { value: request, cut } = expandValue(params);
    sent(ask, undefined, undefined, cut);
    listen(ask, request, abort.signal)
      .catch((thrown: unknown) => (thrown instanceof Error ? thrown : String(thrown)))
      .then((ended) => {
        if (!open.delete(ask)) return;
        const reason = ended instanceof Error ? ended.message : ended;
        const absent = ended instanceof AgentUnreachable;
        const failed = ended instanceof AgentFailed;
        const why = reason === undefined ? {} : { reason };
        if (ended instanceof AgentRefused) {
          hearRefusal(ask, ended);
          receive({ kind: 'end', session: ask, ask, ...why, ...readFailureEnding(ended.status) });
        } else receive({ kind: 'end', session: ask, ask, ...why, absent, failed });
        abort.abort();
      });
  }

  return {
    async open(receiver) {
      receive = receiver;
      return { url: 'memory:' };
    },
    ask: (_target, ask, _method, params, sent) => speak(ask, params ?? {}, sent),
    ...createAskingParts(open),
    async close() {
      receive = () => {};
      for (const abort of open.values()) abort.abort();
      open.clear();
    },
  };
}
