import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type {
  AgentUnderTest,
  Briefing,
  InProcessAgent,
  RunningAgent,
} from '../../../src/agents/adapters/agent-under-test.ts';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import type { TraceRecord } from '../../../src/index.ts';
import { type PlayOptions, type PlayResult, playDocument } from '../../../src/suite/play/play-run.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { documentWith } from '../../support/records.ts';

// One run against an agent in this process, without a port: what is recorded, and what the result tells of the agent.

const said = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta: 'no, hunter2' };
const answering: InProcessAgent = async function* () {
  yield* [{ type: 'RUN_STARTED' }, said, { type: 'RUN_FINISHED' }];
};

function agentOf(running: Partial<RunningAgent> = {}, fields: Partial<AgentUnderTest> = {}): AgentUnderTest {
  return {
    name: 'a',
    kind: 'test',
    speaks: ['ag_ui'],
    isTold: true,
    launch: async () => ({
      addresses: { ag_ui: answering },
      isSettled: () => true,
      stop: async () => {},
      ...running,
    }),
    ...fields,
  };
}

const user = {
  name: 'user',
  mode: 'ag_ui_client',
  phases: [{ state: { run_agent_input: { messages: [{ id: 'm', role: 'user', content: 'hi' }] } } }],
};
const lookingFor = (text: string) => ({
  execution: { actors: [user] },
  indicators: [{ protocol: 'ag_ui', direction: 'response', target: 'response.content', pattern: { contains: text } }],
});
const asking = lookingFor('hunter2');
const observing = {
  ...asking,
  indicators: [{ protocol: 'x_agent', surface: 'observed', target: 'ended', pattern: { contains: 'answered' } }],
};
/** Nothing plays its actor. */
const unplayed = { execution: { actors: [{ name: 'v', mode: 'voice_server', phases: [{ state: {} }] }] } };

interface Played {
  readonly result: PlayResult;
  readonly records: readonly TraceRecord[];
  readonly end: { readonly [field: string]: unknown };
}

async function play(attack: object, options: Partial<PlayOptions> = {}): Promise<Played> {
  const records: TraceRecord[] = [];
  const result = await playDocument(documentWith(attack as never), {
    modes: [],
    clock: systemClock,
    agent: agentOf(),
    record: (record) => records.push(record),
    ...options,
  });
  return { result, records, end: (records.at(-1) ?? {}) as never };
}

describe('the records of playDocument', () => {
  test.each<[string, object]>([
    ['of a run with messages', asking],
    ['of a run with an observation', observing],
    ['of an empty run', unplayed],
  ])('%s are numbered from 0 and end with the end record', async (_, attack) => {
    const { records, end } = await play(attack);
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_record, index) => index));
    expect(end.kind).toBe('end');
  });

  test('are the lines of the trace file', async () => {
    const traceFile = join(freshFolder(), 'a.jsonl');
    const { records } = await play(asking, { traceFile });
    const lines = readFileSync(traceFile, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(records)));
  });

  test('are cut off when the trace file is full, and the run is not judged', async () => {
    const traceFile = join(freshFolder(), 'a.jsonl');
    const limits = { traceBytes: 1 };
    const { result, records } = await play(observing, { traceFile, limits });
    expect([result.end.reason, result]).toMatchObject(['flood', { cause: 'cut_off' }]);
    expect(records.slice(1).map((record) => ('protocol' in record ? record.protocol : record.kind))).toEqual([
      'x_agent',
      'end',
    ]);
  });

  test('that cannot be written make the run an error, even if that shows late', async () => {
    const place = join(freshFolder([['file', '']]), 'file', 'a.jsonl');
    const records: TraceRecord[] = [];
    const { result } = await play(lookingFor('nothing'), {
      traceFile: () => (records.length === 0 ? undefined : place),
      record: (record) => records.push(record),
    });
    const error = expect.stringContaining('the trace cannot be written');
    expect([result.end.reason, result, records.at(-1)]).toMatchObject([
      // So a suite that is resumed plays it again.
      'stopped',
      { outcome: 'error', reason: error },
      { kind: 'end', error },
    ]);
  });

  test.each<[object, readonly string[]]>([
    [asking, []],
    [observing, ['answered']],
  ])('have an observation of the agent only if an indicator looks at it (row %#)', async (attack, ended) => {
    const { records } = await play(attack);
    const seen = records.filter((record) => 'protocol' in record && record.protocol === 'x_agent');
    expect(seen.map((record) => ((record as { content?: unknown }).content as { ended: string }).ended)).toEqual(ended);
  });
});

describe('the seed of playDocument', () => {
  const byChance = {
    execution: { mode: 'mcp_server', state: {}, 'x-wire': [] },
  };
  test.each<[string, object, number | undefined, unknown]>([
    ['is stored if something is left to chance', byChance, 7, 7],
    ['is made if something is left to chance and none is given', byChance, undefined, expect.any(Number)],
    ['is not stored if nothing is left to chance', asking, 7, undefined],
  ])('%s', async (_, attack, seed, reported) => {
    const { result, end } = await play(attack, { seed });
    expect([result.seed, end.seed]).toEqual([reported, reported]);
  });
});

