import type { CommandRow } from '../command-row.ts';
import { usageExit } from './shared-flags.ts';

export const toolCommands = {
  completion: {
    group: 'This tool',
    summary: 'print a completion script for a shell',
    operand: {
      name: 'SHELL',
      required: true,
      choices: ['bash', 'zsh', 'fish'],
      description: 'bash, zsh or fish',
    },
    flags: [],
    examples: [
      ['source <(oatf completion bash)', 'in ~/.bashrc'],
      ['oatf completion zsh > ~/.zfunc/_oatf', 'once, with ~/.zfunc in $fpath'],
      ['oatf completion fish > ~/.config/fish/completions/oatf.fish', 'once'],
    ],
    exits: [[0, 'printed'], usageExit],
  },
  help: {
    group: 'This tool',
    summary: 'print this help, or the help of a command',
    operand: { name: 'COMMAND', completes: 'commands', description: 'a command' },
    flags: [{ name: 'all', description: 'all flags, notes and examples of a command that has many' }],
    examples: [
      ['oatf help validate', 'the same as oatf validate --help'],
      ['oatf help run --all', 'every flag of oatf run'],
    ],
    exits: [[0, 'printed'], usageExit],
  },
} as const satisfies { readonly [name: string]: CommandRow };
