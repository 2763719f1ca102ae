import type { CommandRow } from '../command-row.ts';
import {
  documentsOperand,
  filterFlags,
  filtersCombine,
  outFlag,
  reporterFlag,
  resultsJsonFlag,
  showSecretsFlag,
  unreadableExit,
  usageExit,
} from './shared-flags.ts';

export const resultsCommands = {
  report: {
    group: 'Attack agents',
    summary: 'make the HTML report of results: one file that loads nothing from elsewhere',
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
    notes: [
      'Only its owner can read the report, because it contains everything that was said in every run. Of a very long trace it shows the first records, the last ones and those with evidence, and says so.',
    ],
    examples: [
      ['oatf report', 'for the newest results'],
      ['oatf report results --out report.html --open', 'and open it'],
    ],
    exits: [
      [0, 'made'],
      usageExit,
      [65, 'results that this version cannot read'],
      [66, 'a folder that is not there, or has no results in it'],
      [69, 'a file that cannot be written, or no browser to open it'],
    ],
  },
  merge: {
    group: 'Attack agents',
    summary: 'join the results of shards into what one machine would have found',
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
    notes: [
      'Results are refused if they come from another version of this tool, from other documents, agents or settings, or if they overlap. If a shard is missing, the results are incomplete and the exit code is 2.',
    ],
    examples: [
      ['oatf merge shard-1 shard-2 shard-3 --out whole', 'three into one'],
      ['oatf merge shards/* --out whole --reporter markdown >> "$GITHUB_STEP_SUMMARY"', 'in CI'],
    ],
    exits: [
      [0, 'every attack was resisted, or succeeded no more often than accepted'],
      [1, 'at least one attack succeeded more often than accepted'],
      [2, 'no attack succeeded, but at least one run is inconclusive, failed or did not happen'],
      [64, 'wrong usage, or results that do not fit together'],
      [66, 'a folder without results'],
      [69, 'a folder that cannot be written'],
    ],
  },
  bless: {
    group: 'Attack agents',
    summary: 'accept the verdicts of these results as the baseline',
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
    notes: [
      'Commit this file. It has one line for each attack, sorted, so that a review shows what changes.',
      'A run that ended in an error is never accepted. An inconclusive one is accepted only with --accept-inconclusive. Attacks without an entry are listed.',
    ],
    examples: [
      ['oatf bless oatf-results/2026-01-01T00-00-00-000Z', 'as oatf-baseline.yaml'],
      ['oatf run --agent guarded --baseline oatf-baseline.yaml', 'compare the next run with it'],
    ],
    exits: [
      [0, 'written'],
      [2, 'written, but not every attack is accepted'],
      [64, 'wrong usage, or results that are incomplete or of version 1'],
      [66, 'no results in this folder'],
      [69, 'a file that cannot be written'],
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };

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
