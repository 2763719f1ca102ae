import picocolors from 'picocolors';
import { disarmCommands } from '../format/model/disarm-commands.ts';
import type { Exit } from './command-outcome.ts';
import type { Io, Sink } from './io.ts';

export interface ProcessIo extends Io {
  /** Why standard output could not be written, unless its reader simply closed it. */
  outputFailure(): NodeJS.ErrnoException | undefined;
  /** Whether a reader has not yet read everything that was written for it. */
  isUnwritten(): boolean;
  /** Whether `endWhenDone` was called. */
  mayLinger(): boolean;
  /** Whether the user's code runs in this process. */
  isHost(): boolean;
  /** Stops a running command after the user's code has failed; returns whether there was one. */
  stopForFault(): boolean;
}

export function createProcessIo(leave: (exit: Exit) => never): ProcessIo {
  const stderr = createStreamSink(() => process.stderr);
  const output = divertConsole(process.stdout, stderr.stream);
  const stdout = createStreamSink(() => output.stream);
  const stops = new Set<(exit: Exit) => void>();
  let isHost = false;
  let mayLinger = false;
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
    enterKey: (pressed) => (isTerminal() ? onEnter(pressed) : undefined),
    hostCode() {
      isHost = true;
      output.begin();
    },
    endWhenDone() {
      mayLinger = true;
    },
    mayLinger: () => mayLinger,
    isHost: () => isHost,
    stopForFault() {
      if (!isHost || stops.size === 0) return false;
      for (const stop of stops) stop('fault');
      return true;
    },
    outputFailure: stdout.failure,
    // Some commands write to standard output themselves.
    isUnwritten: () => process.stdout.writableLength > 0 || stderr.isUnwritten(),
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

function onEnter(pressed: () => void): () => void {
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

/** A stream for people to read, and its looks. */
interface Screen extends Pick<Sink, 'isTTY' | 'columns' | 'colours'> {
  readonly stream: NodeJS.WriteStream;
}

/**
 * Opens the stream when it is first used. Most commands write nothing to standard error, and opening a pipe loads
 * Node's network code.
 */
function createStreamSink(open: () => NodeJS.WriteStream): {
  sink: Sink;
  stream(): NodeJS.WriteStream;
  failure(): NodeJS.ErrnoException | undefined;
  isUnwritten(): boolean;
} {
  let screen: Screen | undefined;
  let failed: NodeJS.ErrnoException | undefined;
  const opened = (): Screen => {
    if (screen !== undefined) return screen;
    const stream = open();
    stream.on('error', (error) => {
      failed ??= error;
    });
    screen = { stream, ...readScreenProperties(stream) };
    return screen;
  };
  return {
    sink: {
      get isTTY() {
        return opened().isTTY;
      },
      get columns() {
        return opened().columns;
      },
      get colours() {
        return opened().colours;
      },
      isOpen: () => failed === undefined,
      write: (text, how) =>
        new Promise((resolve) => {
          if (failed !== undefined || text === '') resolve();
          else opened().stream.write(how === 'exact' ? text : disarmCommands(text), () => resolve());
        }),
    },
    stream: () => opened().stream,
    failure: () => (failed?.code === 'EPIPE' ? undefined : failed),
    isUnwritten: () => screen !== undefined && screen.stream.writableLength > 0,
  };
}

function readScreenProperties({ isTTY = false, columns = 80 }: NodeJS.WriteStream): Omit<Screen, 'stream'> {
  const { NO_COLOR, TERM } = process.env;
  return {
    isTTY,
    columns: isTTY ? Math.max(columns, 40) : widthOfPipes,
    colours: picocolors.createColors(isTTY && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb'),
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

/** A stream that is kept for us, while output from other code goes elsewhere. */
interface DivertedConsole {
  /** Our stream: output written here goes to the original destination. */
  readonly stream: NodeJS.WriteStream;
  /** From now on, output of other code goes elsewhere. */
  begin(): void;
}

function divertConsole(from: NodeJS.WriteStream, to: () => NodeJS.WriteStream): DivertedConsole {
  const write = from.write.bind(from);
  return {
    stream: new Proxy(from, {
      get(target, key) {
        if (key === 'write') return write;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    begin() {
      const elsewhere = to();
      from.write = elsewhere.write.bind(elsewhere) as typeof from.write;
    },
  };
}
