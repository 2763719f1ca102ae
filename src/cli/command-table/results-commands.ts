import type { CommandRow } from '../command-row.ts';
import {
  documentsOperand,
  filterFlags,
  outFlag,
  reporterFlag,
  resultsJsonFlag,
  showSecretsFlag,
} from './shared-flags.ts';

export const resultsCommands = {
  report: {
    operand: { name: 'DIR', completes: 'files' },
    flags: [{ name: 'out', short: 'o', value: 'FILE' }, { name: 'open' }, showSecretsFlag],
  },
  merge: {
    operand: { name: 'DIRS', many: true, required: true, completes: 'files' },
    flags: [
      { ...outFlag, required: true },
      { name: 'baseline', value: 'FILE' },
      reporterFlag,
      resultsJsonFlag,
      { name: 'quiet', short: 'q' },
      showSecretsFlag,
    ],
  },
  bless: {
    operand: { name: 'DIR', required: true, completes: 'files' },
    flags: [{ name: 'out', short: 'o', value: 'FILE', default: 'oatf-baseline.yaml' }, { name: 'accept-inconclusive' }],
  },
} as const satisfies { readonly [name: string]: CommandRow };

export const libraryCommands = {
  list: {
    operand: { ...documentsOperand },
    flags: [...filterFlags, { name: 'json' }],
  },
} as const satisfies { readonly [name: string]: CommandRow };
