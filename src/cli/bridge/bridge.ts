import type { Readable, Writable } from 'node:stream';
import { pause, waitAtMost } from '../../attack/transport/mcp-client/pause.ts';
import { messageBytes } from '../../attack/transport/mcp-server/sessions/session-limits.ts';
import { LineReader } from '../../attack/transport/mcp-server/stdio/line-reader.ts';
import { BridgedEndpoint } from './bridged-endpoint.ts';
import { LineOutput } from './line-output.ts';

export interface BridgeOptions {
  readonly url: URL;
  readonly input: Readable;
  readonly output: Writable;
  readonly signal?: AbortSignal | undefined;
  /** How long a client may take to read what is left after it has closed its input. */
  readonly lateReaderMs?: number;
  note(text: string): void;
}

export type BridgeEnd = { readonly kind: 'ended' } | { readonly kind: 'lost'; readonly reason: string };

// One byte more than our endpoints accept: a longer line is refused there, and recorded.
const limits = { lineBytes: messageBytes, recordedBytes: messageBytes + 1 };

/** How long to wait for an answer before the next line is sent. The endpoint may be waiting for that line. */
const headStartMs = 200;
const mostPosts = 256;
const lastAnswersMs = 1_000;
const patienceMs = 4_000;

/** Forwards lines to an endpoint, and its messages back as lines, until the input ends. */
export async function relayLines(options: BridgeOptions): Promise<BridgeEnd> {
  const { url, input, output, signal, note, lateReaderMs = patienceMs } = options;
  const over = new AbortController();
  let lost: string | undefined;
  const stop = (): void => {
    over.abort();
    // Ends the pending read.
    input.destroy();
  };
  const lines = new LineOutput(output, stop);
  const endpoint = new BridgedEndpoint({
    url,
    output: lines,
    signal: over.signal,
    lost(reason) {
      lost ??= reason;
      stop();
    },
    note,
  });
  const aborted = new Promise((resolve) => over.signal.addEventListener('abort', resolve));
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const posts = new Set<Promise<void>>();
  for await (const line of readInputLines(input)) {
    if (over.signal.aborted) break;
    const post = endpoint.post(line);
    posts.add(post);
    void post.finally(() => posts.delete(post));
    await waitAtMost(headStartMs, post);
    while (posts.size >= mostPosts && !over.signal.aborted) await pause(headStartMs, over.signal);
    // Reads no further from a client that does not read our output.
    await Promise.race([lines.ready(), aborted]);
  }
  /** An answer may turn out to be a stream, which is read only then. */
  const lastAnswers = async (): Promise<void> => {
    await Promise.all(posts);
    await Promise.all(endpoint.open);
  };
  let isUnread = false;
  if (!over.signal.aborted) {
    const answers = lastAnswers();
    await waitAtMost(lastAnswersMs, answers);
    // The rest of the answers comes as the client reads.
    if (lines.isBehind) await Promise.race([waitAtMost(lateReaderMs, answers), aborted]);
    isUnread = lines.isBehind;
  }
  signal?.removeEventListener('abort', stop);
  over.abort();
  if (lost !== undefined) return { kind: 'lost', reason: lost };
  await endpoint.leave();
  await waitAtMost(lateReaderMs, lines.taken());
  return isUnread || lines.isBehind
    ? { kind: 'lost', reason: 'the client did not read everything that was sent to it' }
    : { kind: 'ended' };
}

async function* readInputLines(input: Readable): AsyncGenerator<Buffer> {
  const reader = new LineReader(limits);
  try {
    for await (const chunk of input) {
      reader.push(chunk as Buffer);
      for (let line = reader.next(); line !== undefined; line = reader.next()) yield line.bytes;
    }
  } catch {
    // An input that fails counts as ended.
  }
  const rest = reader.rest();
  if (rest !== undefined) yield rest.bytes;
}
