import type { Socket } from 'node:net';

/** HTTP/2 begins with these; nothing of HTTP/1 does. */
const preface = 'PRI * HTTP/2';

/** Looks at what a peer says first, puts it back, and lets the right one go on. */
export function lookFirst(
  socket: Socket,
  patienceMs: number,
  { http1, http2 }: { http1(): void; http2(): void },
): void {
  const giveUp = (): void => void socket.destroy();
  const look = (): void => {
    const head = socket.read() as Buffer | null;
    if (head === null) return;
    socket.off('readable', look);
    socket.off('error', giveUp);
    socket.setTimeout(0);
    socket.off('timeout', giveUp);
    socket.unshift(head);
    if (head.subarray(0, preface.length).toString('latin1') === preface) http2();
    else http1();
  };
  socket.setTimeout(patienceMs, giveUp);
  socket.on('error', giveUp);
  socket.on('readable', look);
}
