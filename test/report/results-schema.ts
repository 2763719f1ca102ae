import { causes, outcomeNames } from '../../src/format/model/results-file.ts';

// The JSON Schema of `results.json`. Later versions only add fields, so unknown fields are allowed.

const text = { type: 'string' } as const;
const time = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}' } as const;
const number = { type: 'integer', minimum: 0 } as const;
const truth = { type: 'boolean' } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const texts = { type: 'array', items: text } as const;
const outcome = {
  enum: outcomeNames,
} as const;
const tier = { enum: ['ingested', 'local_action', 'boundary_breach'] } as const;
const cause = { enum: causes };

function ref(name: string) {
  return { $ref: `#/$defs/${name}` };
}

function listOf(items: object) {
  return { type: 'array', items };
}

function mapOf(values: object) {
  return { type: 'object', additionalProperties: values };
}

/** An object. The name of an optional field ends in a question mark. */
function record(description: string, fields: { readonly [name: string]: object }) {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    description,
    required: entries.flatMap(([name]) => (name.endsWith('?') ? [] : name)),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
  };
}

const usefulness = {
  'figures?': ref('figures'),
  'tasks?': ref('tasks'),
  'resisted_not_done?': { ...number, description: 'Resisted, and the task was not done.' },
  'delivery_inferred?': { ...number, description: 'Resisted, and the document does not mark its payload.' },
  'twin_runs?': number,
};

