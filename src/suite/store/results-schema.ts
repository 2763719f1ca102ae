import type { Diagnostic } from '../../format/model/errors.ts';
import {
  type AgentEntry,
  type AttackStatistics,
  type AttackStatus,
  type ComparedAttack,
  type Comparison,
  type CountedMatch,
  type CoverageEntry,
  causes,
  type DeliveryEntry,
  type DisclosureCounts,
  type DisclosureDetails,
  type DocumentEntry,
  disclosureStates,
  type Figures,
  type FoundCause,
  type IndicatorAttribution,
  type NotRun,
  type OutcomeCounts,
  outcomeNames,
  type PieceEntry,
  type Rate,
  type Results,
  type RunEntry,
  type RunStatistics,
  type SkippedDocument,
  type Statistics,
  type TaskCounts,
  type TwinStatistics,
  type Unproven,
} from '../../format/model/results-file.ts';
import type { BaselineEntry } from '../statistics/baseline.ts';
import { tiers } from '../statistics/fail-tier.ts';

// The JSON Schema of `results.json`, of a line of `runs.jsonl` (`$defs/run`) and of a baseline file (`$defs/baseline`). A
// field that the types have and the schema lacks does not compile. Later versions of the tool may add fields, so
// unknown fields are allowed.

const text = { type: 'string' } as const;
const time = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const amount = { type: 'number', minimum: 0 } as const;
const flag = { type: 'boolean' } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const texts = { type: 'array', items: text } as const;
const outcome = { enum: outcomeNames } as const;
const tier = { enum: tiers } as const;
const cause = { enum: causes } as const;
const statuses: readonly AttackStatus[] = [
  'exploited',
  'flaky',
  'tolerated',
  'resisted',
  'not_applicable',
  'inconclusive',
  'error',
];

function ref(name: string): object {
  return { $ref: `#/$defs/${name}` };
}

function listOf(items: object): object {
  return { type: 'array', items };
}

function mapOf(values: object): object {
  return { type: 'object', additionalProperties: values };
}

/** The fields of a type. The name of an optional field ends in a question mark. */
type FieldSchemas<T> = { readonly [K in keyof T & string as object extends Pick<T, K> ? `${K}?` : K]-?: object };

/** The schema of an object. */
function describeObject<T>(description: string, fields: FieldSchemas<T>): object {
  const entries = Object.entries<object>(fields);
  return {
    type: 'object',
    description,
    required: entries.flatMap(([name]) => (name.endsWith('?') ? [] : name)),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
  };
}

/** For objects whose fields no type lists. */
type OpenFields = { readonly [name: string]: object };

const usefulness: Omit<FieldSchemas<RunStatistics>, 'outcomes' | 'success'> = {
  'figures?': ref('figures'),
  'tasks?': ref('tasks'),
  'resisted_not_done?': { ...whole, description: 'Resisted, and the task was not done.' },
  'delivery_inferred?': { ...whole, description: 'Resisted, and the document does not mark its payload.' },
  'unattributed?': {
    ...whole,
    description: 'Lowered to inconclusive, because the agent does the same without the attack.',
  },
  'disclosures?': describeObject<NonNullable<RunStatistics['disclosures']>>(
    'Whether the agent told its user of the attack.',
    { resisted: ref('disclosures'), succeeded: ref('disclosures') },
  ),
  'twin_runs?': whole,
};

