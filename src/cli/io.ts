import type { Readable, Writable } from 'node:stream';
import type picocolors from 'picocolors';
import { escapeInvisible } from '../format/model/escape-invisible.ts';
import type { CommandOutcome, Exit } from './command-outcome.ts';

export type Colours = ReturnType<typeof picocolors.createColors>;

/** The parts of the world that a command may use apart from its files. */
export interface Io {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin: InputStream;
  /** Raw standard input and output, for a protocol that runs over them. */
  pipes(): { readonly input: Readable; readonly output: Writable };
  readonly cwd: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Settles when the user asks the program to stop. Signals are caught only after this is called. */
  interruption(): Promise<Exit>;
  /**
   * Calls `pressed` for each Enter key until the returned function is called; undefined if standard input is not a
   * terminal.
   */
  enterKey(pressed: () => void): (() => void) | undefined;
  /** Announces that the user's code is about to run in this process: its output and its errors are its own from now on. */
  hostCode(): void;
  /** Announces that what is still open after the command may not keep the process alive: the user's code may have opened it. */
  endWhenDone(): void;
}

export interface Sink {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly colours: Colours;
  /**
   * Waits while the reader is slow, so that output does not pile up in memory. Commands that a CI system would read in a
   * log are disarmed, unless the text is `exact`: a document, a script, or commands of our own.
   */
  write(text: string, how?: 'exact'): Promise<void>;
  /** False once the reader has closed its end, as `head` does; further output is dropped. */
  isOpen(): boolean;
}

interface InputStream {
  readonly isTTY: boolean;
  chunks(): AsyncIterable<Buffer>;
}

/** Writes the error, and a hint if there is one, to stderr, with control characters made visible. */
export async function complain(io: Io, exit: Exit, message: string, hint?: string): Promise<CommandOutcome> {
  const { colours } = io.stderr;
  await io.stderr.write(`oatf: ${colours.red('error:')} ${escapeInvisible(message)}\n`);
  if (hint !== undefined) await io.stderr.write(`oatf: ${colours.cyan('hint:')} ${escapeInvisible(hint)}\n`);
  return { exit };
}

/** The complaint of a command about its arguments. */
export function createRefusal(command: string, io: Io): (message: string, hint?: string) => Promise<CommandOutcome> {
  return (message, hint) => complain(io, 'usage', `${command}: ${message}`, hint);
}

/** The operands. If there are none and standard input is not a terminal, standard input is the document. */
export function defaultToStdin(operands: readonly string[], io: Io): readonly string[] | undefined {
  if (operands.length > 0) return operands;
  return io.stdin.isTTY ? undefined : ['-'];
}
