import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { selectRedactor } from '../../secrets/redactor.ts';
import { formatJsonElement } from './encode-part.ts';
import { GrowingResults } from './growing-results.ts';
import { partIds } from './page-data.ts';
import { readLiveTemplate } from './template.ts';

export interface LiveReport {
  /** The address of the page. It contains a random part, so it cannot be guessed. */
  readonly url: string;
  close(): Promise<void>;
}

export interface LiveReportOptions {
  readonly showSecrets?: boolean | undefined;
}

const lookEveryMs = 500;
const plainText = 'text/plain; charset=utf-8';

/** Serves the report of a results folder while a suite fills it. It polls the folder, so the suite need not notify it. */
export async function serveReport(folder: string, options: LiveReportOptions = {}): Promise<LiveReport> {
  const results = new GrowingResults(folder, selectRedactor(options.showSecrets ?? false));
  const template = readLiveTemplate();
  const base = `/${randomBytes(16).toString('hex')}/`;
  const listeners = new Set<ServerResponse>();
  let host = '';
  /** The last state that was sent to listeners. */
  let told = -1;

  const server = createServer((request, response) => {
    const path = pathOf(request);
    if (path === undefined) return answerPageRequest(response, 404, plainText, 'not found');
    if (path === 'events') return listen(response);
    results.poll();
    if (path === '') return answerPageRequest(response, 200, 'text/html; charset=utf-8', page());
    const part = partAt(path);
    if (part === undefined) return answerPageRequest(response, 404, plainText, 'not found');
    answerPageRequest(response, 200, 'application/json', JSON.stringify(part));
  });

  /** Only a client that knows the random path, under the expected host name, is served: other web pages must not read it. */
  function pathOf({ url = '', method, headers }: IncomingMessage): string | undefined {
    const isOurs = method === 'GET' && headers.host === host && url.startsWith(base);
    return isOurs ? url.slice(base.length) : undefined;
  }

  function page(): string {
    const index = formatJsonElement(partIds.index, results.index(), ' data-live=""');
    return template.beforeIndex + index + template.afterIndex + template.end;
  }

  function partAt(path: string): unknown {
    if (path === partIds.index) return results.index();
    const [, kind, first = '', second] = /^(document|run)-(\d{1,9})(?:-(\d{1,9}))?$/.exec(path) ?? [];
    if (kind === 'document') return results.document(Number(first));
    if (kind !== 'run') return undefined;
    return second === undefined ? results.run(Number(first)) : results.messages(Number(first), Number(second));
  }

  function listen(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': here\n\n');
    listeners.add(response);
    response.once('close', () => listeners.delete(response));
  }

  const timer = setInterval(() => {
    if (listeners.size === 0) return;
    const state = results.poll();
    if (state === told) return;
    told = state;
    for (const listener of listeners) listener.write('data: more\n\n');
  }, lookEveryMs);
  timer.unref();

  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', listening);
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}${base}`,
    close() {
      clearInterval(timer);
      for (const listener of listeners) listener.end();
      return new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      });
    },
  };
}

function answerPageRequest(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  response.end(text);
}
