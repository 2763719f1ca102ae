import type { Io } from '../io.ts';

/** The operands. If there are none and standard input is not a terminal, standard input is the document. */
export function defaultToStdin(operands: readonly string[], io: Io): readonly string[] | undefined {
  if (operands.length > 0) return operands;
  return io.stdin.isTTY ? undefined : ['-'];
}
