import type { Socket } from 'node:net';

/** The first bytes of HTTP/2; no HTTP/1 request begins with them. */
const preface = 'PRI * HTTP/2';

export interface Protocols {
  http1(): void;
  http2(): void;
}

/** Connections that have not sent anything yet. */
export class FirstBytes {
  readonly #patienceMs: number;
  readonly #silent = new Set<Socket>();

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Reads the first bytes of a peer, puts them back, and lets the right protocol go on. */
  look(socket: Socket, { http1, http2 }: Protocols): void {
    const giveUp = (): void => void socket.destroy();
    const read = (): void => {
      const head = socket.read() as Buffer | null;
      if (head === null) return;
      this.#silent.delete(socket);
      socket.setTimeout(0);
      socket.off('readable', read).off('error', giveUp).off('end', giveUp).off('timeout', giveUp);
      socket.unshift(head);
      if (head.subarray(0, preface.length).toString('latin1') === preface) http2();
      else http1();
    };
    this.#silent.add(socket);
    socket.setTimeout(this.#patienceMs, giveUp);
    socket.on('readable', read).on('error', giveUp).on('end', giveUp);
    socket.once('close', () => this.#silent.delete(socket));
  }

  close(): void {
    for (const socket of this.#silent) socket.destroy();
  }
}
