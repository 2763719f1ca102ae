import { describe, expect, test } from 'vitest';
import type { AgentUnderTest } from '../../../src/agents/adapters/agent-under-test.ts';
import type { Endpoint } from '../../../src/attack/engine/ports.ts';
import type { NormalizedDocument } from '../../../src/format/model/normalized.ts';
import { load, type Value } from '../../../src/index.ts';
import {
  createConversationName,
  createTraceNamer,
  listAllAttacks,
  listPlannedAttacks,
  type PlannedRun,
  type PlanRequest,
  type PlayableDocument,
  planSuite,
} from '../../../src/suite/plan/plan.ts';
import {
  createClientModes,
  createMcpConfig,
  defaultPrompt,
  listA2aCards,
  preparePlayedDocument,
  renameConversationIds,
} from '../../../src/suite/play/user-side.ts';
import { createStoredRun } from '../../../src/suite/store/stored-run.ts';
import { documentWith } from '../../support/records.ts';
import { planFor, resultOf, textOf } from './planned.ts';

// What is played is known before anything runs: plans, names of files, the user's words, and what the agent is told.

describe('renameConversationIds', () => {
  const stateOf = (state: Value, mode = 'ag_ui_client') =>
    renameConversationIds(documentWith({ execution: { mode, phases: [{ state }] } }), '-2').attack.execution.actors[0]
      ?.phases[0]?.state;
  test.each<[Value, Value]>([
    [
      {
        run_agent_input: {
          threadId: 't',
          messages: [{ id: 'a', role: 'user' }, { role: 'user' }, 'odd', { id: 5 }],
        },
        more: 1,
      },
      {
        run_agent_input: {
          threadId: 't-2',
          messages: [{ id: 'a-2', role: 'user' }, { role: 'user' }, 'odd', { id: 5 }],
        },
        more: 1,
      },
    ],
    [{ run_agent_input: { threadId: 7, messages: 'odd' } }, { run_agent_input: { threadId: 7, messages: 'odd' } }],
    [{ run_agent_input: { runId: 'r' } }, { run_agent_input: { runId: 'r' } }],
    [{ run_agent_input: 'odd' }, { run_agent_input: 'odd' }],
  ])('gives thread and messages their own ids, and leaves anything odd: %j', (state, expected) => {
    expect(stateOf(state)).toStrictEqual(expected);
  });

  test('changes only the input of the user', () => {
    const state = { run_agent_input: { threadId: 't' } };
    expect(stateOf(state, 'mcp_server')).toEqual(state);
  });
});

const agentOf = (fields: Partial<AgentUnderTest>): AgentUnderTest =>
  ({ name: 'a', kind: 'test', speaks: ['ag_ui'], ...fields }) as unknown as AgentUnderTest;

