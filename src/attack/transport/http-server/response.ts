import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { holdsGenerated, type TextSentCallback, writeExpanded } from '../expand-generated.ts';
import { findDamage } from './sent-responses.ts';

/** Writes a response; `written` is given for an answer. */
export function writeJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string>,
  written?: TextSentCallback,
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
  if (written !== undefined) callWhenFlushed(response, written);
}

/**
 * Sends what `write` writes in one packet. The connection is corked and not the response: Node 22 and 24 send the end of a
 * response that is ended while it is corked before its last messages.
 */
export function sendTogether({ socket }: ServerResponse, write: () => void): void {
  socket?.cork();
  try {
    write();
  } finally {
    socket?.uncork();
  }
}

/** Calls `written` once everything written so far has left this process: at once if the peer reads. */
export function callWhenFlushed(response: ServerResponse, written: TextSentCallback): void {
  if (response.writableLength === 0) {
    written(findDamage(response));
    return;
  }
  const { socket } = response.req;
  const tell = (): void => {
    const isGone = socket.errored || socket.destroyed;
    written(findDamage(response) ?? (isGone ? 'the peer was gone before all of it was sent' : undefined));
  };
  if (response.writableEnded) response.once('close', tell);
  else response.write('', tell);
}

/** Tells whether nothing more reaches the peer. A response that waits behind another gets no event when its peer leaves. */
export function isGone({ destroyed, req: { socket } }: ServerResponse): boolean {
  return destroyed || socket.destroyed || socket.writableEnded;
}

/** Connections with an answer that their peers may not have read. */
const unread = new WeakSet<Socket>();

/** Notes an answer of the document, so that a peer that disconnects without reading it is noticed. */
export function noteAnswer({ req }: ServerResponse): void {
  unread.add(req.socket);
}

export function forgetAnswer(socket: Socket): void {
  unread.delete(socket);
}

export function mayHoldAnswer(socket: Socket): boolean {
  return unread.has(socket);
}
