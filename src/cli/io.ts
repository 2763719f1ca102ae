import type { Readable, Writable } from 'node:stream';
import type picocolors from 'picocolors';
import type { Exit, Outcome } from './outcome.ts';

export type Colours = ReturnType<typeof picocolors.createColors>;

/** What a command may touch of the world besides the files it is given. */
export interface Io {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin: Source;
  /** Standard input and output as they are, for a protocol that is spoken over them. */
  pipes(): { readonly input: Readable; readonly output: Writable };
  readonly cwd: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Settles when the user asks the program to stop. Signals are only caught once this is called. */
  interruption(): Promise<Exit>;
  /** Hears of the Enter key until what it gives is called; nothing where standard input is no terminal. */
  enterKey(pressed: () => void): (() => void) | undefined;
  /** Code of the user's is about to run in this process: what it prints and what it fails at are its own from now on. */
  hostCode(): void;
}

export interface Sink {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly colours: Colours;
  /** Waits while the reader is slow, so that output does not pile up in memory. */
  write(text: string): Promise<void>;
  /** False once the reader has gone, as `head` does; what is written then is dropped. */
  isOpen(): boolean;
}

interface Source {
  readonly isTTY: boolean;
  chunks(): AsyncIterable<Buffer>;
}

/** Says on stderr what went wrong and what would help. */
export async function complain(io: Io, exit: Exit, message: string, hint?: string): Promise<Outcome> {
  const { colours } = io.stderr;
  await io.stderr.write(`oatf: ${colours.red('error:')} ${message}\n`);
  if (hint !== undefined) await io.stderr.write(`oatf: ${colours.cyan('hint:')} ${hint}\n`);
  return { exit };
}