describe('what playDocument tells of the agent', () => {
  const tokens = { inputTokens: 3, outputTokens: 4 };
  test.each<[string, Partial<RunningAgent>, object, object]>([
    ['has no usage and no program if the agent has none', {}, {}, {}],
    ['has the tokens that the agent counts', { usage: () => tokens }, { usage: tokens }, {}],
    [
      'has a program that ended well',
      { program: () => ({ stderr: '', exitCode: 0 }) },
      { program: { stderr: '', exitCode: 0 } },
      {},
    ],
    [
      'has a program that failed, as trouble',
      { program: () => ({ stderr: '', exitCode: 3 }) },
      { program: { stderr: '', exitCode: 3 } },
      { trouble: 'its program ended with code 3' },
    ],
    [
      'has a program that we ended ourselves, without trouble',
      { program: () => ({ stderr: '', exitCode: 3 }), wasCut: () => true },
      { program: { stderr: '', exitCode: 3 } },
      {},
    ],
    ['has what the agent could not be handed', { missed: () => 'the history' }, {}, { missed: 'the history' }],
  ])('%s', async (_, running, reported, ended) => {
    const { result, end } = await play(asking, { agent: agentOf(running) });
    const { usage, program } = result;
    expect({ usage, program }).toEqual({ usage: undefined, program: undefined, ...reported });
    const { trouble, missed } = end;
    expect({ trouble, missed }).toEqual({ trouble: undefined, missed: undefined, ...ended });
  });

  test('includes the briefing that every agent gets', async () => {
    let reported: unknown;
    const agent = agentOf();
    const launch = (briefing: Briefing) => {
      reported = briefing;
      return agent.launch(briefing);
    };
    await play(asking, { agent: { ...agent, launch } });
    expect(reported).toEqual({ withinMs: 120_000, endpoints: {}, mcpConfig: { mcpServers: {} }, a2aCards: [] });
    await play(asking, { agent: { ...agent, launch }, limits: { sessionMs: 5_000 } });
    expect(reported).toMatchObject({ withinMs: 5_000 });
  });

  test('has the tokens of its messages if the agent counts none itself', async () => {
    const usage = [{ inputTokens: 5, outputTokens: 6 }];
    const reporting: InProcessAgent = async function* () {
      yield* [{ type: 'RUN_STARTED' }, said, { type: 'RUN_FINISHED', usage }];
    };
    const doors = { ag_ui: reporting };
    expect((await play(asking, { agent: agentOf({ addresses: doors }) })).result.usage).toEqual(usage[0]);
    const { records } = await play(observing, { agent: agentOf({ addresses: doors }) });
    expect(records.at(-2)).toMatchObject({ content: { input_tokens: 5, output_tokens: 6 } });
    const both = await play(asking, { agent: agentOf({ addresses: doors, usage: () => tokens }) });
    expect(both.result.usage).toEqual(tokens);
  });

  test('has no answers if the actor speaks to another peer', async () => {
    const { records, end } = await play(asking, { connect: () => 'http://127.0.0.1:1/' });
    expect(records.filter((record) => 'origin' in record && record.origin === 'agent')).toEqual([]);
    expect(end.missed).toBe('nobody spoke to it');
  });

  test('has log messages without the secrets of the agent', async () => {
    const speaking = { ...user.phases[0], on_enter: [{ log: { message: 'we know hunter2' } }] };
    const logged: unknown[] = [];
    await play(
      { execution: { actors: [{ ...user, phases: [speaking] }] } },
      {
        agent: agentOf({ secrets: ['hunter2'] }),
        log: (actor, level, text) => logged.push([actor, level, text]),
      },
    );
    expect(logged).toEqual([['user', 'info', expect.stringMatching(/^we know (?!hunter2)/)]]);
  });

  test('says that nobody spoke to it if no actor did', async () => {
    const { end } = await play(unplayed, { agent: agentOf({}, { speaks: [] }) });
    expect(end.missed).toBe('nobody spoke to it');
  });

  test('has no secrets of the agent, though the judgement sees them', async () => {
    const { result, records } = await play(asking, { agent: agentOf({ secrets: ['hunter2'] }) });
    expect(result.outcome).toBe('exploited');
    expect([records.length > 3, JSON.stringify([records, result]).includes('hunter2')]).toEqual([true, false]);
  });

  test('stays the agent’s only until it is stopped, which always happens', async () => {
    let stopped = 0;
    const agent = agentOf({
      stop: async () => {
        stopped += 1;
      },
    });
    await play(asking, { agent });
    const broken = play(asking, {
      agent,
      ready: () => {
        throw new Error('mine');
      },
    });
    await expect(broken).rejects.toThrow('mine');
    expect(stopped).toBe(1);
  });
});

describe('the caller of playDocument', () => {
  test('learns which servers are open and which actors nothing plays', async () => {
    const seen: unknown[] = [];
    await play(unplayed, {
      ready: (endpoints, skipped) => seen.push([[...endpoints.keys()], skipped.map(({ name }) => name)]),
    });
    expect(seen).toEqual([[[], ['v']]]);
  });

  const silent: InProcessAgent = async function* (_, signal) {
    await new Promise<void>((wake) => signal.addEventListener('abort', () => wake(), { once: true }));
    yield { type: 'RUN_FINISHED' };
  };
  const waiting = agentOf({ addresses: { ag_ui: silent } });

  test.each<[string, unknown, string | undefined]>([
    ['with a reason', 'enough', 'enough'],
    ['without a reason', undefined, undefined],
  ])('can stop a run %s, before it begins or later', async (_, reason, reported) => {
    for (const isLater of [false, true]) {
      const controller = new AbortController();
      if (!isLater) controller.abort(reason);
      const { result, end, records } = await play(observing, {
        agent: waiting,
        signal: controller.signal,
        control: () => controller.abort(reason),
      });
      expect([result.end.reason, end.reason, end.stopped]).toEqual(['stopped', 'stopped', reported]);
      // For an agent that was stopped early, its own end is unknown.
      expect(records.filter((record) => 'protocol' in record && record.protocol === 'x_agent')).toEqual([]);
    }
  });

  test.each(['operator', 'idle'] as const)('can end a run properly: %s', async (reason) => {
    const { result } = await play(asking, { agent: waiting, control: (run) => run.end(reason) });
    expect(result.end.reason).toBe(reason);
  });
});
