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
