import type { CommandRow } from '../command-row.ts';
import { documentOperand, documentsOperand, stdinNameFlag } from './shared-flags.ts';

export const checkCommands = {
  validate: {
    operand: documentsOperand,
    flags: [
      {
        name: 'format',
        short: 'f',
        value: 'FORMAT',
        choices: ['text', 'json', 'sarif', 'github'],
        default: 'text',
        description: 'the format of the report',
      },
      { name: 'warnings-as-errors', short: 'W', description: 'treat warnings as errors' },
      { name: 'quiet', short: 'q', description: 'report errors only' },
      { name: 'watch', short: 'w', description: 'check again whenever a file changes' },
      stdinNameFlag,
    ],
  },
  fmt: {
    operand: {
      ...documentsOperand,
      completes: 'files',
      description: 'files, folders (their *.yaml and *.yml), patterns such as "**/*.yaml", or - for standard input',
    },
    flags: [
      { name: 'check', description: 'write nothing; list what would change' },
      { name: 'diff', description: 'write nothing; show what would change' },
      {
        name: 'schema',
        value: 'LOCATION',
        description: 'add the comment that tells editors where the JSON Schema is, a URL or a file',
      },
      stdinNameFlag,
    ],
  },
  convert: {
    operand: {
      ...documentsOperand,
      completes: 'files',
      description: 'files, folders (their *.yaml and *.yml), patterns such as "**/*.yaml", or - for standard input',
    },
    flags: [
      { name: 'write', short: 'w', description: 'rewrite files in place. Without this flag, one document is printed' },
      { name: 'json', description: 'print as JSON what was rewritten and what was not, with the texts' },
      stdinNameFlag,
    ],
  },
  normalize: {
    operand: documentOperand,
    flags: [
      {
        name: 'format',
        short: 'f',
        value: 'FORMAT',
        choices: ['yaml', 'json'],
        default: 'yaml',
        description: 'the output format',
      },
    ],
  },
  explain: {
    operand: {
      name: 'DOCUMENT|CODE',
      completes: 'codes, ids or files',
      description:
        'an OATF document, an id of the library such as OATS-003, or a code such as V-008, W-002 or N-003. Default: a list of all codes',
    },
    flags: [
      { name: 'diagram', description: 'print the attack as a Mermaid sequence diagram' },
      { name: 'source', description: 'print the document as it is written' },
      {
        name: 'twin',
        description: 'print its benign twin: the same document with every mark (x-payload) replaced or removed',
      },
      { name: 'json', description: 'print what is known of the document, or codes, as JSON' },
    ],
  },
  schema: {
    flags: [
      {
        name: 'config',
        description: 'print the schema of configurations (oatf.config.json, oatf.config.yaml) instead',
      },
      { name: 'out', short: 'o', value: 'FILE', description: 'write it to this file' },
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
