import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Socket as Connection, type Socket } from 'node:net';

// HTTP below `fetch`. It knows nothing of the test framework, because the site's script loads it with the honesty rows.

export const bothTypes = 'application/json, text/event-stream';

/** For requests that `fetch` does not allow, such as one with another `Host`. */
export function rawRequest(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | Buffer = '',
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** POSTs a body, or all but its last bytes, over a connection that is not read. */
export async function openUnread(
  url: string,
  headers: Record<string, string>,
  body: string,
  without = 0,
): Promise<Socket> {
  const { hostname, port, pathname, search } = new URL(url);
  const head = Object.entries({ ...headers, 'content-length': String(body.length) });
  const lines = [`POST ${pathname}${search} HTTP/1.1`, ...head.map((pair) => pair.join(': ')), '', ''];
  // Node reads a connection as soon as it is open, unless it is paused.
  const socket = new Connection().pause().connect(Number(port), hostname);
  await new Promise((resolve) => socket.on('connect', resolve));
  const bytes = lines.join('\r\n') + body.slice(0, body.length - without);
  await new Promise((resolve) => socket.write(bytes, resolve));
  return socket;
}
