import type { CommandRow } from '../command-row.ts';
import { documentOperand, judgeFlags, lenientFlag, showSecretsFlag } from './shared-flags.ts';

export const judgeCommands = {
  evaluate: {
    operand: documentOperand,
    flags: [
      { name: 'trace', short: 't', value: 'FILE', required: true },
      { name: 'json' },
      { name: 'no-projections' },
      ...judgeFlags,
      { name: 'verbose', short: 'v' },
      lenientFlag,
      showSecretsFlag,
    ],
  },
  trace: {
    operand: { name: 'FILE', required: true, completes: 'files' },
    flags: [
      { name: 'actor', short: 'a', value: 'NAME' },
      { name: 'method', short: 'm', value: 'METHOD' },
      { name: 'full' },
      { name: 'json' },
      lenientFlag,
      showSecretsFlag,
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
