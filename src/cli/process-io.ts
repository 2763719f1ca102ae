import { isatty } from 'node:tty';
import picocolors from 'picocolors';
import type { Io, Sink } from './io.ts';
import type { Exit } from './outcome.ts';

/** Why standard output took no more, where its reader did not simply leave. */
export interface ProcessIo extends Io {
  outputFailure(): NodeJS.ErrnoException | undefined;
}

export function processIo(): ProcessIo {
  const stdout = sinkTo(process.stdout);
  const stderr = sinkTo(process.stderr);
  return {
    stdout: stdout.sink,
    stderr: stderr.sink,
    stdin: { isTTY: isatty(0), chunks: readStdin },
    pipes: () => ({ input: process.stdin, output: process.stdout }),
    cwd: process.cwd(),
    environment: process.env,
    interruption,
    outputFailure: stdout.failure,
  };
}

/** Standard input is opened only by those who read it, and let go when they stop. */
async function* readStdin(): AsyncGenerator<Buffer> {
  for await (const chunk of process.stdin) yield chunk as Buffer;
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

function interruption(): Promise<Exit> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve('interrupted'));
    process.once('SIGTERM', () => resolve('terminated'));
  });
}
