import { splitCommand } from '../../agents/adapters/split-command.ts';

/** A program with its arguments, and the environment variables that are written before it. */
export interface ParsedCommand {
  readonly words: readonly [program: string, ...args: string[]];
  readonly env: { readonly [name: string]: string };
}

/**
 * Reads the text that follows `command:` on the command line. `NAME=value` before the program sets a variable, as in
 * shells.
 */
export function readCommandLine(text: string): ParsedCommand | { readonly problem: string; readonly hint: string } {
  const split = splitCommand(text);
  if (!split.ok) return { problem: split.problem, hint: 'quote it, or let a shell do it: command:sh -c "…"' };
  const first = split.words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const [program, ...args] = first === -1 ? [] : split.words.slice(first);
  if (program === undefined || program === '')
    return { problem: 'there is no program in it', hint: 'such as "command:node my-server.mjs --flag"' };
  const env = Object.fromEntries(
    split.words.slice(0, first).map((word) => {
      const at = word.indexOf('=');
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
  return { words: [program, ...args], env };
}
