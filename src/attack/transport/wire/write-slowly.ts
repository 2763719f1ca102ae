import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { AppliedWireRule } from '../../../format/model/applied-wire-rule.ts';

/** Writes a few bytes at a time. `done` gets the number written: fewer than all if the peer has left. */
export function writeSlowly(
  out: Writable,
  bytes: Buffer,
  pace: AppliedWireRule['pace'],
  done: (written: number) => void,
): void {
  if (pace === undefined) {
    if (bytes.length > 0) out.write(bytes);
    done(bytes.length);
    return;
  }
  let offset = 0;
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;
  const finish = (): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    out.off('close', finish);
    done(offset);
  };
  const next = (): void => {
    if (out.destroyed || offset >= bytes.length) return void finish();
    out.write(bytes.subarray(offset, offset + pace.bytes));
    offset += Math.min(pace.bytes, bytes.length - offset);
    if (offset >= bytes.length) finish();
    else timer = setTimeout(next, pace.everyMs).unref();
  };
  out.on('close', finish);
  next();
}

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
