import { describe, expect, test } from 'vitest';
import { includedViews } from '../../src/bindings/included.ts';
import { createJudge, type Judgement, type JudgeOptions } from '../../src/judge/judge.ts';
import type { TraceRecord } from '../../src/model/trace.ts';
import type { IndicatorVerdict } from '../../src/model/verdict.ts';
import { documentWith } from '../support/records.ts';
import { verdictOf } from './small-case.ts';
import {
  asked,
  called,
  end,
  type Fields,
  leak,
  listed,
  phase,
  poisoned,
  server,
  told,
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
  const {
    execution = poisoned,
    indicators = [leak],
    verdicts = indicators.map(() => ({})),
    options = {},
  } = run;
  const judge = createJudge(documentWith({ execution, indicators }), includedViews, {
    marks: [],
    ...options,
  });
  records.forEach((fields, seq) => {
    judge.add({ seq, timestamp: '', ...fields } as TraceRecord);
  });
  return judge.conclude({ verdict: verdictOf('not_exploited', ...verdicts), checks: [] });
}

const summary = ({ outcome }: Judgement): string =>
  outcome.outcome === 'inconclusive' ? outcome.cause : outcome.outcome;
const whyNot = ({ outcome }: Judgement): unknown => ('reason' in outcome ? outcome.reason : undefined);

const user = { name: 'user', mode: 'ag_ui_client' };
const spoken = { state: { run_agent_input: { messages: [{ id: '1', role: 'user', content: 'Hi.' }] } } };
const withUser = {
  actors: [
    { name: 'default', mode: 'mcp_server', phases: [{ name: 'phase-1', state: poisoned.state }] },
    { ...user, phases: [{ name: 'phase-1', ...spoken }] },
  ],
};
const ofMcp = { ...leak, protocol: 'mcp' };

describe('how much had to come', () => {
  const demands: readonly [
    title: string,
    named: string | undefined,
    demand: JudgeOptions['demand'],
    expected: string,
  ][] = [
    ['is what the trace names', 'reached', undefined, 'reached'],
    ['is what is asked for', 'reached', 'strict', 'strict'],
    ['is the payload where nobody says so', undefined, undefined, 'payload'],
  ];
  test.each(demands)('%s', (_, named, demand, expected) => {
    expect(judged([...whole, end({ demand: named })], { options: { demand } }).demand).toBe(expected);
  });

  test('is the payload in a trace without an end', () => {
    expect(judged(whole).demand).toBe('payload');
  });

  test('is a use of all in the strict case', () => {
    const actors = ['default', 'idle'].map((name) => ({
      name,
      mode: 'mcp_server',
      phases: [{ name: 'phase-1', state: poisoned.state }],
    }));
    const marks = [{ actor: 'default', phase: 'phase-1', at: '/state/tools/0', needed: true }];
    const run = { execution: { actors }, indicators: [ofMcp] };
    const outcomes = (['payload', 'strict'] as const).map((demand) =>
      summary(judged([...whole, end()], { ...run, options: { marks, demand } })),
    );
    expect(outcomes).toEqual(['resisted', 'not_delivered']);
  });
});

describe('who was not played', () => {
  const voice = { mode: 'voice_server', state: { it: 1 } };
  const ofVoice = { ...leak, protocol: 'voice', surface: undefined };
  test.each<[title: string, more: object, run: Run, outcome: string, actors: readonly string[]]>([
    ['the operator stands in for the user', { skipped: ['user'] }, {}, 'resisted', ['default']],
    ['a user with a door', { skipped: ['user'], doors: ['ag_ui'] }, {}, 'not_delivered', ['default', 'user']],
    ['a user who was played', {}, {}, 'not_delivered', ['default', 'user']],
    [
      'another client',
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
      'a mode that nobody knows',
      { skipped: ['default'] },
      { execution: voice, indicators: [ofVoice] },
      'unplayed',
      ['default'],
    ],
  ])('%s', (_, more, run, outcome, actors) => {
    const found = judged([...whole, end(more)], { execution: withUser, indicators: [ofMcp], ...run });
    expect([summary(found), Object.keys(found.delivery)]).toEqual([outcome, actors]);
  });

  test('nobody is missing in a trace without an end', () => {
    expect(Object.keys(judged(whole, { execution: withUser, indicators: [ofMcp] }).delivery)).toEqual([
      'default',
      'user',
    ]);
  });
});