describe('the user that preparePlayedDocument adds', () => {
  const server = documentWith({ execution: { mode: 'mcp_server', state: {} } });
  const speaking = documentWith({
    execution: { mode: 'ag_ui_client', state: { run_agent_input: { threadId: 't' } } },
  });
  const several = documentWith({
    execution: {
      actors: [
        { name: 'shop', mode: 'mcp_server', phases: [{ state: {} }] },
        { name: 'user', mode: 'ag_ui_client', phases: [{ state: { run_agent_input: {} } }] },
      ],
    },
  });
  const calling = documentWith({ execution: { mode: 'mcp_client', state: {} } });
  const names = (document: NormalizedDocument, userSide: Parameters<typeof preparePlayedDocument>[1]) =>
    preparePlayedDocument(document, userSide).attack.execution.actors.map(({ name }) => name);
  const added = ['default', '@user'];
  const both = agentOf({ speaks: ['ag_ui', 'mcp'] as AgentUnderTest['speaks'] });

  test.each<[string, NormalizedDocument, Parameters<typeof preparePlayedDocument>[1], readonly string[]]>([
    ['is there if no actor speaks to the agent', server, { agent: agentOf({}) }, added],
    ['is missing without an agent', server, {}, ['default']],
    ['is missing for an agent that takes no prompt', server, { agent: agentOf({ speaks: [] }) }, ['default']],
    ['is missing if the document has a user', speaking, { agent: agentOf({}) }, ['default']],
    ['is missing if one of several actors is a user', several, { agent: agentOf({}) }, ['shop', 'user']],
    ['is missing if an actor calls the agent', calling, { agent: both }, ['default']],
    ['is there if the actor that calls has another peer', calling, { agent: both, connect: () => 'http://x' }, added],
    ['is there if the agent lacks the interface for the actor that calls', calling, { agent: agentOf({}) }, added],
  ])('%s', (_, document, userSide, expected) => {
    expect(names(document, userSide)).toEqual(expected);
  });

  const words = (userSide: Parameters<typeof preparePlayedDocument>[1]): unknown => {
    const state = preparePlayedDocument(server, userSide).attack.execution.actors[1]?.phases[0]?.state as {
      run_agent_input: { messages: { content: string }[] };
    };
    return state.run_agent_input.messages[0]?.content;
  };
  test.each<[Parameters<typeof preparePlayedDocument>[1], string]>([
    [{ agent: agentOf({}) }, defaultPrompt],
    [{ agent: agentOf({ prompt: 'go' }) }, 'go'],
    [{ agent: agentOf({ prompt: 'go' }), prompt: 'come {{x}}' }, 'come \\{{x}}'],
  ])('says the default prompt, the prompt of the agent, or the given one (row %#)', (userSide, expected) => {
    expect(words(userSide)).toBe(expected);
  });

  test.each<[Partial<AgentUnderTest>, string | undefined, string]>([
    [{ remembers: true }, '2', 't-2'],
    [{ remembers: true }, undefined, 't'],
    [{}, '2', 't'],
  ])(
    'for %j in the conversation %s has a thread of its own only if the agent remembers',
    (fields, conversation, threadId) => {
      const [actor] = preparePlayedDocument(speaking, { agent: agentOf(fields), conversation }).attack.execution.actors;
      expect(actor?.phases[0]?.state).toMatchObject({ run_agent_input: { threadId } });
    },
  );

  test('does not count for createClientModes, which plays a client actor only if it has a peer', () => {
    const actor = calling.attack.execution.actors[0];
    if (actor === undefined) throw new Error('there is an actor');
    const plays = (userSide: Parameters<typeof createClientModes>[0]) =>
      createClientModes(
        userSide,
        () => undefined,
        () => {},
      ).map(({ plays: does }) => does?.(actor) ?? true);
    expect(plays({ agent: both })).toEqual(plays({ agent: agentOf({}), connect: () => 'http://x' }));
    expect(plays({ agent: agentOf({}) })).not.toEqual(plays({ agent: both }));
    expect(plays({})).toEqual(plays({ agent: agentOf({}) }));
  });
});

test('createMcpConfig and listA2aCards tell the agent of open servers of their protocol only', () => {
  const actor = (name: string, mode: string) => ({ name, mode, phases: [{ state: {} }] });
  const document = documentWith({
    execution: {
      actors: [
        actor('shop', 'mcp_server'),
        actor('peer', 'a2a_server'),
        actor('user', 'ag_ui_client'),
        actor('closed', 'mcp_server'),
      ],
    },
  });
  const endpoints = new Map<string, Endpoint>(
    ['shop', 'peer', 'user'].map((name) => [name, { url: `http://127.0.0.1:1/${name}/` } as Endpoint]),
  );
  expect(createMcpConfig(document, endpoints)).toEqual({
    mcpServers: { shop: { type: 'http', url: 'http://127.0.0.1:1/shop/' } },
  });
  expect(listA2aCards(document, endpoints)).toEqual(['http://127.0.0.1:1/peer/.well-known/agent-card.json']);
});