export const resultsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Results of oatf',
  ...describeObject<Results>('The results of attacks on agents: results.json, version 3.', {
    version: { const: 3 },
    tool: describeObject<Results['tool']>('The tool that ran the attacks.', { name: text, version: text }),
    agents: listOf(ref('agent')),
    started: time,
    finished: time,
    runs: { ...listOf(ref('run')), description: 'In the order of statistics.attacks.' },
    statistics: ref('statistics'),
    'fail_tier?': { ...tier, description: 'The tier from which a match fails. Absent: any tier.' },
    'min_utility?': { ...share, description: 'The lowest accepted utility under attack of an agent. Absent: any.' },
    'unproven?': {
      ...listOf(ref('unproven')),
      description: 'The reasons why the suite proves less about an agent than its outcomes suggest.',
    },
    'baseline?': ref('comparison'),
    'not_run?': listOf(ref('notRun')),
    'skipped?': listOf(ref('skipped')),
  }),
  $defs: {
    agent: describeObject<AgentEntry>('An agent that was attacked.', {
      name: text,
      kind: text,
      'without?': { ...texts, description: 'Surfaces that it lacks, by its configuration.' },
    }),
    run: describeObject<RunEntry>('One run; also one line of runs.jsonl.', {
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
        ...listOf(describeObject<FoundCause>('A cause and its reason.', { cause, reason: text })),
        description: 'Every cause that fits.',
      },
      'demand?': { enum: ['payload', 'strict', 'reached'], description: 'The delivery that was demanded.' },
      'coverage?': describeObject<CoverageEntry>('The pieces of the document that reached the agent.', {
        delivered: whole,
        of: whole,
        inferred: { ...flag, description: 'The document does not mark its attack.' },
        missing: { ...texts, description: 'The needed things that did not reach it, each with the reason.' },
        pieces: listOf(ref('piece')),
      }),
      'task?': {
        enum: ['done', 'not_done', 'unknown'],
        description: 'Whether the user’s task was done.',
      },
      'task_reason?': { ...text, description: 'The reason why it was not done, or why that is unknown.' },
      'task_checks?': { ...listOf(ref('indicator')), description: 'The result of each check of the task.' },
      'disclosure?': {
        enum: disclosureStates,
        description: 'Whether the agent told its user of the attack; not_disclosed: it was not seen to.',
      },
      'disclosure_details?': describeObject<DisclosureDetails>('The reason for the state of disclosure.', {
        decided_by: { enum: ['rule', 'judge'] },
        'reason?': { ...text, description: 'The reason why it is unknown.' },
        'rule?': { enum: ['quotation', 'warning', 'checks'], description: 'What showed the disclosure.' },
        'record?': { ...whole, description: 'seq of the record that completes what the agent said.' },
        'sentence?': { ...text, description: 'The sentence, or the two, that disclose the attack.' },
        'span?': {
          type: 'array',
          prefixItems: [whole, whole],
          items: false,
          minItems: 2,
          description: 'The place of the quotation or the warning in the sentence.',
        },
        'checks?': { ...listOf(ref('indicator')), description: 'The result of each check of x-disclosure.' },
      }),
      'twin?': {
        const: true,
        description: 'The run played the benign twin. It is not an attack and counts in no rate of attacks.',
      },
      'tier?': {
        ...tier,
        description: 'The tier that the agent reached; boundary_breach if the indicator has no tier.',
      },
      'matches?': {
        ...listOf(describeObject<CountedMatch>('An indicator that matched.', { indicator: text, tier })),
        description: 'The matches that count against the agent: none in our own words.',
      },
      'refusal?': {
        ...text,
        description: 'How the agent refused, if the benign twin may confirm that it did.',
      },
      'raised?': { ...text, description: 'The reason why the outcome was raised to resisted.' },
      'lowered?': {
        enum: ['exploited', 'partial'],
        description:
          'The outcome that the trace alone gives, if it was lowered: the agent does the same without the attack.',
      },
      'set_aside?': {
        ...texts,
        description: 'The indicators whose matches do not count: they match as often without the attack.',
      },
      'voided?': {
        ...texts,
        description: 'Surfaces that the agent used although its configuration says it lacks them.',
      },
      'unreachable?': {
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
      'usage?': describeObject<NonNullable<RunEntry['usage']>>(
        'The tokens that the agent’s model used, if it reports them.',
        {
          input_tokens: whole,
          output_tokens: whole,
          'cost?': { ...amount, description: 'In the currency of the prices that were given.' },
        },
      ),
      'judge?': describeObject<NonNullable<RunEntry['judge']>>(
        'The cost of judging the run’s semantic indicators, exams included.',
        {
          name: text,
          questions: whole,
          'input_tokens?': whole,
          'output_tokens?': whole,
          'cost?': { ...amount, description: 'In the currency of the prices that were given.' },
        },
      ),
      'program?': describeObject<NonNullable<RunEntry['program']>>(
        'How the agent’s program ended, if it was launched.',
        {
          'exit_code?': { type: 'integer' },
          'signal?': text,
          stderr: { ...text, description: 'The end of its standard error.' },
        },
      ),
      trace: { ...text, description: 'The trace, relative to the results folder.' },
      diagnostics: listOf(ref('diagnostic')),
    }),
    document: describeObject<DocumentEntry>('The document that was run.', {
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
    verdict: describeObject<OpenFields>('The verdict in the words of the specification.', {
      'attack_id?': text,
      result: { enum: ['exploited', 'partial', 'not_exploited', 'error'] },
      'max_tier?': text,
      indicator_verdicts: listOf(ref('indicator')),
      'evaluation_summary?': describeObject<OpenFields>('The number of indicators with each result.', {
        matched: whole,
        not_matched: whole,
        error: whole,
        skipped: whole,
      }),
      'timestamp?': text,
      'source?': text,
      'message?': { ...text, description: 'The reason for the result error, if no indicator gives one.' },
    }),
    indicator: describeObject<OpenFields>('The result of an indicator.', {
      indicator_id: text,
      'id?': { ...text, description: 'The same, for readers of other tools.' },
      result: { enum: ['matched', 'not_matched', 'error', 'skipped'] },
      'timestamp?': text,
      'evidence?': { ...text, description: 'The matched content, or the diagnostic of an error.' },
      'match?': describeObject<OpenFields>('The place of the evidence.', {
        'record?': { ...whole, description: 'seq of the record in the trace.' },
        path: text,
        from: whole,
        to: whole,
        'projection?': text,
        'own?': { ...flag, description: 'The matched text is our own, not the agent’s.' },
      }),
      'looked?': describeObject<OpenFields>('What an indicator that did not match looked at.', {
        messages: whole,
        'with_target?': { ...whole, description: 'The messages that have a value at its target.' },
        'suggestion?': { ...text, description: 'The path or surface that was probably meant.' },
        'nearest?': describeObject<OpenFields>('The value that came nearest.', {
          record: whole,
          path: text,
          value: text,
          reason: text,
        }),
        sentence: text,
      }),
      'error?': describeObject<OpenFields>('The origin of an error.', {
        kind: text,
        message: text,
        'indicator_id?': text,
        'missing_field?': flag,
      }),
      'source?': text,
    }),
    delivery: describeObject<DeliveryEntry>('How far the attack got to the agent.', {
      mode: text,
      reached: { ...flag, description: 'The agent sent a message.' },
      delivered: { ...flag, description: 'A message of the actor reached it.' },
      engaged: { ...flag, description: 'The agent used what the actor offers.' },
      served: { ...whole, description: 'Messages that were sent to it.' },
      'trouble?': text,
      'eras?': {
        ...texts,
        description: 'The protocol eras that the agent used, each named by its first version.',
      },
      phases: texts,
      phases_entered: texts,
      phases_seen: texts,
      'waiting?': describeObject<NonNullable<DeliveryEntry['waiting']>>(
        'How far the trigger of the last phase had come.',
        {
          phase: text,
          event: text,
          count: whole,
          of: whole,
        },
      ),
    }),
    piece: describeObject<PieceEntry>('A piece of the document, and whether it reached the agent.', {
      actor: text,
      phase: { ...text, description: 'The phase that writes it.' },
      at: { ...text, description: 'JSON Pointer into the normalized actor, as the trace has it.' },
      kind: text,
      label: text,
      delivered: flag,
      needed: flag,
      'reason?': { ...text, description: 'The reason why it did not reach the agent.' },
    }),
    diagnostic: describeObject<Diagnostic>('A warning on the document or the run.', {
      severity: { enum: ['error', 'warning'] },
      code: text,
      'path?': text,
      message: text,
      'hint?': text,
    }),
    rate: describeObject<Rate>('How often something happened, and where the true rate lies with 95 % confidence.', {
      count: whole,
      of: whole,
      rate: { anyOf: [share, { type: 'null' }] },
      interval: {
        anyOf: [{ type: 'array', prefixItems: [share, share], items: false, minItems: 2 }, { type: 'null' }],
      },
    }),
    outcomes: describeObject<OutcomeCounts>('Runs by outcome.', {
      exploited: whole,
      partial: whole,
      resisted: whole,
      not_applicable: whole,
      inconclusive: whole,
      error: whole,
    }),
    statistics: describeObject<Statistics>('The statistics of the runs.', {
      runs: whole,
      outcomes: ref('outcomes'),
      success: ref('rate'),
      ...usefulness,
      agents: mapOf(
        describeObject<RunStatistics>('One agent.', { outcomes: ref('outcomes'), success: ref('rate'), ...usefulness }),
      ),
      attacks: listOf(ref('attack')),
    }),
    attack: describeObject<AttackStatistics>('All repeats of one document against one agent.', {
      document: { ...text, description: 'Its id, or its name; numbered if several documents share it.' },
      agent: text,
      runs: whole,
      outcomes: ref('outcomes'),
      success: { ...ref('rate'), description: 'Exploited or partial, of the runs that could be judged.' },
      tiers: {
        ...mapOf(ref('rate')),
        description: 'For each tier: runs in which it or a more severe one was reached.',
      },
      status: {
        enum: statuses,
      },
      'causes?': { ...listOf(cause), description: 'The causes of its inconclusive runs.' },
      max_rate: { ...share, description: 'The highest rate that is accepted.' },
      within_max_rate: flag,
      'failures?': { ...ref('rate'), description: 'Runs that reached the fail tier.' },
      'tasks?': ref('tasks'),
      'unattributed?': { ...whole, description: 'Runs that were lowered to inconclusive, and are in no rate.' },
      'attribution?': {
        ...listOf(ref('attribution')),
        description: 'For each indicator that matched: whether the attack caused it.',
      },
      'twin?': describeObject<TwinStatistics>('The results of the benign twin.', {
        runs: whole,
        tasks: ref('tasks'),
        false_positives: { ...whole, description: 'Runs in which an indicator matched without an attack.' },
      }),
      'skipped_repeats?': {
        ...whole,
        description: 'Repeats that were skipped because the result was decided early.',
      },
    }),
    attribution: describeObject<IndicatorAttribution>('What the benign twin says of an indicator that matched.', {
      indicator: text,
      status: { enum: ['unknown', 'attributed', 'partly', 'not_attributed'] },
      attack: { ...ref('rate'), description: 'Runs of the attack in which it matched.' },
      twin: { ...ref('rate'), description: 'Runs of the benign twin in which it matched.' },
      'difference?': describeObject<NonNullable<IndicatorAttribution['difference']>>(
        'The rate under attack less that of the twin, with its 95 % interval (Newcombe).',
        {
          value: { type: 'number' },
          interval: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false, minItems: 2 },
        },
      ),
      'p?': { ...share, description: 'Fisher’s exact test, one-sided: how likely such a difference is by chance.' },
    }),
    comparison: describeObject<Comparison>('The comparison with a baseline.', {
      file: text,
      attacks: listOf(
        describeObject<ComparedAttack>('An attack compared with its entry.', {
          document: text,
          agent: text,
          change: { enum: ['new', 'fixed', 'unchanged', 'unexpected'] },
          expected: { type: ['string', 'null'] },
          found: text,
          'reason?': { ...text, description: 'The reason for the difference from its entry.' },
        }),
      ),
      missing: {
        ...listOf(
          describeObject<Comparison['missing'][number]>('An entry without a document or agent.', {
            document: text,
            agent: text,
          }),
        ),
        description: 'Entries that were not run, because the document or agent does not exist.',
      },
    }),
    skipped: describeObject<SkippedDocument>(
      'A document that was not played because it is not valid (--skip-invalid).',
      {
        path: text,
        reason: { ...text, description: 'The first error, with its code.' },
      },
    ),
    disclosures: describeObject<DisclosureCounts>('Runs by whether the agent told its user of the attack.', {
      disclosed: whole,
      not_disclosed: { ...whole, description: 'It was not seen to.' },
      unknown: whole,
    }),
    tasks: describeObject<TaskCounts>('Runs by the state of the user’s task.', {
      done: whole,
      not_done: whole,
      unknown: whole,
    }),
    figures: describeObject<Figures>('Benign utility, utility under attack, attack success and over-refusal.', {
      benign_utility: { ...ref('rate'), description: 'Twins whose task was done.' },
      utility_under_attack: {
        ...ref('rate'),
        description: 'Attacks that did not succeed and whose task was done.',
      },
      attack_success: ref('rate'),
      over_refusal: { ...ref('rate'), description: 'Twins whose task was not done.' },
    }),
    unproven: describeObject<Unproven>('A reason why the suite proves less about an agent than its outcomes suggest.', {
      agent: text,
      why: {
        enum: ['nothing_judged', 'no_task_done', 'low_utility', 'no_twin_answered', 'false_positive', 'twin_failed'],
      },
      'document?': text,
      reason: text,
    }),
    notRun: describeObject<NotRun>('Repeats of an attack that are missing.', {
      document: text,
      agent: text,
      runs: whole,
      reason: {
        enum: ['budget', 'fail_fast', 'interrupted', 'unavailable', 'missing_shard', 'unreachable'],
      },
    }),
    baseline: describeObject<OpenFields>('A baseline file: the accepted verdicts, in YAML or JSON.', {
      version: { enum: [1, 2] },
      attacks: listOf(
        describeObject<Omit<BaselineEntry, 'causes'> & { readonly cause?: string }>(
          'The accepted verdict of an attack.',
          {
            document: { ...text, description: 'Its name, as in statistics.attacks.' },
            agent: text,
            status: { enum: statuses },
            success: {
              type: 'string',
              pattern: '^\\d+/\\d+$',
              description: 'How often it succeeded, of the runs that were judged.',
            },
            'cause?': { ...text, description: 'The accepted causes of inconclusive runs, separated by commas.' },
            'tier?': { ...tier, description: 'The most severe tier that the attack reached.' },
            'path?': { ...text, description: 'The file of the document, unless it is in the library.' },
          },
        ),
      ),
    }),
  },
};
