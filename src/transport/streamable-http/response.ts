import type { ServerResponse } from 'node:http';

export function writeJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string>,
): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

/** Whether nobody is there to read it. A response that waits behind another is not told when its peer goes. */
export function isGone(response: ServerResponse): boolean {
  return response.destroyed || response.req.socket.destroyed;
}