describe('an observation', () => {
  const crashed = { protocol: 'x_agent', target: 'ended', pattern: { contains: 'crashed' } };
  const match = { path: 'ended', from: 0, to: 7 };
  const seen = { result: 'matched', evidence: 'crashed', match } as const;
  const marks = [{ actor: 'default', phase: 'phase-1', at: '/state/tools/0', needed: true }];
  const begun = { ...told('tools/list', []), pieces: undefined, begun: [tools] } as Fields;
  const half = { ...begun, begun: ['/phases/0/state/tools/0/responses/0'] } as Fields;
  test.each<[title: string, records: readonly Fields[], run: Run, outcome: string, tier?: string]>([
    ['after the attack', whole, {}, 'exploited', 'boundary_breach'],
    ['before the attack', [phase], {}, 'not_delivered'],
    ['while the attack came', [phase, begun], {}, 'exploited', 'boundary_breach'],
    ['while something else came', [phase, half], {}, 'not_delivered'],
    [
      'before the attack, beside a match of the agent’s',
      [phase],
      { indicators: [crashed, leak], verdicts: [{}, seen] },
      'exploited',
      'boundary_breach',
    ],
    ['before the attack, and no match', [phase], { verdicts: [{}] }, 'not_delivered'],
    [
      'while one of two came, either of which is enough',
      [phase, { ...begun, begun: ['/phases/0/state/tools/0'] } as Fields],
      {
        execution: {
          ...poisoned,
          state: { tools: ['a', 'b'].map((name) => ({ name, description: 'It.' })) },
        },
        options: { marks: [] },
      },
      'exploited',
      'boundary_breach',
    ],
    [
      'before one of two attacks',
      [phase, ...listed],
      { options: { marks: [...marks, { ...marks[0], at: '/state/tools/0/responses/0' } as never] } },
      'not_delivered',
    ],
    [
      'of nothing, before the attack',
      [phase],
      { indicators: [leak], verdicts: [seen] },
      'exploited',
      'boundary_breach',
    ],
    ['with a tier', whole, { indicators: [{ ...crashed, tier: 'ingested' }] }, 'exploited', 'ingested'],
    [
      'that failed, before the attack',
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
    ['that was not there', { verdicts: [looked(0)] }, blind],
    ['that was there', { verdicts: [looked(1)] }, undefined],
    ['of which nobody says so', { verdicts: [looked(undefined)] }, undefined],
    ['that nobody looked for', { verdicts: [{}] }, undefined],
    [
      'of a reason, which an answer has not',
      { indicators: [{ ...crashed, target: 'reason' }], verdicts: [looked(0)] },
      undefined,
    ],
    ['that is none', { indicators: [leak], verdicts: [looked(0)] }, undefined],
    [
      'that matched',
      {
        verdicts: [{ ...looked(0), result: 'skipped', evidence: 'nothing to judge' }, {}],
        indicators: [crashed, leak],
      },
      undefined,
    ],
    ['the first of two', { indicators: [crashed, crashed], verdicts: [looked(0), looked(0)] }, blind],
    ['of more verdicts than indicators', { indicators: [leak], verdicts: [{}, looked(0)] }, undefined],
  ])('%s', (_, run, reason) => {
    const found = judged([...whole, end()], { indicators: [crashed], ...run });
    expect([summary(found), whyNot(found)]).toEqual([reason === undefined ? 'resisted' : 'unjudged', reason]);
  });
});

describe('an agent that was not there', () => {
  const gone = (more: object = {}): Fields => ({
    kind: 'connection',
    actor: 'default',
    reason: 'refused',
    cause: 'trouble',
    ...more,
  });
  test.each<[title: string, records: readonly Fields[], absent: string | undefined]>([
    ['could not be reached', [phase, gone({ absent: true })], 'refused'],
    ['failed in another way', [phase, gone()], undefined],
    ['failed first in another way', [phase, gone({ reason: 'no' }), gone({ absent: true })], 'refused'],
    [
      'could not be reached twice',
      [phase, gone({ absent: true }), gone({ absent: true, reason: 'again' })],
      'refused',
    ],
    ['showed life', [...whole, gone({ absent: true })], undefined],
    ['showed life first', [...called, gone({ absent: true })], undefined],
    ['did not fail', [phase], undefined],
  ])('%s', (_, records, absent) => {
    const found = judged([...records, end()]);
    expect(found).toStrictEqual(absent === undefined ? withoutAbsence(found) : { ...found, absent });
  });
});

function withoutAbsence({ absent: _, ...rest }: Judgement): Judgement {
  return rest;
}

describe('besides, a judgement says', () => {
  test('no tier where nothing matched', () => {
    expect(judged([...whole, end()])).not.toHaveProperty('tier');
  });

  test('no refusal unless somebody looks for it', () => {
    expect(judged([...whole, end()])).not.toHaveProperty('refusal');
    const refusalOf: JudgeOptions['refusalOf'] = (run, { outcome }) => ({
      refusal: `${outcome} ${run.isStrict} ${run.isOtherAttack}`,
    });
    expect(judged([...whole, end()], { options: { refusalOf } }).refusal).toBe('resisted false false');
  });

  test('which claims do not hold', () => {
    expect(judged([...whole, end({ without: ['tools', 'prompts'] })]).voided).toEqual(['tools']);
  });

  test('whether the task was done', () => {
    expect(judged([...whole, end()]).task).toMatchObject({ state: 'unknown', checks: [] });
    expect(judged([...whole, end()], { options: { checks: [] } }).task).toEqual({
      state: 'done',
      checks: [],
    });
  });

  test('whether the attack has changed since', () => {
    expect(whyNot(judged([...whole, end({ execution: 'other' })]))).toMatch(/another version/);
    expect(summary(judged([...whole, end({ execution: undefined })]))).toBe('resisted');
  });

  test('what came, piece by piece', () => {
    const { coverage } = judged([
      ...whole,
      asked('tools/call'),
      { ...server, ...told('tools/call', []) },
      end(),
    ]);
    expect([coverage.delivered, coverage.pieces.length, coverage.inferred]).toEqual([2, 2, true]);
  });
});
