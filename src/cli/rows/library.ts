import type { CommandRow } from '../table.ts';
import { documents, fileWins, filters, filtersCombine, unreadable, usage } from './shared.ts';

export const libraryRows = {
  list: {
    group: 'Attack agents',
    summary: 'list the attacks that ship with this tool, or your own documents',
    operand: { ...documents, description: `${documents.description}. Default: the library` },
    flags: [...filters, { name: 'json', description: 'print the list as JSON' }],
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
      unreadable,
      [69, 'the library is not there'],
    ],
  },
  show: {
    group: 'Attack agents',
    summary: 'show what one attack is about',
    operand: {
      name: 'ID',
      required: true,
      completes: 'ids or files',
      description: 'an id of the library such as OATS-003, a file, or - for standard input',
    },
    flags: [
      { name: 'source', description: 'print the document as it is written' },
      {
        name: 'twin',
        description:
          'print its benign twin: the same document with every mark (x-payload) replaced or removed',
      },
      { name: 'json', description: 'print everything about it as JSON' },
    ],
    notes: [
      fileWins,
      'json is its entry of list --json, and: { version, author?, created?, modified?, description?, references: [{ url, title?, description? }], actors: [{ name, mode, phases }], indicators: [{ id, protocol, surface?, tier?, severity?, description? }], logic?, marks?: [{ actor, phase, at, benign?, needed }] }.',
    ],
    examples: [
      ['oatf show OATS-003', 'what it does, to whom, and what shows that it worked'],
      ['oatf show OATS-003 --twin > twin.yaml', 'the same without the attack'],
      ['oatf show OATS-003 --source > mine.yaml', 'to change it'],
    ],
    exits: [
      [0, 'shown'],
      usage,
      [65, 'an invalid input, or --twin for a document without marks'],
      [66, 'no such id, or an input that cannot be read'],
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
