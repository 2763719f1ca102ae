import picocolors from 'picocolors';
import type { Io, Sink } from '../../src/cli/io.ts';

/** A person at a terminal who types these lines. */
export function terminal(cwd: string, typed: readonly string[]): { readonly io: Io; readonly shown: string[] } {
  const shown: string[] = [];
  const sink: Sink = {
    isTTY: true,
    columns: 80,
    colours: picocolors.createColors(false),
    isOpen: () => true,
    async write(text) {
      shown.push(text);
    },
  };
  let isOpened = false;
  async function* chunks(): AsyncGenerator<Buffer> {
    // A terminal that was released cannot be opened again.
    if (isOpened) throw new Error('The operation was aborted');
    isOpened = true;
    // As terminals do it, or all at once, or in the middle of a letter.
    for (const line of typed) for (const byte of Buffer.from(line)) yield Buffer.of(byte);
  }
  const io: Io = {
    stdout: sink,
    stderr: sink,
    stdin: { isTTY: true, chunks },
    pipes: () => {
      throw new Error('nobody needs them');
    },
    cwd,
    environment: {},
    interruption: () => new Promise(() => {}),
    enterKey: () => undefined,
    hostCode: () => {},
    endWhenDone: () => {},
  };
  return { io, shown };
}
