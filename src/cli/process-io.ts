import picocolors from 'picocolors';
import { divert } from './divert.ts';
import type { Io, Sink } from './io.ts';
import type { Exit } from './outcome.ts';

export interface ProcessIo extends Io {
  /** Why standard output could not be written, unless its reader simply closed it. */
  outputFailure(): NodeJS.ErrnoException | undefined;
  /** Whether the user's code runs in this process. */
  isHost(): boolean;
  /** Stops a running command after the user's code has failed; returns whether there was one. */
  stopForFault(): boolean;
}

export function processIo(leave: (exit: Exit) => never): ProcessIo {
  const output = divert(process.stdout, process.stderr);
  const stdout = sinkTo(output.stream);
  const stderr = sinkTo(process.stderr);
  const stops = new Set<(exit: Exit) => void>();
  let isHost = false;
  return {
    stdout: stdout.sink,
    stderr: stderr.sink,
    stdin: {
      get isTTY() {
        return isTerminal();
      },
      chunks: readStdin,
    },
    pipes: () => ({ input: process.stdin, output: output.stream }),
    cwd: process.cwd(),
    environment: process.env,
    interruption: () =>
      new Promise((resolve) => {
        stops.add(resolve);
        catchSignals(resolve, leave);
      }),
    enterKey: (pressed) => (isTerminal() ? hearEnter(pressed) : undefined),
    hostCode() {
      isHost = true;
      output.begin();
    },
    isHost: () => isHost,
    stopForFault() {
      if (!isHost || stops.size === 0) return false;
      for (const stop of stops) stop('fault');
      return true;
    },
    outputFailure: stdout.failure,
  };
}

/** Checked on demand: most commands never ask, and Node's tty module loads its network code. */
function isTerminal(): boolean {
  return process.getBuiltinModule('node:tty').isatty(0);
}

/** Opens standard input only when it is read, and releases it afterwards. */
async function* readStdin(): AsyncGenerator<Buffer> {
  for await (const chunk of process.stdin) yield chunk as Buffer;
}

function hearEnter(pressed: () => void): () => void {
  const read = (chunk: Buffer): void => {
    if (chunk.includes('\n')) pressed();
  };
  process.stdin.on('data', read);
  return () => {
    process.stdin.off('data', read);
    // Reading from a terminal keeps the process alive.
    process.stdin.pause();
  };
}

const widthOfPipes = 120;

function sinkTo(stream: NodeJS.WriteStream): {
  sink: Sink;
  failure(): NodeJS.ErrnoException | undefined;
} {
  let failed: NodeJS.ErrnoException | undefined;
  stream.on('error', (error) => {
    failed ??= error;
  });
  const { NO_COLOR, TERM } = process.env;
  const isTTY = stream.isTTY === true;
  return {
    sink: {
      isTTY,
      columns: isTTY ? Math.max(stream.columns ?? 80, 40) : widthOfPipes,
      colours: picocolors.createColors(
        isTTY && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb',
      ),
      isOpen: () => failed === undefined,
      write: (text) =>
        new Promise((resolve) => {
          if (failed !== undefined || text === '') resolve();
          else stream.write(text, () => resolve());
        }),
    },
    failure: () => (failed?.code === 'EPIPE' ? undefined : failed),
  };
}

// A closed terminal has the same effect as a request to terminate.
const signals = { SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'terminated' } as const;

/** The first signal asks to stop; the second ends the process at once. */
function catchSignals(first: (exit: Exit) => void, again: (exit: Exit) => never): void {
  let isAsked = false;
  for (const [signal, exit] of Object.entries(signals))
    process.on(signal, () => {
      if (isAsked) again(exit);
      isAsked = true;
      first(exit);
    });
}
