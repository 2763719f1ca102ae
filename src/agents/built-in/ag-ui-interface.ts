import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuard, type Guard } from '../../attack/transport/http-server/guard.ts';
import { defaultHttpServerLimits } from '../../attack/transport/http-server/http-server-options.ts';
import { type BodyPool, readRequestBody } from '../../attack/transport/http-server/read-body.ts';
import { writeJson } from '../../attack/transport/http-server/response.ts';
import { readJson } from '../../attack/transport/json-text.ts';
import { isValueMap, type ValueMap } from '../../format/model/value.ts';
import { type RunInput, readRunInput } from '../adapters/conversation/read-run-input.ts';
import type { Emit } from './run-events.ts';

export type RunHandler = (input: RunInput, emit: Emit, signal: AbortSignal) => Promise<void>;

export interface AgUiInterfaceOptions {
  readonly host?: string | undefined;
  /** 0 selects a free port. */
  readonly port?: number | undefined;
  readonly run: RunHandler;
}

const bodyBytes = 4 * 1024 * 1024;
const maxDepth = 256;

/** The interface for users: a run input is POSTed, and the response streams the events of the run. */
export class AgUiInterface {
  readonly url: string;
  readonly #server: Server;
  readonly #runs: Set<AbortController>;

  private constructor(server: Server, runs: Set<AbortController>, url: string) {
    this.#server = server;
    this.#runs = runs;
    this.url = url;
  }

  static async open({ host = '127.0.0.1', port = 0, run }: AgUiInterfaceOptions): Promise<AgUiInterface> {
    const runs = new Set<AbortController>();
    const pool: BodyPool = { bytes: 0 };
    let guard: Guard = () => 'not open yet';
    const server = createServer((request, response) => {
      const refusal = guard(request.headers);
      if (refusal !== undefined) return refuse(response, 403, refusal);
      if (request.method !== 'POST') return refuse(response, 405, 'POST a run input here', { Allow: 'POST' });
      // A web page cannot send JSON to us without a preflight request, so this keeps pages out.
      if (!isJsonType(request.headers['content-type'])) return refuse(response, 415, 'a run input is application/json');
      receive(request, response, pool, (input) => void serve(input, response, run, runs));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    const bound = (server.address() as AddressInfo).port;
    guard = createGuard({ host, port: bound, allowedHosts: [], allowedOrigins: [] });
    return new AgUiInterface(server, runs, `http://${host.includes(':') ? `[${host}]` : host}:${bound}/`);
  }

  /** Aborts the active runs. */
  async close(): Promise<void> {
    for (const run of this.#runs) run.abort(new Error('the agent is being stopped'));
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}

function isJsonType(type: string | undefined): boolean {
  return /^application\/(?:[\w.+-]*\+)?json\s*(?:;|$)/i.test(type ?? '');
}

function receive(
  request: IncomingMessage,
  response: ServerResponse,
  pool: BodyPool,
  accept: (input: RunInput) => void,
): void {
  readRequestBody(request, { ...defaultHttpServerLimits, bodyBytes }, pool, ({ kind, bytes }) => {
    if (kind === 'cut off') return;
    if (kind === 'too large') return refuse(response, 413, `a run input may have ${bodyBytes} bytes`);
    if (kind === 'no room') return refuse(response, 503, 'too much is being read at once');
    const read = readJson(bytes, maxDepth);
    if (!read.ok) return refuse(response, 400, `the run input is ${read.reason}`);
    if (!isValueMap(read.value)) return refuse(response, 400, 'the run input is not a JSON object');
    accept(readRunInput(read.value, randomUUID));
  });
}

async function serve(
  input: RunInput,
  response: ServerResponse,
  run: RunHandler,
  runs: Set<AbortController>,
): Promise<void> {
  const controller = new AbortController();
  runs.add(controller);
  response.once('close', () => controller.abort(new Error('the client has gone')));
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  const emit = (event: ValueMap): void => {
    if (!response.writableEnded && !response.destroyed) response.write(`data: ${JSON.stringify(event)}\n\n`);
  };
  await run(input, emit, controller.signal);
  runs.delete(controller);
  response.end();
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  writeJson(response, status, JSON.stringify({ error: message }), headers);
}
