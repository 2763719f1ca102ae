import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Incoming } from '../../engine/actor-messages.ts';
import type { Guard } from '../http-server/guard.ts';
import { createSecretCheck, type Exposure, explainBadSecret } from './exposure.ts';

/** This many refused strangers are reported one by one; after that, only each tenfold number. */
const mostReported = 20;

/**
 * Guards a server that any machine can reach. A client without the secret learns nothing, is never taken as the agent,
 * and cannot fill a trace.
 */
export class SecretGate {
  /** The prefix of every path. */
  readonly base: string;
  readonly #isSecret: (given: string) => boolean;
  readonly #patienceMs: number;
  readonly #tell: (message: Incoming) => void;
  readonly #admitted = new Set<Socket>();
  #strangers = 0;

  /** `patienceMs` is how long a connection may stay without showing the secret. */
  constructor({ secret }: Exposure, patienceMs: number, tell: (message: Incoming) => void) {
    const problem = explainBadSecret(secret);
    if (problem !== undefined) throw new TypeError(`the secret of an exposure ${problem}`);
    this.base = `/${secret}`;
    this.#isSecret = createSecretCheck(secret);
    this.#patienceMs = patienceMs;
    this.#tell = tell;
  }

  /** Whether any client that has shown the secret is connected. */
  get isConnected(): boolean {
    return this.#admitted.size > 0;
  }

  /** Closes a connection that does not show the secret in time. */
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

  /** Answers clients that are not admitted. For admitted clients, it removes the secret from the URL. */
  turnsAway(request: IncomingMessage, response: ServerResponse, guard: Guard): boolean {
    const { method = '', url = '', headers, socket } = request;
    const rest = this.#behindSecret(url);
    const reason = rest === undefined && !this.opensFor(headers.authorization) ? withoutSecret : guard(headers);
    if (reason === undefined) {
      this.admit(socket);
      if (rest !== undefined) request.url = rest;
      return false;
    }
    this.refuse(`${method} ${maskPath(url)}`, reason, socket.remoteAddress);
    response.writeHead(404, { 'Content-Length': 0, Connection: 'close' }).end();
    return true;
  }

  opensFor(authorization: IncomingHttpHeaders['authorization']): boolean {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    return token !== undefined && this.#isSecret(token);
  }

  /** Records a client that was not admitted: it may be an agent with a wrong URL. */
  refuse(what: string, reason: string, from = 'an unknown address'): void {
    this.#strangers += 1;
    const count = this.#strangers;
    if (count > mostReported && !/^10+$/.test(String(count))) return;
    const which = `from ${from}${count > mostReported ? `; ${count} so far` : ''}`;
    const message = `refused ${what}: ${reason} (${which})`;
    this.#tell({ kind: 'log', level: 'warn', message });
  }

  /** The path after the secret, if the URL begins with it. */
  #behindSecret(url: string): string | undefined {
    const [, first = '', rest = ''] = /^\/([^/?#]*)(.*)$/s.exec(url) ?? [];
    if (!this.#isSecret(first)) return undefined;
    return rest.startsWith('/') ? rest : `/${rest}`;
  }
}

export const withoutSecret = 'no secret in its path or token';

/** A long path segment may be a secret, mistyped or another server's, so it is masked. */
function maskPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.slice(0, 200).replace(/[^/]{16,}/g, '…');
}
