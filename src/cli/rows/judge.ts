import type { CommandRow } from '../table.ts';
import { judgeFlags, lenient, oneDocument, showSecrets, unreadable, usage } from './shared.ts';

export const judgeRows = {
  evaluate: {
    group: 'Judge recorded runs',
    summary: 'judge a recorded run by the indicators of a document; nothing is run',
    operand: oneDocument,
    flags: [
      {
        name: 'trace',
        short: 't',
        value: 'FILE',
        required: true,
        description:
          'the recorded run, JSON Lines, in the shape of OATF or ThoughtJack; - for standard input',
      },
      { name: 'json', description: 'print the verdict as JSON' },
      { name: 'no-projections', description: 'hold indicators against wire messages only' },
      ...judgeFlags,
      {
        name: 'verbose',
        short: 'v',
        description: 'say what each indicator that did not match looked at',
      },
      lenient,
      showSecrets,
    ],
    notes: [
      'Evidence is shown masked where it looks like a secret, unless --show-secrets; JSON has it as it was.',
      'A trace of ThoughtJack’s says neither what was delivered nor how it ended, so it cannot show that an attack was resisted.',
    ],
    examples: [
      ['oatf evaluate attack.yaml --trace run.jsonl', 'the verdict, with the evidence'],
      ['oatf evaluate attack.yaml --trace run.jsonl --json | jq -r .outcome', 'for scripts'],
    ],
    exits: [
      [0, 'the attack was delivered and resisted'],
      [1, 'exploited, or in part'],
      [2, 'inconclusive, or the evaluation failed'],
      usage,
      [65, 'an invalid document, one without indicators, or an invalid trace'],
      unreadable,
    ],
  },
  trace: {
    group: 'Judge recorded runs',
    summary: 'show a recorded run, a line per message',
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
      lenient,
      showSecrets,
    ],
    notes: [
      '→ is what the agent sent to an actor, ← what the actor sent to the agent.',
      'Contents are shown masked where they look like a secret, unless --show-secrets; --json has them as they were.',
    ],
    examples: [
      ['oatf trace run.jsonl', 'the whole run'],
      ['oatf trace run.jsonl --method tools/call --full', 'every tool call, in full'],
    ],
    exits: [[0, 'shown'], usage, [65, 'an invalid trace'], unreadable],
  },
} as const satisfies { readonly [name: string]: CommandRow };
