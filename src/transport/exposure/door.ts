import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Incoming } from '../../engine/messages.ts';
import type { Guard } from '../streamable-http/guard.ts';
import { comparesWith, type Exposure, secretProblem } from './exposure.ts';

/** What strangers did is told in full this often, and from then on at every tenfold. */
const mostTold = 20;

/**
 * The door of a server that anybody can reach. Who does not have the secret learns nothing, is never taken for the
 * agent, and cannot fill a trace.
 */
export class Door {
  /** What stands in front of every path. */
  readonly base: string;
  readonly #isSecret: (given: string) => boolean;
  readonly #patienceMs: number;
  readonly #tell: (message: Incoming) => void;
  readonly #admitted = new Set<Socket>();
  #strangers = 0;

  /** `patienceMs` is how long a connection may last that nobody has shown the secret over. */
  constructor({ secret }: Exposure, patienceMs: number, tell: (message: Incoming) => void) {
    const problem = secretProblem(secret);
    if (problem !== undefined) throw new TypeError(`the secret of an exposure ${problem}`);
    this.base = `/${secret}`;
    this.#isSecret = comparesWith(secret);
    this.#patienceMs = patienceMs;
    this.#tell = tell;
  }

  /** Whether anybody is connected who has shown the secret. */
  get isConnected(): boolean {
    return this.#admitted.size > 0;
  }

  /** Sees to it that a connection is used by somebody who may, or goes. */
  watch(socket: Socket): void {
    const timer = setTimeout(() => {
      if (!this.#admitted.has(socket)) socket.destroy();
    }, this.#patienceMs).unref();
    socket.once('close', () => {
      clearTimeout(timer);
      this.#admitted.delete(socket);
    });
  }

  isAdmitted(socket: Socket): boolean {
    return this.#admitted.has(socket);
  }

  admit(socket: Socket): void {
    if (!socket.destroyed) this.#admitted.add(socket);
  }

  /** Answers those who may not come in. Of those who may, the secret is taken out of the address. */
  turnsAway(request: IncomingMessage, response: ServerResponse, guard: Guard): boolean {
    const { method = '', url = '', headers, socket } = request;
    const rest = this.#behindSecret(url);
    const reason =
      rest === undefined && !this.opensFor(headers.authorization) ? withoutSecret : guard(headers);
    if (reason === undefined) {
      this.admit(socket);
      if (rest !== undefined) request.url = rest;
      return false;
    }
    this.refuse(`${method} ${shownPath(url)}`, reason, socket.remoteAddress);
    response.writeHead(404, { 'Content-Length': 0, Connection: 'close' }).end();
    return true;
  }

  opensFor(authorization: IncomingHttpHeaders['authorization']): boolean {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    return token !== undefined && this.#isSecret(token);
  }

  /** Lets the record show who was not let in: it may be an agent that was told wrongly. */
  refuse(what: string, reason: string, from = 'an unknown address'): void {
    this.#strangers += 1;
    const count = this.#strangers;
    if (count > mostTold && !/^10+$/.test(String(count))) return;
    const which = `from ${from}${count > mostTold ? `; ${count} so far` : ''}`;
    const message = `refused ${what}: ${reason} (${which})`;
    this.#tell({ kind: 'log', level: 'warn', message });
  }

  /** What an address asks for, if it begins with the secret. */
  #behindSecret(url: string): string | undefined {
    const [, first = '', rest = ''] = /^\/([^/?#]*)(.*)$/s.exec(url) ?? [];
    if (!this.#isSecret(first)) return undefined;
    return rest.startsWith('/') ? rest : `/${rest}`;
  }
}

export const withoutSecret = 'no secret in its path or token';

/** What stands in a place of its own and is long may be a secret, this one with a slip in it or another. */
function shownPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.slice(0, 200).replace(/[^/]{16,}/g, '…');
}