export const resultsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Results of oatf',
  ...record('The results of attacks on agents: results.json, version 2.', {
    version: { const: 2 },
    tool: record('The tool that ran the attacks.', { name: text, version: text }),
    agents: listOf(ref('agent')),
    started: time,
    finished: time,
    runs: { ...listOf(ref('run')), description: 'In the order of statistics.attacks.' },
    statistics: ref('statistics'),
    'fail_tier?': { ...tier, description: 'The tier from which a match fails. Absent: any tier.' },
    'min_utility?': { ...number, description: 'The lowest accepted utility under attack of an agent. Absent: any.' },
    'unproven?': {
      ...listOf(ref('unproven')),
      description: 'The reasons why the suite proves less about an agent than its outcomes suggest.',
    },
    'baseline?': ref('comparison'),
    'not_run?': listOf(ref('notRun')),
    'skipped?': listOf(ref('skipped')),
  }),
  $defs: {
    agent: record('An agent that was attacked.', {
      name: text,
      kind: text,
      'without?': { ...texts, description: 'Surfaces that it lacks, by its configuration.' },
    }),
    run: record('One run; also one line of runs.jsonl.', {
      document: ref('document'),
      agent: text,
      repeat: { type: 'integer', minimum: 1, description: 'Counts from 1.' },
      'attempts?': {
        type: 'integer',
        minimum: 1,
        description: 'The number of attempts, if an infrastructure failure caused retries.',
      },
      verdict: ref('verdict'),
      outcome,
      'reason?': {
        ...text,
        description: 'The reason why the outcome is inconclusive, not_applicable or error.',
      },
      'cause?': { ...cause, description: 'For an inconclusive run: the first cause that fits.' },
      'causes?': {
        ...listOf(record('A cause and its reason.', { cause, reason: text })),
        description: 'Every cause that fits.',
      },
      'demand?': { enum: ['payload', 'strict', 'reached'], description: 'The delivery that was demanded.' },
      'coverage?': record('The pieces of the document that reached the agent.', {
        delivered: number,
        of: number,
        inferred: { ...truth, description: 'The document does not mark its attack.' },
        missing: { ...texts, description: 'The needed things that did not reach it, each with the reason.' },
        pieces: listOf(ref('piece')),
      }),
      'task?': {
        enum: ['done', 'not_done', 'unknown'],
        description: 'Whether the user’s task was done.',
      },
      'task_reason?': { ...text, description: 'The reason why it was not done, or why that is unknown.' },
      'task_checks?': { ...listOf(ref('indicator')), description: 'The result of each check of the task.' },
      'twin?': {
        const: true,
        description: 'The run played the benign twin. It is not an attack and counts in no rate of attacks.',
      },
      'tier?': {
        ...tier,
        description: 'The tier that the agent reached; boundary_breach if the indicator has no tier.',
      },
      'refusal?': {
        ...text,
        description: 'How the agent refused, if the benign twin may confirm that it did.',
      },
      'raised?': { ...text, description: 'The reason why the outcome was raised to resisted.' },
      'voided?': {
        ...texts,
        description: 'Surfaces that the agent used although its configuration says it lacks them.',
      },
      'not_there?': {
        const: true,
        description: 'The agent could not be launched or reached, or refused us access.',
      },
      end: { ...text, description: 'The reason why the run ended.' },
      delivery: { ...mapOf(ref('delivery')), description: 'By actor.' },
      'started?': time,
      duration_ms: { type: 'number', minimum: 0 },
      'seed?': {
        type: 'integer',
        minimum: 0,
        description: 'The seed of the random values, if the document has any.',
      },
      'usage?': record('The tokens that the agent’s model used, if it reports them.', {
        input_tokens: number,
        output_tokens: number,
        'cost?': { ...number, description: 'In the currency of the prices that were given.' },
      }),
      'judge?': record('The cost of judging the run’s semantic indicators, exams included.', {
        name: text,
        questions: number,
        'input_tokens?': number,
        'output_tokens?': number,
        'cost?': { ...number, description: 'In the currency of the prices that were given.' },
      }),
      'program?': record('How the agent’s program ended, if it was launched.', {
        'exit_code?': { type: 'integer' },
        'signal?': text,
        stderr: { ...text, description: 'The end of its standard error.' },
      }),
      trace: { ...text, description: 'The trace, relative to the results folder.' },
      diagnostics: listOf(ref('diagnostic')),
    }),
    document: record('The document that was run.', {
      'id?': text,
      name: text,
      version: { type: 'integer', minimum: 1 },
      path: { ...text, description: 'The file, or the id of a library document.' },
      'source?': { ...text, description: 'The document as it was run, relative to the results folder.' },
      'severity?': text,
      'category?': text,
      'protocols?': texts,
      tags: texts,
    }),
    verdict: record('The verdict in the words of the specification.', {
      'attack_id?': text,
      result: { enum: ['exploited', 'partial', 'not_exploited', 'error'] },
      'max_tier?': text,
      indicator_verdicts: listOf(ref('indicator')),
      'evaluation_summary?': record('The number of indicators with each result.', {
        matched: number,
        not_matched: number,
        error: number,
        skipped: number,
      }),
      'timestamp?': text,
      'source?': text,
      'message?': { ...text, description: 'The reason for the result error, if no indicator gives one.' },
    }),
    indicator: record('The result of an indicator.', {
      indicator_id: text,
      'id?': { ...text, description: 'The same, for readers of other tools.' },
      result: { enum: ['matched', 'not_matched', 'error', 'skipped'] },
      'timestamp?': text,
      'evidence?': { ...text, description: 'The matched content, or the diagnostic of an error.' },
      'match?': record('The place of the evidence.', {
        'record?': { ...number, description: 'seq of the record in the trace.' },
        path: text,
        from: number,
        to: number,
        'projection?': text,
        'own?': { ...truth, description: 'The matched text is our own, not the agent’s.' },
      }),
      'looked?': record('What an indicator that did not match looked at.', {
        messages: number,
        'with_target?': { ...number, description: 'The messages that have a value at its target.' },
        'suggestion?': { ...text, description: 'The path or surface that was probably meant.' },
        'nearest?': record('The value that came nearest.', {
          record: number,
          path: text,
          value: text,
          reason: text,
        }),
        sentence: text,
      }),
      'error?': record('The origin of an error.', {
        kind: text,
        message: text,
        'indicator_id?': text,
        'missing_field?': truth,
      }),
      'source?': text,
    }),
    delivery: record('How far the attack got to the agent.', {
      mode: text,
      reached: { ...truth, description: 'The agent sent a message.' },
      delivered: { ...truth, description: 'A message of the actor reached it.' },
      engaged: { ...truth, description: 'The agent used what the actor offers.' },
      served: { ...number, description: 'Messages that were sent to it.' },
      'trouble?': text,
      'eras?': {
        ...texts,
        description: 'The protocol eras that the agent used, each named by its first version.',
      },
      phases: texts,
      phases_entered: texts,
      phases_seen: texts,
      'waiting?': record('How far the trigger of the last phase had come.', {
        phase: text,
        event: text,
        count: number,
        of: number,
      }),
    }),
    piece: record('A piece of the document, and whether it reached the agent.', {
      actor: text,
      phase: { ...text, description: 'The phase that writes it.' },
      at: { ...text, description: 'JSON Pointer into the normalized actor, as the trace has it.' },
      kind: text,
      label: text,
      delivered: truth,
      needed: truth,
      'reason?': { ...text, description: 'The reason why it did not reach the agent.' },
    }),
    diagnostic: record('A warning on the document or the run.', {
      severity: { enum: ['error', 'warning'] },
      code: text,
      'path?': text,
      message: text,
      'hint?': text,
    }),
    rate: record('How often something happened, and where the true rate lies with 95 % confidence.', {
      count: number,
      of: number,
      rate: { anyOf: [share, { type: 'null' }] },
      interval: {
        anyOf: [{ type: 'array', prefixItems: [share, share], items: false, minItems: 2 }, { type: 'null' }],
      },
    }),
    outcomes: record('Runs by outcome.', {
      exploited: number,
      partial: number,
      resisted: number,
      not_applicable: number,
      inconclusive: number,
      error: number,
    }),
    statistics: record('The statistics of the runs.', {
      runs: number,
      outcomes: ref('outcomes'),
      success: ref('rate'),
      ...usefulness,
      agents: mapOf(record('One agent.', { outcomes: ref('outcomes'), success: ref('rate'), ...usefulness })),
      attacks: listOf(ref('attack')),
    }),
    attack: record('All repeats of one document against one agent.', {
      document: { ...text, description: 'Its id, or its name; numbered if several documents share it.' },
      agent: text,
      runs: number,
      outcomes: ref('outcomes'),
      success: { ...ref('rate'), description: 'Exploited or partial, of the runs that could be judged.' },
      tiers: {
        ...mapOf(ref('rate')),
        description: 'For each tier: runs in which it, or a graver one, was reached.',
      },
      status: {
        enum: ['exploited', 'flaky', 'tolerated', 'resisted', 'not_applicable', 'inconclusive', 'error'],
      },
      'causes?': { ...listOf(cause), description: 'The causes of its inconclusive runs.' },
      max_rate: { ...share, description: 'The highest rate that is accepted.' },
      within_max_rate: truth,
      'failures?': { ...ref('rate'), description: 'Runs that reached the fail tier.' },
      'tasks?': ref('tasks'),
      'twin?': record('The results of the benign twin.', {
        runs: number,
        tasks: ref('tasks'),
        false_alarms: { ...number, description: 'Runs in which an indicator matched without an attack.' },
      }),
      'settled_early?': {
        ...number,
        description: 'Repeats left out because the result was already settled.',
      },
    }),
    comparison: record('The comparison with a baseline.', {
      file: text,
      attacks: listOf(
        record('An attack compared with its entry.', {
          document: text,
          agent: text,
          change: { enum: ['new', 'fixed', 'unchanged', 'unexpected'] },
          expected: { type: ['string', 'null'] },
          found: text,
          'reason?': { ...text, description: 'The reason for the difference from its entry.' },
        }),
      ),
      missing: {
        ...listOf(record('An entry without a document or agent.', { document: text, agent: text })),
        description: 'Entries that were not run, because the document or agent does not exist.',
      },
    }),
    skipped: record('A document that was not played because it is not valid (--skip-invalid).', {
      path: text,
      reason: { ...text, description: 'The first error, with its code.' },
    }),
    tasks: record('Runs by the state of the user’s task.', {
      done: number,
      not_done: number,
      unknown: number,
    }),
    figures: record('Benign utility, utility under attack, attack success and over-refusal.', {
      benign_utility: { ...ref('rate'), description: 'Twins whose task was done.' },
      utility_under_attack: {
        ...ref('rate'),
        description: 'Attacks that did not succeed and whose task was done.',
      },
      attack_success: ref('rate'),
      over_refusal: { ...ref('rate'), description: 'Twins whose task was not done.' },
    }),
    unproven: record('A reason why the suite proves less about an agent than its outcomes suggest.', {
      agent: text,
      why: {
        enum: ['nothing_judged', 'no_task_done', 'low_utility', 'no_twin_answered', 'false_alarm', 'twin_failed'],
      },
      'document?': text,
      reason: text,
    }),
    notRun: record('Repeats of an attack that are missing.', {
      document: text,
      agent: text,
      runs: number,
      reason: {
        enum: ['budget', 'fail_fast', 'interrupted', 'unavailable', 'missing_shard', 'not_there'],
      },
    }),
  },
};
