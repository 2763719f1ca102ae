import { describe, expect, test } from 'vitest';
import { includedViews } from '../../../src/attack/bindings/included-views.ts';
import type { IndicatorVerdict } from '../../../src/format/model/attack-verdict.ts';
import type { TraceRecord } from '../../../src/format/model/trace-record.ts';
import { createJudge, type Judgement, type JudgeOptions } from '../../../src/judgement/judge/judge-run.ts';
import { documentWith } from '../../support/records.ts';
import { verdictOf } from './small-case.ts';
import {
  asked,
  attackedState,
  called,
  end,
  type Fields,
  leak,
  listed,
  phase,
  reported,
  server,
  tools,
  whole,
} from './small-trace.ts';

// What a judgement is made of: the trace, the verdicts of the indicators, and what the caller asks for.

interface Run {
  readonly execution?: object;
  readonly indicators?: readonly object[];
  readonly verdicts?: readonly Partial<IndicatorVerdict>[];
  readonly options?: Partial<JudgeOptions>;
}

function judged(records: readonly Fields[], run: Run = {}): Judgement {
  const { execution = attackedState, indicators = [leak], verdicts = indicators.map(() => ({})), options = {} } = run;
  const judge = createJudge(documentWith({ execution, indicators }), includedViews, {
    marks: [],
    ...options,
  });
  records.forEach((fields, seq) => {
    judge.add({ seq, timestamp: '', ...fields } as TraceRecord);
  });
  return judge.conclude({ verdict: verdictOf('not_exploited', ...verdicts), checks: [] });
}

const summary = ({ outcome, cause }: Judgement): string => cause ?? outcome;
const whyNot = ({ reason }: Judgement): unknown => reason;

const user = { name: 'user', mode: 'ag_ui_client' };
const spoken = { state: { run_agent_input: { messages: [{ id: '1', role: 'user', content: 'Hi.' }] } } };
const withUser = {
  actors: [
    { name: 'default', mode: 'mcp_server', phases: [{ name: 'phase-1', state: attackedState.state }] },
    { ...user, phases: [{ name: 'phase-1', ...spoken }] },
  ],
};
const ofMcp = { ...leak, protocol: 'mcp' };

describe('the demand of a judgement', () => {
  const demands: readonly [
    title: string,
    named: string | undefined,
    demand: JudgeOptions['demand'],
    expected: string,
  ][] = [
    ['is the one that the trace names', 'reached', undefined, 'reached'],
    ['is the one that is asked for, whatever the trace names', 'reached', 'strict', 'strict'],
    ['is payload if nobody names one', undefined, undefined, 'payload'],
  ];
  test.each(demands)('%s', (_, named, demand, expected) => {
    expect(judged([...whole, end({ demand: named })], { options: { demand } }).demand).toBe(expected);
  });

  test('is payload in a trace without an end', () => {
    expect(judged(whole).demand).toBe('payload');
  });

  test('needs a use of every server only if it is strict', () => {
    const actors = ['default', 'idle'].map((name) => ({
      name,
      mode: 'mcp_server',
      phases: [{ name: 'phase-1', state: attackedState.state }],
    }));
    const marks = [{ actor: 'default', phase: 'phase-1', at: '/state/tools/0', needed: true }];
    const run = { execution: { actors }, indicators: [ofMcp] };
    const outcomes = (['payload', 'strict'] as const).map((demand) =>
      summary(judged([...whole, end()], { ...run, options: { marks, demand } })),
    );
    expect(outcomes).toEqual(['resisted', 'not_delivered']);
  });
});

describe('a judgement of a run that did not play all actors', () => {
  const voice = { mode: 'voice_server', state: { it: 1 } };
  const ofVoice = { ...leak, protocol: 'voice', surface: undefined };
  test.each<[title: string, more: object, run: Run, outcome: string, actors: readonly string[]]>([
    [
      'is resisted and leaves out the user if an operator stands in for the user',
      { skipped: ['user'] },
      {},
      'resisted',
      ['default'],
    ],
    [
      'is not_delivered if the user was skipped although the agent serves AG-UI',
      { skipped: ['user'], doors: ['ag_ui'] },
      {},
      'not_delivered',
      ['default', 'user'],
    ],
    ['is not_delivered if the user was played and said nothing', {}, {}, 'not_delivered', ['default', 'user']],
    [
      'is not_delivered if a client other than the user was skipped',
      { skipped: ['user'] },
      {
        execution: {
          actors: [
            withUser.actors[0],
            {
              ...withUser.actors[1],
              mode: 'mcp_client',
              phases: [{ name: 'phase-1', state: { actions: [{ method: 'tools/list' }] } }],
            },
          ],
        },
      },
      'not_delivered',
      ['default', 'user'],
    ],
    [
      'is unplayed if the mode is unknown',
      { skipped: ['default'] },
      { execution: voice, indicators: [ofVoice] },
      'unplayed',
      ['default'],
    ],
  ])('%s', (_, more, run, outcome, actors) => {
    const found = judged([...whole, end(more)], { execution: withUser, indicators: [ofMcp], ...run });
    expect([summary(found), Object.keys(found.delivery)]).toEqual([outcome, actors]);
  });

  test('lists all actors in a trace without an end', () => {
    expect(Object.keys(judged(whole, { execution: withUser, indicators: [ofMcp] }).delivery)).toEqual([
      'default',
      'user',
    ]);
  });
});

