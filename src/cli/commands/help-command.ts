import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { ok } from '../command-outcome.ts';
import { type Command, isCommandName } from '../commands.ts';
import { formatHelp } from '../help-text.ts';
import { complain } from '../io.ts';
import { hintForUnknownCommand } from '../read-arguments.ts';

export const runHelpCommand: Command<'help'> = async ({ command, all }, io) => {
  if (command !== undefined && !isCommandName(command))
    return complain(io, 'usage', `unknown command "${escapeInvisible(command)}"`, hintForUnknownCommand(command));
  await io.stdout.write(formatHelp(command, all, io.stdout));
  return ok;
};
