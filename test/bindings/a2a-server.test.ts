import { describe, expect, test } from 'vitest';
import { a2aServer } from '../../src/bindings/a2a/server.ts';
import { streamItems } from '../../src/bindings/a2a/stream.ts';
import type { PlanContext } from '../../src/engine/binding.ts';
import { answerContent } from '../../src/engine/messages.ts';
import type { Value, ValueMap } from '../../src/index.ts';

const binding = a2aServer();
let fresh = 0;
const contextWith = (memory?: Value): PlanContext => ({
  ids: { own: 'own', fresh: () => `fresh-${++fresh}` },
  memory,
  endpoint: { url: 'http://127.0.0.1:1/' },
  timestamp: () => '2026-01-01T00:00:00.000Z',
});

/** Sends one request after the other to a server that remembers. */
function converse(state: Value, ...requests: readonly (readonly [string, ValueMap])[]): Value[] {
  let memory: Value | undefined;
  return requests.map(([method, params]) => {
    const plan = binding.plan({ method, params }, state, (value) => value, contextWith(memory));
    memory = plan.memory ?? memory;
    return answerContent(plan.answer((value) => value));
  });
}

const message = { role: 'user', parts: [] };
const send = ['message/send', { message }] as const;
const ids = { taskId: 'T', contextId: 'C' };
const status = { state: 'completed' };

describe('streams', () => {
  test.each<[string, Value, readonly Value[]]>([
    [
      'a task',
      { id: 't', contextId: 'c', status, artifacts: [{ artifactId: 'a' }] },
      [
        { id: 't', contextId: 'c', status, artifacts: [{ artifactId: 'a' }] },
        {
          kind: 'artifact-update',
          taskId: 't',
          contextId: 'c',
          artifact: { artifactId: 'a' },
          append: false,
          lastChunk: true,
        },
        { kind: 'status-update', taskId: 't', contextId: 'c', status, final: true },
      ],
    ],
    ['a task without ids', { status }, [{ status }, { kind: 'status-update', ...ids, status, final: true }]],
    ['a message', { role: 'agent', parts: [] }, [{ role: 'agent', parts: [] }]],
    ['a bare status', { id: 't', status: 'completed' }, [{ id: 't', status: 'completed' }]],
    ['anything else', [1, 'two'], [[1, 'two']]],
    ['an update, written out', { kind: 'status-update', status }, [{ kind: 'status-update', status }]],
  ])('%s', (_, content, items) => {
    expect(streamItems(content, () => ids)).toEqual(items);
  });
});

describe('the memory', () => {
  test('keeps what was answered, as it was', () => {
    const content = { id: 'x', status: 'completed', odd: [null] };
    const state = { task_responses: [{ content }] };
    expect(converse(state, send, ['tasks/get', { id: 'x' }], ['tasks/list', {}])).toMatchObject([
      content,
      content,
      { tasks: [content], totalSize: 1 },
    ]);
  });

  test('cuts the history to the length that was asked for', () => {
    const state = { task_responses: [{ content: { id: 'x', status, history: [1, 2, 3] } }] };
    const get = (historyLength: number) => ['tasks/get', { id: 'x', historyLength }] as const;
    expect(converse(state, send, get(2), get(0), get(9)).slice(1)).toMatchObject([
      { history: [2, 3] },
      { history: [] },
      { history: [1, 2, 3] },
    ]);
  });

  test('lists by context', () => {
    const list = (contextId: string) => ['tasks/list', { contextId }] as const;
    const of = (contextId: string) => ['message/send', { message: { ...message, contextId } }] as const;
    const answers = converse({}, of('a'), of('b'), of('a'), list('a'), list('b'));
    expect(answers.slice(3)).toMatchObject([{ totalSize: 2 }, { totalSize: 1 }]);
  });

  test('is bounded', () => {
    const sends = Array.from({ length: 150 }, () => send);
    expect(converse({}, ...sends, ['tasks/list', {}]).at(-1)).toMatchObject({ totalSize: 100 });
  });

  test('gives push configurations names, and forgets them when asked to', () => {
    const state = { task_responses: [{ content: { id: 'x', status } }] };
    const config = { url: 'http://127.0.0.1:1/' };
    const set = [
      'tasks/pushNotificationConfig/set',
      { taskId: 'x', pushNotificationConfig: config },
    ] as const;
    const list = ['tasks/pushNotificationConfig/list', { id: 'x' }] as const;
    const [, first, , listed] = converse(state, send, set, set, list) as ValueMap[];
    expect(first).toMatchObject({
      taskId: 'x',
      pushNotificationConfig: { id: expect.any(String), ...config },
    });
    expect(listed).toHaveLength(2);
  });
});

