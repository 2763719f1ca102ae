import type { CommandRow } from '../command-row.ts';
import { documentsOperand, filterFlags, filtersCombine, unreadableExit } from './shared-flags.ts';

export const libraryCommands = {
  list: {
    group: 'Attack agents',
    summary: 'list the attacks that ship with this tool, or your own documents',
    operand: { ...documentsOperand, description: `${documentsOperand.description}. Default: the library` },
    flags: [...filterFlags, { name: 'json', description: 'print the list as JSON' }],
    notes: [
      filtersCombine,
      'json is one object: { version, tool, documents: [{ id?, name, status, severity?, category?, impact, tags, protocols, modes, surfaces, tiers, mappings: [{ framework, id, name?, url?, relationship? }], file }], total }; total also counts the documents that did not pass.',
    ],
    examples: [
      ['oatf list', 'the whole library'],
      ['oatf list --severity high --severity critical --protocol mcp', 'the gravest of one protocol'],
      ['oatf list --json --tag exfiltration | jq -r ".documents[].id"', 'for scripts'],
      ['oatf list attacks/', 'your own documents'],
    ],
    exits: [
      [0, 'listed, even if no document passed'],
      [64, 'wrong usage, or a filter that no document can pass'],
      [65, 'a document that cannot be parsed; the others are listed'],
      unreadableExit,
      [69, 'the library is not there'],
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