describe('planSuite', () => {
  const playable = (text: string, more: Partial<PlayableDocument> = {}): PlayableDocument => {
    const loaded = load(text);
    if (!loaded.ok) throw new Error('it loads');
    return { ...loaded, file: 'f.yaml', text, ...more };
  };
  const one = playable(textOf('A-001'));
  const unnamed = playable(
    JSON.stringify({ oatf: '0.1', attack: { name: 'no id', execution: { mode: 'mcp_server', state: {} } } }),
  );
  const agents = [{ name: 'a', kind: 'test' }];
  const made = (fields: Partial<PlanRequest>) => planSuite({ documents: [one], agents, started: 'now', ...fields });

  test.each<[Partial<PlanRequest>, object]>([
    [{}, { version: 3, repeat: 1, early_stop: false, settings: {}, started: 'now', agents }],
    [
      { repeat: 3, earlyStop: true, settings: { x: 1 } },
      { repeat: 3, early_stop: true, settings: { x: 1 } },
    ],
    [{ failTier: 'ingested' }, { fail_tier: 'ingested' }],
    [{ minUtility: 0.5 }, { min_utility: 0.5 }],
    [{ skipped: [{ path: 'p', reason: 'r' }] as unknown as PlanRequest['skipped'] }, { skipped: [{ path: 'p' }] }],
    [
      { agents: [{ name: 'a', kind: 'test', without: ['tools'] }] as unknown as PlanRequest['agents'] },
      { agents: [{ without: ['tools'] }] },
    ],
    [{ maxRateOf: () => 0.5 }, { documents: [{ max_rate: 0.5 }] }],
    [{ shard: { index: 1, of: 2 } }, { shard: { index: 1, of: 2, attacks: [0] } }],
    [{ shard: { index: 2, of: 2 } }, { shard: { attacks: [] } }],
  ])('keeps what was asked for: %j', (fields, expected) => {
    expect(made(fields)).toMatchObject(expected);
  });

  test('has no fields that were not asked for', () => {
    expect(Object.keys(made({}))).toEqual([
      'version',
      'tool',
      'started',
      'documents',
      'agents',
      'repeat',
      'early_stop',
      'settings',
    ]);
    expect(Object.keys(made({}).documents[0] ?? {})).toEqual(['key', 'sha256', 'tiers', 'entry']);
    expect(Object.keys(made({}).agents[0] ?? {})).toEqual(['name', 'kind']);
    expect(planSuite({ documents: [], agents }).started).toMatch(/^\d{4}-/);
  });

  const twin = playable(textOf('A-001'), { twinOf: one });
  test.each<[readonly PlayableDocument[], readonly string[], readonly (string | undefined)[]]>([
    [
      [one, unnamed],
      ['A-001', 'no id'],
      [undefined, undefined],
    ],
    [
      [one, { ...one }, playable(textOf('A-001'), { file: 'g.yaml' })],
      ['A-001 (f.yaml)', 'A-001 (f.yaml)-2', 'A-001 (g.yaml)'],
      [undefined, undefined, undefined],
    ],
    [
      [one, twin],
      ['A-001', 'A-001.twin'],
      [undefined, 'A-001'],
    ],
    [[twin], ['A-001.twin'], ['A-001']],
    [
      [twin, one],
      ['A-001.twin', 'A-001'],
      ['A-001', undefined],
    ],
    [[playable(textOf('X-001'), { twinOf: unnamed })], ['no id.twin'], ['no id']],
  ])('gives each document a unique key, and twins the key of their document (row %#)', (documents, keys, twins) => {
    const plan = made({ documents, maxRateOf: () => 0.5 });
    expect(plan.documents.map(({ key }) => key)).toEqual(keys);
    expect(plan.documents.map(({ twin_of }) => twin_of)).toEqual(twins);
    expect(plan.documents.map(({ max_rate }) => max_rate)).toEqual(
      twins.map((of) => (of === undefined ? 0.5 : undefined)),
    );
  });

  test('lists the tiers of a document once, and where its source is stored', () => {
    const [document, other] = made({ documents: [one, unnamed] }).documents;
    expect([document?.tiers, other?.tiers]).toEqual([['ingested', 'boundary_breach'], []]);
    expect([document?.entry.source, other?.entry.source]).toEqual(['documents/A-001.yaml', 'documents/no-id.yaml']);
  });

  const pathsOf = (fields: Partial<PlanRequest>) => {
    const plan = made(fields);
    return listAllAttacks(plan).map((attack) => createTraceNamer(plan)({ attack, repeat: 2 }));
  };
  test.each<[Partial<PlanRequest>, readonly string[]]>([
    [{}, ['traces/A-001.a.jsonl']],
    [{ repeat: 2 }, ['traces/A-001.a.2.jsonl']],
    [{ agents: [{ name: 'x', kind: 'external' }] }, ['traces/A-001.jsonl']],
    [
      {
        agents: [
          { name: 'a/b c', kind: 'test' },
          { name: 'A B C', kind: 'test' },
          { name: 'a b/c', kind: 'test' },
        ],
      },
      ['traces/A-001.a-b-c.jsonl', 'traces/A-001.A-B-C-2.jsonl', 'traces/A-001.a-b-c-3.jsonl'],
    ],
    [{ agents: [{ name: '', kind: 'test' }] }, ['traces/A-001.document.jsonl']],
    [{ agents: [{ name: 'n'.repeat(81), kind: 'test' }] }, [`traces/A-001.${'n'.repeat(80)}.jsonl`]],
  ])('gives each trace a path of its own for %j', (fields, paths) => {
    expect(pathsOf(fields)).toEqual(paths);
  });

  test('keeps the index of attacks among all in a shard', () => {
    const plan = planFor({ ids: ['A-001', 'B-001'], agents: ['a', 'b'], shard: { index: 1, of: 2 } });
    expect(listAllAttacks(plan).map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(listPlannedAttacks(plan).map(({ index }) => index)).toEqual(plan.shard?.attacks);
    expect(plan.shard?.attacks).toHaveLength(2);
  });

  test.each<[number, number, string | undefined, boolean, string | undefined]>([
    [1, 1, undefined, false, undefined],
    [2, 1, undefined, false, '2'],
    [1, 2, undefined, false, '1-2'],
    [3, 2, 'modern', true, 'twin-3-2-modern'],
    [1, 1, 'legacy', false, 'legacy'],
    [1, 1, undefined, true, 'twin'],
  ])('gives repeat %i, try %i, era %s (twin: %s) the conversation %s', (repeat, attempt, era, isTwin, name) => {
    const [attack] = listAllAttacks(made({ documents: [isTwin ? twin : one] }));
    expect(createConversationName({ attack, repeat } as PlannedRun, attempt, era)).toBe(name);
  });
});

describe('createStoredRun', () => {
  const plan = planFor({ ids: ['A-001'] });
  const [attack] = listAllAttacks(plan);
  const task = { attack, repeat: 3 } as PlannedRun;
  const kept = (fields: object = {}, facts: Parameters<typeof createStoredRun>[3] = {}) =>
    createStoredRun(plan, task, { ...resultOf({ outcome: 'resisted' } as never), ...fields } as never, facts);

  test('has no fields that the run did not have', () => {
    expect(Object.keys(kept()).sort()).toEqual(
      [
        'agent',
        'coverage',
        'delivery',
        'demand',
        'diagnostics',
        'document',
        'duration_ms',
        'end',
        'outcome',
        'repeat',
        'task',
        'trace',
        'verdict',
      ].sort(),
    );
  });

  test.each<[object, Parameters<typeof createStoredRun>[3], object]>([
    [{}, { attempts: 2 }, { attempts: 2 }],
    [{}, { started: 'then' }, { started: 'then', repeat: 3 }],
    [{ durationMs: 5.6 }, {}, { duration_ms: 6 }],
    [{ seed: 7 }, {}, { seed: 7 }],
    [{ usage: { inputTokens: 1, outputTokens: 2 } }, {}, { usage: { input_tokens: 1, output_tokens: 2 } }],
    [{ usage: { inputTokens: 1, outputTokens: 2, cost: 3 } }, {}, { usage: { cost: 3 } }],
    [{ judged: { name: 'j', questions: 4 } }, {}, { judge: { name: 'j', questions: 4 } }],
    [
      { judged: { name: 'j', questions: 4, usage: { inputTokens: 1, outputTokens: 2 } } },
      {},
      { judge: { input_tokens: 1 } },
    ],
    [{ program: { exitCode: 3, stderr: 'e' } }, {}, { program: { exit_code: 3, stderr: 'e' } }],
    [{ tier: 'ingested', refusal: 'no', voided: ['x'] }, {}, { tier: 'ingested', refusal: 'no', voided: ['x'] }],
    [{ task: 'not_done', task_reason: 'r' }, {}, { task: 'not_done', task_reason: 'r' }],
    [
      { delivery: { a: { phases_entered: 1, phases_seen: 2 } } },
      {},
      { delivery: { a: { phases_entered: 1, phases_seen: 2 } } },
    ],
    [{ outcome: 'inconclusive', cause: 'trouble', absent: 'nobody' }, {}, { unreachable: true }],
    [{ outcome: 'not_applicable', absent: 'nobody' }, {}, { unreachable: true }],
    [
      { outcome: 'inconclusive', end: { reason: 'idle', trouble: 'gone', diagnostics: [] } },
      {},
      { unreachable: true, end: 'idle' },
    ],
  ])('keeps what is known: %j %j', (fields, facts, expected) => {
    expect(kept(fields, facts)).toMatchObject(expected);
  });

  test.each<object>([
    { absent: 'nobody' },
    { outcome: 'inconclusive' },
    { outcome: 'inconclusive', end: { reason: 'stopped', trouble: 'gone', diagnostics: [] } },
  ])('is not marked as unreachable if the agent was there: %j', (fields) => {
    expect(kept(fields)).not.toHaveProperty('unreachable');
  });

  test('keeps the warnings of the document and of the run', () => {
    const warning = (code: string) => ({ severity: 'warning' as const, code, message: '' });
    const run = { end: { reason: 'finished', diagnostics: [warning('b')] } };
    expect(kept(run, { warnings: [warning('a')] }).diagnostics.map(({ code }) => code)).toEqual(['a', 'b']);
  });
});
