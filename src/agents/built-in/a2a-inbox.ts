import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultHttpServerLimits } from '../../attack/transport/http-server/http-server-options.ts';
import { type BodyPool, readRequestBody } from '../../attack/transport/http-server/read-body.ts';
import { readJson } from '../../attack/transport/json-text.ts';
import type { Value, ValueMap } from '../../format/model/value.ts';

/** The callbacks that wait for a message, by path. */
type Waiting = Map<string, (report: Value | undefined) => void>;

/** The address at which remote agents report on long-running tasks. */
export class A2aInbox {
  readonly #server: Server;
  readonly #waiting: Waiting;
  readonly #url: string;

  private constructor(server: Server, waiting: Waiting, url: string) {
    this.#server = server;
    this.#waiting = waiting;
    this.#url = url;
  }

  static async open(): Promise<A2aInbox> {
    const waiting: Waiting = new Map();
    const pool: BodyPool = { bytes: 0 };
    const server = createServer((request, response) => {
      readRequestBody(request, { ...defaultHttpServerLimits, bodyBytes: 1024 * 1024 }, pool, ({ kind, bytes }) => {
        const read = kind === 'whole' ? readJson(bytes, 256) : undefined;
        const hear = waiting.get(request.url ?? '');
        response.writeHead(hear === undefined || read?.ok !== true ? 404 : 200).end();
        if (read?.ok === true) hear?.(read.value);
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    return new A2aInbox(server, waiting, `http://127.0.0.1:${port}`);
  }

  /** Opens a path for one task; `report` resolves to undefined when the time is over. */
  expect(ms: number): { readonly config: ValueMap; readonly report: Promise<Value | undefined>; stop(): void } {
    const path = `/${randomUUID()}`;
    let stop = (): void => {};
    const report = new Promise<Value | undefined>((resolve) => {
      const timer = setTimeout(() => finish(undefined), ms);
      const finish = (value: Value | undefined): void => {
        clearTimeout(timer);
        this.#waiting.delete(path);
        resolve(value);
      };
      stop = () => finish(undefined);
      this.#waiting.set(path, finish);
    });
    return { config: { id: path.slice(1), url: this.#url + path, token: randomUUID() }, report, stop };
  }

  async close(): Promise<void> {
    for (const finish of [...this.#waiting.values()]) finish(undefined);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}
