import { existsSync } from 'node:fs';
import type { CommandPeer } from '../json-rpc-client/options.ts';

/** A program that could not be run at all. */
export class CannotLaunch extends Error {
  override readonly name = 'CannotLaunch';
  readonly code: string | undefined;

  constructor(error: NodeJS.ErrnoException, target: CommandPeer) {
    super(reasonOf(error, target));
    this.code = error.code;
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException, { command, cwd }: CommandPeer): string {
  switch (code) {
    case 'ENOENT':
      // The system says the same of a folder that is not there, and of a script whose interpreter is not.
      if (cwd !== undefined && !existsSync(cwd)) return `there is no folder "${cwd}" to run "${command}" in`;
      return command.includes('/') && existsSync(command)
        ? `"${command}" names an interpreter that is not there`
        : `there is no program "${command}"`;
    case 'EACCES':
      return `"${command}" is no program that may be run`;
    case 'E2BIG':
      return `"${command}": its arguments and variables are longer than the system allows`;
    default:
      return `"${command}": ${message}`;
  }
}
