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
    operand: {
      name: 'DIR',
      completes: 'files',
      description: 'a folder of results. Default: the newest in oatf-results/',
    },
    flags: [
      { name: 'out', short: 'o', value: 'FILE', description: 'the file to write. Default: report.html in the folder' },
      { name: 'open', description: 'open it in the browser' },
      showSecretsFlag,
    ],
  },
  merge: {
    operand: {
      name: 'DIRS',
      many: true,
      required: true,
      completes: 'files',
      description: 'folders of results of the same suite, in any order',
    },
    flags: [
      { ...outFlag, required: true, description: 'the folder for the joined results' },
      { name: 'baseline', value: 'FILE', description: 'the verdicts that are accepted, as written by oatf bless' },
      reporterFlag,
      resultsJsonFlag,
      { name: 'quiet', short: 'q', description: 'print only what is wrong' },
      showSecretsFlag,
    ],
  },
  bless: {
    operand: { name: 'DIR', required: true, completes: 'files', description: 'a folder of results, or a results.json' },
    flags: [
      {
        name: 'out',
        short: 'o',
        value: 'FILE',
        default: 'oatf-baseline.yaml',
        description: 'the file to write: JSON if it ends in .json, - for standard output',
      },
      { name: 'accept-inconclusive', description: 'also accept inconclusive attacks, each with its cause' },
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };

export const libraryCommands = {
  list: {
    operand: { ...documentsOperand, description: `${documentsOperand.description}. Default: the library` },
    flags: [...filterFlags, { name: 'json', description: 'print the list as JSON' }],
  },
} as const satisfies { readonly [name: string]: CommandRow };
