import type { Socket } from 'node:net';

/** Ends a connection in the middle: with a reset, or by closing our side. */
export function breakOff(socket: Socket | null, by: 'reset' | 'close'): void {
  if (socket === null || socket.destroyed) return;
  if (by === 'close') socket.end();
  // TLS has no reset of its own.
  else if (typeof socket.resetAndDestroy === 'function' && !('encrypted' in socket)) socket.resetAndDestroy();
  else socket.destroy();
}

/** Waits until the written bytes have left this process, so that the peer sees the beginning before the end. */
export function callWhenWritten(socket: Socket | null, then: () => void): void {
  setImmediate(() => {
    if (socket === null || socket.destroyed || socket.writableLength === 0) then();
    else callWhenWritten(socket, then);
  });
}
