import type { CommandRow } from '../command-row.ts';
import {
  documentOperand,
  documentsOperand,
  invalidExit,
  stdinNameFlag,
  unreadableExit,
  usageExit,
} from './shared-flags.ts';

export const checkCommands = {
  validate: {
    group: 'Write documents',
    summary: 'check documents; every problem is shown with its place and a hint',
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
    notes: [
      'json is one object: { version, tool, files: [{ file, valid, unreadable?, diagnostics: [{ severity, code, path, message, hint?, range: { start, end } }] }], summary }; lines and columns count from 1, offsets from 0, all in UTF-16 units.',
      'sarif is SARIF 2.1.0, for code scanning; github is workflow commands, which annotate a pull request.',
    ],
    examples: [
      ['oatf validate attacks/', 'every document under a folder'],
      ['oatf validate "attacks/**/*.yaml" --warnings-as-errors', 'a pattern, strictly'],
      ['cat attack.yaml | oatf validate', 'standard input'],
      ['oatf validate attacks --format sarif > oatf.sarif', 'for code scanning'],
    ],
    exits: [[0, 'every document is valid'], usageExit, invalidExit, unreadableExit],
  },
  fmt: {
    group: 'Write documents',
    summary: 'rewrite documents in canonical field order and style; comments stay',
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
    notes: [
      'Files are rewritten in place and the changed ones listed; standard input goes to standard output.',
      'A document that cannot be parsed is reported and left as it is.',
    ],
    examples: [
      ['oatf fmt attacks/', 'rewrite what is not canonical'],
      ['oatf fmt --check attacks/', 'for CI: exit 1 if anything would change'],
      ['oatf fmt --diff attack.yaml', 'look first'],
      ['oatf fmt --schema node_modules/oatf/dist/schema.json attacks/', 'completion and hover in editors'],
    ],
    exits: [
      [0, 'done; with --check: nothing would change'],
      [1, 'with --check: something would change'],
      usageExit,
      invalidExit,
      unreadableExit,
      [69, 'a file that cannot be written'],
    ],
  },
  convert: {
    group: 'Write documents',
    summary: 'rewrite ThoughtJack documents as OATF 0.1, as far as possible',
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
    notes: [
      'Standard error lists, line by line, what was rewritten, and what has no equivalent and stays. A document without ThoughtJack’s dialect is not changed.',
      'json is { version, files: [{ file, changed, valid, text, changes: [{ kind: rewritten | left, path, line, message }] }] }.',
    ],
    examples: [
      ['oatf convert attack.yaml > converted.yaml', 'one document'],
      ['oatf convert attacks/ --write', 'a whole folder, in place'],
      ['oatf convert attacks/ --json', 'look first'],
    ],
    exits: [
      [0, 'everything was rewritten, or nothing had to be'],
      [1, 'something has no equivalent and was left unchanged'],
      usageExit,
      [65, 'a document that is still invalid after its conversion; it is not written'],
      unreadableExit,
      [69, 'a file that cannot be written'],
    ],
  },
  normalize: {
    group: 'Write documents',
    summary: 'print the expanded form: with defaults, and without shorthands',
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
    examples: [
      ['oatf normalize attack.yaml', 'as YAML'],
      ['oatf normalize attack.yaml --format json | jq .attack.indicators', 'for other tools'],
    ],
    exits: [[0, 'printed'], usageExit, invalidExit, unreadableExit],
  },
  explain: {
    group: 'Write documents',
    summary: 'say what an attack does, or what a diagnostic code means',
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
    notes: [
      'An existing file, and anything that ends in .yaml or .yml, is treated as a document.',
      'json of a document is its entry of list --json, and: { version, author?, created?, modified?, description?, references: [{ url, title?, description? }], actors: [{ name, mode, phases }], indicators: [{ id, protocol, surface?, tier?, severity?, description? }], logic?, marks?: [{ actor, phase, at, benign?, needed }] }.',
    ],
    examples: [
      ['oatf explain attack.yaml', 'what it does, actor by actor and phase by phase'],
      ['oatf explain attack.yaml --diagram > attack.mmd', 'for a Markdown page or the Mermaid editor'],
      ['oatf explain OATS-003 --source > mine.yaml', 'to change an attack of the library'],
      ['oatf explain OATS-003 --twin > twin.yaml', 'the same without the attack'],
      ['oatf explain V-008', 'one code, with a wrong and a right example'],
      ['oatf explain', 'all codes'],
    ],
    exits: [
      [0, 'printed'],
      [64, 'wrong usage, or no such code'],
      [65, 'an invalid input, or --twin for a document without marks'],
      unreadableExit,
    ],
  },
  schema: {
    group: 'Write documents',
    summary: 'print the JSON Schema of OATF documents, for editors',
    flags: [
      {
        name: 'config',
        description: 'print the schema of configurations (oatf.config.json, oatf.config.yaml) instead',
      },
      { name: 'out', short: 'o', value: 'FILE', description: 'write it to this file' },
    ],
    examples: [['oatf schema --out oatf.schema.json', 'for the YAML extension of an editor']],
    exits: [[0, 'printed'], usageExit, [69, 'a file that cannot be written']],
  },
} as const satisfies { readonly [name: string]: CommandRow };
