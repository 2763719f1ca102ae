import type { Io } from '../io.ts';

/** No documents named, and something to read on standard input: that is the document. */
export function operandsOrStdin(operands: readonly string[], io: Io): readonly string[] | undefined {
  if (operands.length > 0) return operands;
  return io.stdin.isTTY ? undefined : ['-'];
}