describe('tasks/cancel', () => {
  const cancel = ['tasks/cancel', { id: 'x' }] as const;
  const canceled = (state: Value) =>
    converse({ task_responses: [{ content: { id: 'x', status: state } }] }, send, cancel, [
      'tasks/get',
      { id: 'x' },
    ]).slice(1);
  test.each(['completed', 'canceled', 'failed', 'rejected'])('refuses a task that is %s', (state) => {
    const status = { state };
    expect(canceled(status)).toMatchObject([{ code: -32002 }, { status }]);
    expect(canceled(state)).toMatchObject([{ code: -32002 }, { status: state }]);
  });
  test.each(['submitted', 'working', 'input-required', 'auth-required'])('ends one that is %s', (state) => {
    const ended = { status: { state: 'canceled' } };
    expect(canceled({ state, timestamp: 't' })).toMatchObject([
      { status: { state: 'canceled', timestamp: 't' } },
      ended,
    ]);
    expect(canceled(state)).toMatchObject([ended, ended]);
  });
});

test('params that are none are refused as others are', () => {
  const plan = binding.plan({ method: 'message/send', params: null }, null, (value) => value, contextWith());
  expect(answerContent(plan.answer((value) => value))).toMatchObject({ code: -32602 });
  expect(plan).not.toHaveProperty('memory');
});

test('an address without an id takes the place of the one before', () => {
  const configuration = { pushNotificationConfig: { url: 'v' } };
  const memory = { tasks: [], configs: [{ taskId: 't', config: { url: 'u' } }] };
  const plan = binding.plan(
    { method: 'message/send', params: { message, configuration } },
    { task_responses: [{ content: { id: 't', status } }] },
    (value) => value,
    contextWith(memory),
  );
  expect((plan.memory as ValueMap).configs).toEqual([{ taskId: 't', config: { url: 'v' } }]);
});

describe('refusals', () => {
  test.each<[string, ValueMap, number]>([
    ['no/such', {}, -32601],
    ['toString', {}, -32601],
    ['message/send', {}, -32602],
    ['message/stream', { message: 'hello' }, -32602],
    ['tasks/get', {}, -32602],
    ['tasks/get', { id: 'x' }, -32001],
    ['tasks/cancel', { id: 'x' }, -32001],
    ['tasks/resubscribe', { id: 'x' }, -32001],
    ['tasks/pushNotificationConfig/set', { taskId: 'x' }, -32602],
    ['tasks/pushNotificationConfig/set', { taskId: 'x', pushNotificationConfig: {} }, -32001],
    ['tasks/pushNotificationConfig/get', { id: 'x' }, -32001],
  ])('%s %j is %i', (method, params, code) => {
    expect(converse({}, [method, params])).toMatchObject([{ code }]);
  });
});

test('synthesize is reserved, and warned of', () => {
  const state = { task_responses: [{ synthesize: { prompt: 'x' } }] };
  const plan = binding.plan(
    { method: 'message/send', params: { message } },
    state,
    (value) => value,
    contextWith(),
  );
  expect(plan.warnings).toMatchObject([{ code: 'W-006' }]);
  expect(answerContent(plan.answer((value) => value))).toMatchObject({ status: { state: 'completed' } });
});

