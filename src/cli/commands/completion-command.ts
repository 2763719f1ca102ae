import { ok } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { formatBashScript } from '../completions/bash.ts';
import { formatFishScript } from '../completions/fish.ts';
import { formatZshScript } from '../completions/zsh.ts';

const scripts = { bash: formatBashScript, zsh: formatZshScript, fish: formatFishScript };

export const runCompletionCommand: Command<'completion'> = async ({ shell }, io) => {
  await io.stdout.write(scripts[shell]());
  return ok;
};
