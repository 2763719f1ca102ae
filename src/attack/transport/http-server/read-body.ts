import type { IncomingMessage } from 'node:http';
import type { Limits } from './http-server-options.ts';

/** The result of reading a body; `bytes` is all of it, or its beginning. */
export type RequestBody = { readonly bytes: Buffer } & (
  | { readonly kind: 'whole' }
  | { readonly kind: 'too large' }
  | { readonly kind: 'no room' }
  | { readonly kind: 'cut off' }
);

/** The bytes of all bodies that are being read. */
export interface BodyPool {
  bytes: number;
}

// A peer reads our refusal only after it has sent its body: an earlier answer with a closed connection may be lost in
// the reset. So a refused body is read up to this multiple of the limit, and thrown away.
const drainFactor = 8;

export function readRequestBody(
  request: IncomingMessage,
  limits: Limits,
  pool: BodyPool,
  done: (body: RequestBody) => void,
): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let held = 0;
  let refused: 'too large' | 'no room' | undefined;
  let isDone = false;

  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (refused === undefined) {
      chunks.push(chunk);
      held += chunk.length;
      pool.bytes += chunk.length;
      if (size > limits.bodyBytes) refuse('too large');
      else if (pool.bytes > limits.allBodiesBytes) refuse('no room');
    } else if (size > limits.bodyBytes * drainFactor) {
      request.pause();
      finish(refused);
    }
  });
  request.on('end', () => finish(refused ?? 'whole'));
  request.on('error', ignoreBodyError);
  request.on('close', () => finish(refused ?? 'cut off'));

  function refuse(kind: 'too large' | 'no room'): void {
    refused = kind;
    // The beginning of a body that is too large is examined; if there is no room, only a little of it is kept.
    const most = kind === 'too large' ? limits.bodyBytes : limits.recordedBytes;
    const beginning = Buffer.from(Buffer.concat(chunks).subarray(0, most));
    pool.bytes -= held - beginning.length;
    held = beginning.length;
    chunks = [beginning];
  }

  function finish(kind: RequestBody['kind']): void {
    if (isDone) return;
    isDone = true;
    pool.bytes -= held;
    const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    done({ kind, bytes });
  }
}

/** An error here is followed by `close`, which reports everything that is needed. */
function ignoreBodyError(): void {}
