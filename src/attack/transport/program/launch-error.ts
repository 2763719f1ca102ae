import { existsSync } from 'node:fs';
import type { CommandPeer } from '../mcp-client/mcp-client-options.ts';

/** Thrown when a program could not be run. */
export class CannotLaunch extends Error {
  override readonly name = 'CannotLaunch';
  readonly code: string | undefined;

  constructor(error: NodeJS.ErrnoException, target: CommandPeer) {
    super(explainLaunchError(error, target));
    this.code = error.code;
  }
}

function explainLaunchError({ code, message }: NodeJS.ErrnoException, { command, cwd }: CommandPeer): string {
  switch (code) {
    case 'ENOENT':
      // The system reports the same code for a missing folder, and for a script whose interpreter is missing.
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
