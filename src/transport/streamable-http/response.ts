import type { ServerResponse } from 'node:http';
import { holdsGenerated, type Written, writeExpanded } from '../expanded.ts';

export function writeJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string>,
  written: Written = () => {},
): void {
  if (holdsGenerated(text)) {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    writeExpanded(response, text, (cut) => {
      if (cut === undefined) response.end();
      written(cut);
    });
    return;
  }
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
  written();
}

/** Tells whether the peer has left. A response that waits behind another gets no event when its peer leaves. */
export function isGone(response: ServerResponse): boolean {
  return response.destroyed || response.req.socket.destroyed;
}
