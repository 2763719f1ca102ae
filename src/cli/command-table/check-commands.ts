import type { CommandRow } from '../command-row.ts';
import { documentOperand, documentsOperand, stdinNameFlag } from './shared-flags.ts';

export const checkCommands = {
  validate: {
    operand: documentsOperand,
    flags: [
      { name: 'format', short: 'f', value: 'FORMAT', choices: ['text', 'json', 'sarif', 'github'], default: 'text' },
      { name: 'warnings-as-errors', short: 'W' },
      { name: 'quiet', short: 'q' },
      { name: 'watch', short: 'w' },
      stdinNameFlag,
    ],
  },
  fmt: {
    operand: { ...documentsOperand, completes: 'files' },
    flags: [{ name: 'check' }, { name: 'diff' }, { name: 'schema', value: 'LOCATION' }, stdinNameFlag],
  },
  convert: {
    operand: { ...documentsOperand, completes: 'files' },
    flags: [{ name: 'write', short: 'w' }, { name: 'json' }, stdinNameFlag],
  },
  normalize: {
    operand: documentOperand,
    flags: [{ name: 'format', short: 'f', value: 'FORMAT', choices: ['yaml', 'json'], default: 'yaml' }],
  },
  explain: {
    operand: { name: 'DOCUMENT|CODE', completes: 'codes, ids or files' },
    flags: [{ name: 'diagram' }, { name: 'source' }, { name: 'twin' }, { name: 'json' }],
  },
  schema: {
    flags: [{ name: 'config' }, { name: 'results' }, { name: 'out', short: 'o', value: 'FILE' }],
  },
} as const satisfies { readonly [name: string]: CommandRow };
