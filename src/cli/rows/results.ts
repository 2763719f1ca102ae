import type { CommandRow } from '../table.ts';
import { out, reporter, resultsJson, showSecrets, usage } from './shared.ts';

export const resultsRows = {
  report: {
    group: 'Attack agents',
    summary: 'make the HTML report of results: one file, which loads nothing from elsewhere',
    operand: {
      name: 'DIR',
      completes: 'files',
      description: 'a folder of results; the newest below oatf-results/ if left out',
    },
    flags: [
      {
        name: 'out',
        short: 'o',
        value: 'FILE',
        description: 'where it goes; report.html in the folder if left out',
      },
      { name: 'open', description: 'open it in the browser' },
      showSecrets,
    ],
    notes: [
      'The report is readable by its owner only, and holds what was said in every run. Of very long traces it has the first records, the last ones and those with evidence, and says so.',
    ],
    examples: [
      ['oatf report', 'of the newest results'],
      ['oatf report results --out report.html --open', 'and look at it'],
    ],
    exits: [
      [0, 'made'],
      usage,
      [65, 'results that this version cannot read'],
      [66, 'a folder that is not there, or has no results in it'],
      [69, 'a file that cannot be written, or no browser to open it'],
    ],
  },
  merge: {
    group: 'Attack agents',
    summary: 'join the results of shards: what one machine would have found',
    operand: {
      name: 'DIRS',
      many: true,
      required: true,
      completes: 'files',
      description: 'folders of results of the same suite, in any order',
    },
    flags: [
      { ...out, required: true, description: 'where the joined results go' },
      {
        name: 'baseline',
        value: 'FILE',
        description: 'the verdicts that are accepted, as oatf bless writes them',
      },
      reporter,
      resultsJson,
      { name: 'quiet', short: 'q', description: 'print nothing but what is wrong' },
      showSecrets,
    ],
    notes: [
      'Results of another version of this tool, of other documents, agents or settings are refused, and so are those that overlap. A shard that is missing makes the results incomplete, which exits 2.',
    ],
    examples: [
      ['oatf merge shard-1 shard-2 shard-3 --out whole', 'three into one'],
      ['oatf merge shards/* --out whole --reporter markdown >> "$GITHUB_STEP_SUMMARY"', 'in CI'],
    ],
    exits: [
      [0, 'every attack was resisted, or as often as is accepted'],
      [1, 'at least one succeeded more often than is accepted'],
      [2, 'none did, but at least one is inconclusive, failed or has not run'],
      [64, 'wrong usage, or results that do not fit together'],
      [66, 'a folder that is not one of results'],
      [69, 'a folder that cannot be written'],
    ],
  },
  bless: {
    group: 'Attack agents',
    summary: 'accept the verdicts of these results as the baseline',
    operand: {
      name: 'DIR',
      required: true,
      completes: 'files',
      description: 'a folder of results, or a results.json',
    },
    flags: [
      {
        name: 'out',
        short: 'o',
        value: 'FILE',
        default: 'oatf-baseline.yaml',
        description:
          'where to; JSON if it ends in .json, - for standard output; oatf-baseline.yaml if left out',
      },
      {
        name: 'accept-inconclusive',
        description: 'accept what is inconclusive too, each attack with its cause',
      },
    ],
    notes: [
      'The file is meant to be committed: a line for each attack, sorted, so that a review sees what changes.',
      'A run in error is never accepted, nor is what is inconclusive without --accept-inconclusive: such attacks have no entry, and are told.',
    ],
    examples: [
      ['oatf bless oatf-results/2026-01-01T00-00-00-000Z', 'as oatf-baseline.yaml'],
      ['oatf run --agent guarded --baseline oatf-baseline.yaml', 'hold the next run against it'],
    ],
    exits: [
      [0, 'written'],
      [2, 'written, but not every attack is accepted'],
      [64, 'wrong usage, or results that are not complete, or of version 1'],
      [66, 'no results there'],
      [69, 'a file that cannot be written'],
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
