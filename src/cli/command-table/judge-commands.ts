import type { CommandRow } from '../command-row.ts';
import { documentOperand, judgeFlags, lenientFlag, showSecretsFlag } from './shared-flags.ts';

export const judgeCommands = {
  evaluate: {
    operand: documentOperand,
    flags: [
      {
        name: 'trace',
        short: 't',
        value: 'FILE',
        required: true,
        description: 'the recorded run, JSON Lines, in the shape of OATF or ThoughtJack; - for standard input',
      },
      { name: 'json', description: 'print the verdict as JSON' },
      { name: 'no-projections', description: 'judge only the messages as sent, not what they mean' },
      ...judgeFlags,
      { name: 'verbose', short: 'v', description: 'show what each indicator without a match looked at' },
      { ...lenientFlag, description: `${lenientFlag.description}; a run with such a line is never resisted` },
      showSecretsFlag,
    ],
  },
  trace: {
    operand: {
      name: 'FILE',
      required: true,
      completes: 'files',
      description: 'a trace, JSON Lines, in the shape of OATF or ThoughtJack; - for standard input',
    },
    flags: [
      { name: 'actor', short: 'a', value: 'NAME', description: 'only this actor' },
      { name: 'method', short: 'm', value: 'METHOD', description: 'only this method, such as tools/call' },
      { name: 'full', description: 'whole contents, indented' },
      { name: 'json', description: 'the records that pass the filters, as JSON Lines' },
      lenientFlag,
      showSecretsFlag,
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
