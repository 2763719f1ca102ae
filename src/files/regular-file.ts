import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** What a shell puts in place of a command, as in `<(command)`: somebody writes to it, and stops. */
const handedOver = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/** The code of what is no file. */
export const notRegular = 'ENOTREGULAR';

/** Opens a file for reading. Pipes nobody writes to, and devices, would never end, so they are refused. */
export function openRegular(path: string): number {
  if (handedOver.test(path)) return openSync(path, 'r');
  refuseOthers(statSync(path), path);
  // Something else may stand there by now. Without waiting: a pipe would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    refuseOthers(fstatSync(file), path);
    return file;
  } catch (thrown) {
    closeSync(file);
    throw thrown;
  }
}

/** More than this is no text that anybody wrote, and would not fit into memory as one. */
const mostText = 500 * 1024 * 1024;

/** All of a text file. */
export function readRegular(path: string, mostBytes = mostText): string {
  const bytes = readBounded(path, mostBytes);
  if (bytes === 'too long')
    throw Object.assign(new Error(`EFBIG: longer than ${mostBytes} bytes: ${path}`), { code: 'EFBIG' });
  return bytes.toString('utf8');
}

/** All of a file that is not longer than that. */
export function readBounded(path: string, mostBytes: number): Buffer | 'too long' {
  const file = openRegular(path);
  try {
    const { size } = fstatSync(file);
    if (size > mostBytes) return 'too long';
    // What a shell hands over has no size, and a file may grow while it is read.
    const chunks: Buffer[] = [];
    for (let total = 0; ; ) {
      const chunk = Buffer.allocUnsafe(Math.max(size - total, 64 * 1024));
      const read = readSync(file, chunk);
      if (read === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, read));
      total += read;
      if (total > mostBytes) return 'too long';
    }
  } finally {
    closeSync(file);
  }
}

interface Kind {
  isFile(): boolean;
  isDirectory(): boolean;
}

/** A folder is told of by whoever reads it. */
function refuseOthers(stats: Kind, path: string): void {
  if (stats.isFile() || stats.isDirectory()) return;
  const message = `${notRegular}: a pipe, a socket or a device is not read: ${path}`;
  throw Object.assign(new Error(message), { code: notRegular });
}