describe('the judgement of an indicator on the agent’s process', () => {
  const crashed = { protocol: 'x_agent', target: 'ended', pattern: { contains: 'crashed' } };
  const match = { path: 'ended', from: 0, to: 7 };
  const seen = { result: 'matched', evidence: 'crashed', match } as const;
  const marks = [{ actor: 'default', phase: 'phase-1', at: '/state/tools/0', needed: true }];
  const begun = { ...reported('tools/list', []), pieces: undefined, begun: [tools] } as Fields;
  const half = { ...begun, begun: ['/phases/0/state/tools/0/responses/0'] } as Fields;
  test.each<[title: string, records: readonly Fields[], run: Run, outcome: string, tier?: string]>([
    ['is exploited if the attack was delivered', whole, {}, 'exploited', 'boundary_breach'],
    ['is not_delivered if nothing was delivered', [phase], {}, 'not_delivered'],
    ['is exploited if the needed piece was being sent', [phase, begun], {}, 'exploited', 'boundary_breach'],
    ['is not_delivered if only another piece was being sent', [phase, half], {}, 'not_delivered'],
    [
      'is exploited before delivery if a message of the agent matches as well',
      [phase],
      { indicators: [crashed, leak], verdicts: [{}, seen] },
      'exploited',
      'boundary_breach',
    ],
    ['is not_delivered if nothing matched before delivery', [phase], { verdicts: [{}] }, 'not_delivered'],
    [
      'is exploited while one of two pieces was being sent of which either is enough',
      [phase, { ...begun, begun: ['/phases/0/state/tools/0'] } as Fields],
      {
        execution: {
          ...attackedState,
          state: { tools: ['a', 'b'].map((name) => ({ name, description: 'It.' })) },
        },
        options: { marks: [] },
      },
      'exploited',
      'boundary_breach',
    ],
    [
      'is not_delivered if only one of two needed pieces arrived',
      [phase, ...listed],
      { options: { marks: [...marks, { ...marks[0], at: '/state/tools/0/responses/0' } as never] } },
      'not_delivered',
    ],
    [
      'is exploited before delivery if the match is in a message',
      [phase],
      { indicators: [leak], verdicts: [seen] },
      'exploited',
      'boundary_breach',
    ],
    [
      'has the tier of the indicator',
      whole,
      { indicators: [{ ...crashed, tier: 'ingested' }] },
      'exploited',
      'ingested',
    ],
    [
      'is not_delivered if the indicator failed before delivery',
      [phase],
      { verdicts: [{ result: 'error', evidence: 'x' }] },
      'not_delivered',
    ],
  ])('%s', (_, records, run, outcome, tier) => {
    const found = judged([...records, end()], {
      indicators: [crashed],
      verdicts: [seen],
      ...run,
      options: { marks, ...run.options },
    });
    expect([summary(found), found.tier]).toEqual([outcome, tier]);
  });

  const looked = (withTarget: number | undefined): Partial<IndicatorVerdict> => ({
    looked: { messages: 1, sentence: 'it looked', ...(withTarget !== undefined && { withTarget }) },
  });
  const blind = 'I1 looks at something that could not be observed of this agent: it looked';
  test.each<[title: string, run: Run, reason: string | undefined]>([
    ['is unjudged if its target was never observed', { verdicts: [looked(0)] }, blind],
    ['is resisted if its target was observed', { verdicts: [looked(1)] }, undefined],
    [
      'is resisted if the trace does not say whether its target was observed',
      { verdicts: [looked(undefined)] },
      undefined,
    ],
    ['is resisted if nothing was looked at', { verdicts: [{}] }, undefined],
    [
      'is resisted if the target is the reason, which a good end does not have',
      { indicators: [{ ...crashed, target: 'reason' }], verdicts: [looked(0)] },
      undefined,
    ],
    [
      'is resisted if the indicator looks at messages instead',
      { indicators: [leak], verdicts: [looked(0)] },
      undefined,
    ],
    [
      'is resisted if the unseen indicator had nothing to judge beside another',
      {
        verdicts: [{ ...looked(0), result: 'skipped', evidence: 'nothing to judge' }, {}],
        indicators: [crashed, leak],
      },
      undefined,
    ],
    [
      'names the first of two indicators whose target was never observed',
      { indicators: [crashed, crashed], verdicts: [looked(0), looked(0)] },
      blind,
    ],
    [
      'is resisted if there are more verdicts than indicators',
      { indicators: [leak], verdicts: [{}, looked(0)] },
      undefined,
    ],
  ])('%s', (_, run, reason) => {
    const found = judged([...whole, end()], { indicators: [crashed], ...run });
    expect([summary(found), whyNot(found)]).toEqual([reason === undefined ? 'resisted' : 'unjudged', reason]);
  });
});