describe('eras', () => {
  const asked = (
    era: 'both' | 'legacy' | 'modern',
    method: string,
    spoken: string | undefined,
    state: Value = {},
    repeated?: { readonly [name: string]: string },
  ) => {
    const request = {
      method,
      params: { message, id: 'x' },
      ...(spoken !== undefined && { era: spoken }),
      ...(repeated !== undefined && { repeated }),
    };
    const plan = a2aServer({ era }).plan(request, state, (value) => value, contextWith());
    return { said: answerContent(plan.answer((value) => value)) as ValueMap, plan };
  };

  test.each<['both' | 'legacy' | 'modern', string, string | undefined, number | undefined]>([
    ['both', 'message/send', undefined, undefined],
    ['both', 'message/send', '1.0', undefined],
    ['legacy', 'message/send', undefined, undefined],
    ['legacy', 'message/send', '1.0', -32601],
    ['modern', 'message/send', '1.0', undefined],
    ['modern', 'message/send', undefined, -32009],
    ['legacy', 'agent_card/get', '1.0', undefined],
    ['modern', 'agent_card/get', undefined, undefined],
  ])('a server of %s answers %s in %s', (era, method, spoken, code) => {
    expect(asked(era, method, spoken).said.code).toBe(code);
  });

  test.each([
    ['message/send', 'Method not found: SendMessage'],
    ['x/y', 'Method not found: x/y'],
  ])('%s is refused by the name that it has there', (method, text) => {
    expect(asked('legacy', method, '1.0').said.message).toBe(text);
  });

  const requiring = (...uris: readonly Value[]): Value => ({
    agent_card: { capabilities: { extensions: uris.map((uri) => ({ uri, required: true })) } },
  });
  test.each<[string, string | undefined, Value, string | undefined, string | undefined]>([
    ['message/send', '1.0', {}, undefined, undefined],
    ['message/send', '1.0', 'odd', undefined, undefined],
    ['message/send', '1.0', requiring('u:a'), undefined, 'u:a'],
    ['message/send', '1.0', requiring('u:a', 'u:b'), 'u:a', 'u:b'],
    ['message/send', '1.0', requiring('u:a', 'u:b'), 'u:c', 'u:a, u:b'],
    ['message/send', '1.0', requiring('u:a', 'u:b'), 'u:a, u:b', undefined],
    ['message/send', '1.0', requiring(5), undefined, undefined],
    ['message/send', undefined, requiring('u:a'), undefined, undefined],
    ['agent_card/get', '1.0', requiring('u:a'), undefined, undefined],
  ])('%s in %s where the card is %j, with %s', (method, spoken, state, extensions, missing) => {
    const repeated = extensions === undefined ? undefined : { 'a2a-extensions': extensions };
    const { said, plan } = asked('both', method, spoken, state, repeated);
    expect(said.code).toBe(missing === undefined ? undefined : -32008);
    expect(said.message).toBe(missing === undefined ? undefined : `Extension support required: ${missing}`);
    expect(plan.warnings?.filter(({ code }) => code === 'O-126') ?? []).toMatchObject(
      missing === undefined ? [] : [{ severity: 'warning' }],
    );
  });

  test('a list in the words of 1.0', () => {
    const memory = { tasks: [{ id: 'x', status, history: [1, 2], artifacts: [] }], configs: [] };
    const listed = (era?: string) =>
      answerContent(
        binding
          .plan(
            { method: 'tasks/list', params: { historyLength: 1 }, ...(era !== undefined && { era }) },
            {},
            (value) => value,
            contextWith(memory),
          )
          .answer((value) => value),
      );
    expect(listed('1.0')).toMatchObject({ tasks: [{ history: [2] }], pageSize: 50 });
    expect(listed()).toEqual({ tasks: memory.tasks, totalSize: 1, pageSize: 1, nextPageToken: '' });
  });
});

