import { nearest } from '../../registry/suggestions.ts';
import { visible } from '../../report/visible.ts';
import { type Command, commands, isCommandName } from '../commands.ts';
import { helpFor } from '../help.ts';
import { complain } from '../io.ts';
import { ok } from '../outcome.ts';

export const help: Command<'help'> = async ({ command, all }, io) => {
  if (command !== undefined && !isCommandName(command)) {
    const meant = nearest(command, Object.keys(commands));
    const hint = meant === undefined ? 'oatf --help lists the commands' : `did you mean "oatf ${meant}"?`;
    return complain(io, 'usage', `unknown command "${visible(command)}"`, hint);
  }
  await io.stdout.write(helpFor(command, all, io.stdout));
  return ok;
};