describe('the field `absent` of a judgement', () => {
  const gone = (more: object = {}): Fields => ({
    kind: 'connection',
    actor: 'default',
    reason: 'refused',
    cause: 'trouble',
    ...more,
  });
  test.each<[title: string, records: readonly Fields[], absent: string | undefined]>([
    ['gives the reason if the agent could not be reached', [phase, gone({ absent: true })], 'refused'],
    ['is not set if the agent failed in another way', [phase, gone()], undefined],
    [
      'gives the reason of the absence if another failure came first',
      [phase, gone({ reason: 'no' }), gone({ absent: true })],
      'refused',
    ],
    [
      'gives the first reason if the agent could not be reached twice',
      [phase, gone({ absent: true }), gone({ absent: true, reason: 'again' })],
      'refused',
    ],
    ['is not set if the agent was active before', [...whole, gone({ absent: true })], undefined],
    ['is not set if the agent was active in an earlier phase', [...called, gone({ absent: true })], undefined],
    ['is not set if nothing failed', [phase], undefined],
  ])('%s', (_, records, absent) => {
    const found = judged([...records, end()]);
    expect(found).toStrictEqual(absent === undefined ? withoutAbsence(found) : { ...found, absent });
  });
  test.each<[title: string, records: readonly Fields[], absent: string | undefined]>([
    ['gives what the adapter says if the agent showed nothing', [phase], 'no model'],
    ['prefers the reason of a connection to what the adapter says', [phase, gone({ absent: true })], 'refused'],
    ['is not set if the agent was active, whatever the adapter says', whole, undefined],
  ])('%s', (_, records, absent) => {
    expect(judged([...records, end({ absent: 'no model' })]).absent).toBe(absent);
  });
});

function withoutAbsence({ absent: _, ...rest }: Judgement): Judgement {
  return rest;
}

describe('a judgement', () => {
  test('has no tier if nothing matched', () => {
    expect(judged([...whole, end()])).not.toHaveProperty('tier');
  });

  test('has a refusal only if a function for it is given', () => {
    expect(judged([...whole, end()])).not.toHaveProperty('refusal');
    const refusalOf: JudgeOptions['refusalOf'] = (run, { outcome }) => ({
      refusal: `${outcome} ${run.isStrict} ${run.isOtherAttack}`,
    });
    expect(judged([...whole, end()], { options: { refusalOf } }).refusal).toBe('resisted true false');
  });

  test('lists the surfaces that the agent uses although it was declared to be without', () => {
    expect(judged([...whole, end({ without: ['tools', 'prompts'] })]).voided).toEqual(['tools']);
  });

  test('says whether the task was done', () => {
    const { task_checks, ...found } = judged([...whole, end()]);
    expect([found.task, task_checks]).toEqual(['unknown', undefined]);
    expect(judged([...whole, end()], { options: { checks: [] } }).task).toBe('done');
  });

  test('is not_delivered if the document has changed since the run', () => {
    expect(whyNot(judged([...whole, end({ execution: 'other' })]))).toMatch(/another version/);
    expect(summary(judged([...whole, end({ execution: undefined })]))).toBe('resisted');
  });

  test('lists for each piece whether it was delivered', () => {
    const { coverage } = judged([...whole, asked('tools/call'), { ...server, ...reported('tools/call', []) }, end()]);
    expect([coverage.delivered, coverage.pieces.length, coverage.inferred]).toEqual([2, 2, true]);
  });
});