describe('answers', () => {
  const plan = (method: string, state: Value, params: ValueMap = { message }, memory?: Value, era?: string) =>
    binding.plan(
      { method, params, ...(era !== undefined && { era }) },
      state,
      (value) => value,
      contextWith(memory),
    );
  const whole = (made: ReturnType<typeof plan>): Value[] => [
    ...made.steps.map((step) => (step.kind === 'part' ? step.content((value) => value) : 'no part')),
    answerContent(made.answer((value) => value)),
  ];
  const answered = (entry: ValueMap): ValueMap => ({ task_responses: [entry] });
  const task = { kind: 'task', id: 't', contextId: 'c', status };
  const final = { kind: 'status-update', taskId: 't', contextId: 'c', status, final: true };

  test.each<[string, string, ValueMap, readonly Value[], readonly string[]]>([
    ['in one piece', 'message/send', { content: task }, [task], ['/task_responses/0']],
    ['streamed', 'message/stream', { content: task }, [task, final], ['/task_responses/0']],
    [
      'as its stream is written',
      'message/stream',
      { stream: [task, 'a', 'b'] },
      [task, 'a', 'b'],
      ['/task_responses/0/stream'],
    ],
    ['its only item', 'message/stream', { stream: ['a'] }, ['a'], ['/task_responses/0/stream']],
    ['the task of its stream', 'message/send', { stream: ['a', task] }, [task], ['/task_responses/0']],
    [
      'a stream that is none',
      'message/stream',
      { stream: 'odd', content: 'x' },
      ['x'],
      ['/task_responses/0'],
    ],
    ['null is no content', 'message/send', { content: null, stream: [task] }, [task], ['/task_responses/0']],
    [
      'in the words of 1.0',
      'message/send',
      { content: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } },
      [task],
      ['/task_responses/0'],
    ],
  ])('%s', (_, method, entry, items, pieces) => {
    const made = plan(method, answered(entry));
    expect(whole(made)).toMatchObject(items);
    expect(whole(made)).toHaveLength(items.length);
    expect(made.pieces).toEqual(pieces);
  });

  test('without an entry, an empty task with ids of its own', () => {
    const made = plan('message/send', {});
    expect(whole(made)).toEqual([
      {
        kind: 'task',
        id: expect.stringMatching(/^fresh/),
        contextId: expect.stringMatching(/^fresh/),
        status,
      },
    ]);
    expect(made.pieces).toEqual([]);
  });

  test.each<[string, ValueMap, ValueMap]>([
    ['the context that it names', { contextId: 'mine' }, { contextId: 'mine' }],
    ['the task that it continues', { taskId: 'k' }, { id: 'k', contextId: 'kc' }],
    [
      'its own context in the task that it continues',
      { taskId: 'k', contextId: 'mine' },
      { id: 'k', contextId: 'mine' },
    ],
    [
      'no task that nobody knows',
      { taskId: 'other' },
      { id: expect.stringMatching(/^fresh/) as unknown as Value },
    ],
  ])('%s', (_, fields, expected) => {
    const memory = { tasks: [{ id: 'k', contextId: 'kc', status }], configs: [] };
    expect(whole(plan('message/send', {}, { message: { ...message, ...fields } }, memory))).toMatchObject([
      expected,
    ]);
  });

  test.each<[string | undefined, string, unknown]>([
    [undefined, 'completed', [{ id: 'k' }, { kind: 'status-update', final: true }]],
    ['1.0', 'working', [{ id: 'k' }, { kind: 'status-update', final: true }]],
    ['1.0', 'completed', [{ code: -32004 }]],
  ])('a task is subscribed to again in %s when it is %s', (era, state, expected) => {
    const memory = { tasks: [{ id: 'k', contextId: 'kc', status: { state } }], configs: [] };
    expect(whole(plan('tasks/resubscribe', {}, { id: 'k' }, memory, era))).toMatchObject(expected as object);
  });

  test.each<[Value | undefined, readonly string[], string]>([
    [{ name: 'x' }, ['/agent_card'], 'x'],
    [null, [], 'oatf-agent'],
    [undefined, [], 'oatf-agent'],
  ])('the card %j carries %j', (agent_card, pieces, name) => {
    const made = plan('agent_card/get', agent_card === undefined ? {} : { agent_card });
    expect(made.pieces).toEqual(pieces);
    expect(whole(made)).toMatchObject([{ name }]);
  });

  test.each<[string, ValueMap, string | undefined, unknown]>([
    [
      'is remembered for the task',
      { pushNotificationConfig: { url: 'u' } },
      undefined,
      [{ taskId: 't', config: { url: 'u' } }],
    ],
    [
      'with its era',
      { pushNotificationConfig: { url: 'u' } },
      '1.0',
      [{ taskId: 't', config: { url: 'u' }, era: '1.0' }],
    ],
    ['unless it is none', { pushNotificationConfig: 'u' }, undefined, []],
    ['unless there is none', {}, undefined, []],
  ])('a push address in the message %s', (_, configuration, era, configs) => {
    const made = plan(
      'message/send',
      answered({ content: task }),
      { message, configuration },
      undefined,
      era,
    );
    expect(made.memory).toMatchObject({ configs });
    expect((made.memory as ValueMap).configs).toEqual(configs);
  });

  const remembered = {
    tasks: [
      { id: 'k', status },
      { id: 'bare', status },
    ],
    configs: [
      { taskId: 'k', config: { id: 'a', url: 'u' } },
      { taskId: 'k', config: { id: 'b', url: 'v' } },
      { taskId: 'l', config: { id: 'a', url: 'w' } },
    ],
  };
  const config = (method: string, params: ValueMap, state: Value = {}, era?: string) =>
    plan(`tasks/pushNotificationConfig/${method}`, state, params, remembered, era);
  test.each<[string, ValueMap, unknown]>([
    ['get', { id: 'k' }, { taskId: 'k', pushNotificationConfig: { id: 'a', url: 'u' } }],
    [
      'get',
      { id: 'k', pushNotificationConfigId: 'b' },
      { taskId: 'k', pushNotificationConfig: { id: 'b', url: 'v' } },
    ],
    [
      'get',
      { id: 'k', pushNotificationConfigId: 'c' },
      { code: -32001, message: 'Push notification config not found: c' },
    ],
    ['get', { id: 'bare' }, { code: -32001, message: 'Push notification config not found: bare' }],
    ['list', { id: 'k' }, [{ taskId: 'k' }, { taskId: 'k' }]],
    ['delete', { id: 'k' }, { code: -32602 }],
    ['delete', { id: 'k', pushNotificationConfigId: '' }, { code: -32602 }],
    [
      'set',
      { taskId: 'k', pushNotificationConfig: { id: '', url: 'x' } },
      { pushNotificationConfig: { id: expect.stringMatching(/^fresh/), url: 'x' } },
    ],
    [
      'set',
      { taskId: 'k', pushNotificationConfig: { id: 'b', url: 'x' } },
      { pushNotificationConfig: { id: 'b', url: 'x' } },
    ],
  ])('%s %j', (method, params, expected) => {
    expect(answerContent(config(method, params).answer((value) => value))).toMatchObject(expected as object);
  });

  test('what is deleted or set again is gone', () => {
    const left = (made: ReturnType<typeof plan>) =>
      (
        (made.memory as ValueMap).configs as readonly { taskId: string; config: ValueMap; era?: string }[]
      ).map(({ taskId, config: { id, url }, era }) => [taskId, id, url, era].join(' ').trim());
    expect(left(config('delete', { id: 'k', pushNotificationConfigId: 'a' }))).toEqual(['k b v', 'l a w']);
    const set = { taskId: 'k', pushNotificationConfig: { id: 'a', url: 'x' } };
    expect(left(config('set', set))).toEqual(['k b v', 'l a w', 'k a x']);
    expect(left(config('set', set, {}, '1.0'))).toEqual(['k b v', 'l a w', 'k a x 1.0']);
  });

  test.each<[Value, boolean]>([
    [{ agent_card: { capabilities: { pushNotifications: false } } }, false],
    [{ agent_card: { capabilities: { pushNotifications: true } } }, true],
    [{ agent_card: { capabilities: {} } }, true],
    [{ agent_card: 'odd' }, true],
    [{}, true],
  ])('a card %j takes push configurations: %s', (state, does) => {
    const { code } = answerContent(config('get', { id: 'k' }, state).answer((value) => value)) as ValueMap;
    expect(code).toBe(does ? undefined : -32003);
  });

  test('no more than a hundred tasks and configurations are remembered, the latest', () => {
    const tasks = Array.from({ length: 100 }, (_, index) => ({ id: `t${index}`, status }));
    const configs = tasks.map(({ id }) => ({ taskId: id, config: { url: 'u' } }));
    const configuration = { pushNotificationConfig: { url: 'u' } };
    const made = plan(
      'message/send',
      answered({ content: task }),
      { message, configuration },
      { tasks, configs },
    );
    const memory = made.memory as unknown as { tasks: { id: string }[]; configs: { taskId: string }[] };
    expect([memory.tasks.length, memory.tasks[0]?.id, memory.tasks.at(-1)?.id]).toEqual([100, 't1', 't']);
    expect([memory.configs.length, memory.configs[0]?.taskId, memory.configs.at(-1)?.taskId]).toEqual([
      100,
      't1',
      't',
    ]);
    const again = plan(
      'message/send',
      answered({ content: { ...task, id: 't5' } }),
      { message },
      { tasks, configs },
    );
    const kept = again.memory as unknown as typeof memory;
    expect([kept.tasks.length, kept.tasks[0]?.id, kept.tasks.filter(({ id }) => id === 't5').length]).toEqual(
      [100, 't0', 1],
    );
  });

  test('its own messages get no answer, but for a push', () => {
    expect([
      binding.isNotification('message/send'),
      binding.isNotification('send_push_notification'),
    ]).toEqual([true, false]);
    expect(binding.operationName?.('SendMessage')).toBe('message/send');
  });
});

test.each<[string, Value, readonly Value[]]>([
  ['an id alone', { id: 't', status }, ['t', 'C']],
  ['a context alone', { contextId: 'c', status }, ['T', 'c']],
  ['both', { id: 't', contextId: 'c', status }, ['t', 'c']],
  ['ids that are numbers', { id: 1, contextId: 2, status }, ['T', 'C']],
])('the updates of a task with %s', (_, content, [taskId, contextId]) => {
  expect(streamItems(content, () => ids).at(-1)).toMatchObject({ taskId, contextId });
});

test('artifacts that are none have no updates', () => {
  const artifacts = ['odd', { artifactId: 'a' }];
  expect(streamItems({ id: 't', contextId: 'c', status, artifacts }, () => ids)).toHaveLength(3);
});
