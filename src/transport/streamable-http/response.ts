import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { holdsGenerated, type Written, writeExpanded } from '../expanded.ts';

/** Writes a response; `written` is given for an answer. */
export function writeJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string>,
  written?: Written,
): void {
  if (written !== undefined) noteAnswer(response);
  if (holdsGenerated(text)) {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    writeExpanded(response, text, (cut) => {
      if (cut === undefined) response.end();
      written?.(cut);
    });
    return;
  }
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length, ...headers });
  // A text of one byte for each character is ASCII, which is the same in Latin-1 and faster to write.
  response.end(text, length === text.length ? 'latin1' : 'utf8');
  if (written !== undefined) whenLeft(response, written);
}

/** Calls `written` once everything written so far has left this process: at once if the peer reads. */
export function whenLeft(response: ServerResponse, written: Written): void {
  if (response.writableLength === 0) {
    written();
    return;
  }
  const { socket } = response.req;
  const tell = (): void =>
    written(socket.errored || socket.destroyed ? 'the peer was gone before all of it was sent' : undefined);
  if (response.writableEnded) response.once('close', tell);
  else response.write('', tell);
}

/** Tells whether nothing more reaches the peer. A response that waits behind another gets no event when its peer leaves. */
export function isGone({ destroyed, req: { socket } }: ServerResponse): boolean {
  return destroyed || socket.destroyed || socket.writableEnded;
}

/** Connections with an answer that their peers may not have read. */
const unread = new WeakSet<Socket>();

/** Notes an answer that goes out as a document has it: a peer that leaves before it reads this breaks off. */
export function noteAnswer({ req }: ServerResponse): void {
  unread.add(req.socket);
}

export function forgetAnswer(socket: Socket): void {
  unread.delete(socket);
}

export function mayHoldAnswer(socket: Socket): boolean {
  return unread.has(socket);
}
