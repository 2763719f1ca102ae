import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** The paths that a shell passes for `<(command)`: these pipes have a writer and an end. */
const handedOver = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/** The error code for something that is not a file. */
export const notRegular = 'ENOTREGULAR';

/**
 * Opens a file for reading. Pipes without a writer, and devices, may never end, so they are refused. `flags` are added to
 * those of opening.
 */
export function openRegular(path: string, flags = 0): number {
  if (handedOver.test(path)) return openSync(path, 'r');
  refuseOthers(statSync(path), path);
  // The path may have changed since the check, so it is checked again. Non-blocking, because opening a pipe would wait
  // for a writer.
  return checkRegular(openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags), path);
}

/** Closes an open file again, and throws, if it is none that is read. */
export function checkRegular(file: number, path: string): number {
  try {
    refuseOthers(fstatSync(file), path);
    return file;
  } catch (thrown) {
    closeSync(file);
    throw thrown;
  }
}

/** A larger file is not a written text, and would not fit into memory. */
const mostText = 500 * 1024 * 1024;

/** Reads a whole text file. */
export function readRegular(path: string, mostBytes = mostText): string {
  return readText(openRegular(path), path, mostBytes);
}

/** Reads an open file as text, and closes it; `path` is for the message. */
export function readText(file: number, path: string, mostBytes = mostText): string {
  const bytes = readBounded(file, mostBytes);
  if (bytes === 'too long')
    throw Object.assign(new Error(`EFBIG: longer than ${mostBytes} bytes: ${path}`), { code: 'EFBIG' });
  return bytes.toString('utf8');
}

/** Reads a whole file, unless it is longer than `mostBytes`. A file that is open already is closed. */
export function readBounded(from: string | number, mostBytes: number): Buffer | 'too long' {
  const file = typeof from === 'number' ? from : openRegular(from);
  try {
    const { size } = fstatSync(file);
    if (size > mostBytes) return 'too long';
    // A pipe has no size, and a file may grow while it is read.
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

/** Accepts folders too: reading one gives the usual error. */
export function refuseOthers(stats: Kind, path: string): void {
  if (stats.isFile() || stats.isDirectory()) return;
  const message = `${notRegular}: a pipe, a socket or a device is not read: ${path}`;
  throw Object.assign(new Error(message), { code: notRegular });
}
