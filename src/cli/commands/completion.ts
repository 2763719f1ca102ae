import type { Command } from '../commands.ts';
import { bashScript } from '../completions/bash.ts';
import { fishScript } from '../completions/fish.ts';
import { zshScript } from '../completions/zsh.ts';
import { ok } from '../outcome.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const completion: Command<'completion'> = async ({ shell }, io) => {
  await io.stdout.write(scripts[shell]());
  return ok;
};
