import type { CommandRow } from '../command-row.ts';
import {
  documentOperand,
  judgeFlags,
  lenientFlag,
  showSecretsFlag,
  unreadableExit,
  usageExit,
} from './shared-flags.ts';

export const judgeCommands = {
  evaluate: {
    group: 'Judge recorded runs',
    summary: 'judge a recorded run by the indicators of a document; nothing is played',
    operand: documentOperand,
    flags: [
      {
        name: 'trace',
        short: 't',
        value: 'FILE',
        required: true,
        description: 'the recorded run, JSON Lines, in the shape of OATF or ThoughtJack; - for standard input',
      },
      { name: 'json', description: 'print the verdict as JSON' },
      { name: 'no-projections', description: 'judge only the messages as sent, not what they mean' },
      ...judgeFlags,
      { name: 'verbose', short: 'v', description: 'show what each indicator without a match looked at' },
      lenientFlag,
      showSecretsFlag,
    ],
    notes: [
      'Evidence that looks like a secret is masked, unless --show-secrets is given. JSON has it unmasked.',
      'A ThoughtJack trace says neither what was delivered nor how the run ended, so it cannot show that an attack was resisted.',
    ],
    examples: [
      ['oatf evaluate attack.yaml --trace run.jsonl', 'the verdict, with the evidence'],
      ['oatf evaluate attack.yaml --trace run.jsonl --json | jq -r .outcome', 'for scripts'],
    ],
    exits: [
      [0, 'the attack was delivered and resisted'],
      [1, 'exploited, fully or in part'],
      [2, 'inconclusive, or the evaluation failed'],
      usageExit,
      [65, 'an invalid document, one without indicators, or an invalid trace'],
      unreadableExit,
    ],
  },
  trace: {
    group: 'Judge recorded runs',
    summary: 'show a recorded run, one line per message',
    operand: {
      name: 'FILE',
      required: true,
      completes: 'files',
      description: 'a trace, JSON Lines, in the shape of OATF or ThoughtJack; - for standard input',
    },
    flags: [
      { name: 'actor', short: 'a', value: 'NAME', description: 'only this actor' },
      { name: 'method', short: 'm', value: 'METHOD', description: 'only this method, such as tools/call' },
      { name: 'full', description: 'whole contents, indented' },
      { name: 'json', description: 'the records that pass the filters, as JSON Lines' },
      lenientFlag,
      showSecretsFlag,
    ],
    notes: [
      '→ is what the agent sent to an actor, ← what the actor sent to the agent.',
      'Content that looks like a secret is masked, unless --show-secrets is given. --json has it unmasked.',
    ],
    examples: [
      ['oatf trace run.jsonl', 'the whole run'],
      ['oatf trace run.jsonl --method tools/call --full', 'every tool call, in full'],
    ],
    exits: [[0, 'shown'], usageExit, [65, 'an invalid trace'], unreadableExit],
  },
} as const satisfies { readonly [name: string]: CommandRow };
