import { describe, expect, test } from 'vitest';
import { a2aServer, listStreamItems } from '../../../src/attack/bindings/a2a/a2a-server-binding.ts';
import { readAnswerContent } from '../../../src/attack/engine/actor-messages.ts';
import type { PlanContext } from '../../../src/attack/engine/binding.ts';
import type { Value, ValueMap } from '../../../src/index.ts';

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
    return readAnswerContent(plan.answer((value) => value));
  });
}

const message = { role: 'user', messageId: 'm', parts: [{ kind: 'text', text: 'hi' }] };
const send = ['message/send', { message }] as const;
const ids = { taskId: 'T', contextId: 'C' };
const status = { state: 'completed' };

describe('streamItems', () => {
  test.each<[string, Value, readonly Value[]]>([
    [
      'a task',
      { id: 't', contextId: 'c', status, artifacts: [{ artifactId: 'a' }] },
      [
        { id: 't', contextId: 'c', status, artifacts: [{ artifactId: 'a' }] },
        { kind: 'status-update', taskId: 't', contextId: 'c', status, final: false },
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
    ['a task with a bare status', { id: 't', status: 'completed' }, [{ id: 't', status: 'completed' }]],
    ['a value that is no task, message or update', [1, 'two'], [[1, 'two']]],
    ['an update written by the document', { kind: 'status-update', status }, [{ kind: 'status-update', status }]],
  ])('splits %s into the items of a stream', (_, content, items) => {
    expect(listStreamItems(content, () => ids)).toEqual(items);
  });
});

describe('a2aServer, memory', () => {
  test('returns a task later as it was answered before', () => {
    const content = { id: 'x', status: 'completed', odd: [null] };
    const state = { task_responses: [{ content }] };
    expect(converse(state, send, ['tasks/get', { id: 'x' }], ['tasks/list', {}])).toMatchObject([
      content,
      content,
      { tasks: [content], totalSize: 1 },
    ]);
  });

  test('cuts the history to the requested length', () => {
    const state = { task_responses: [{ content: { id: 'x', status, history: [1, 2, 3] } }] };
    const get = (historyLength: number) => ['tasks/get', { id: 'x', historyLength }] as const;
    expect(converse(state, send, get(2), get(0), get(9)).slice(1)).toMatchObject([
      { history: [2, 3] },
      { history: [] },
      { history: [1, 2, 3] },
    ]);
  });

  test('lists the tasks of one context', () => {
    const list = (contextId: string) => ['tasks/list', { contextId }] as const;
    const of = (contextId: string) => ['message/send', { message: { ...message, contextId } }] as const;
    const answers = converse({}, of('a'), of('b'), of('a'), list('a'), list('b'));
    expect(answers.slice(3)).toMatchObject([{ totalSize: 2 }, { totalSize: 1 }]);
  });

  test('remembers at most 100 tasks', () => {
    const sends = Array.from({ length: 150 }, () => send);
    expect(converse({}, ...sends, ['tasks/list', {}]).at(-1)).toMatchObject({ totalSize: 100 });
  });

  test('gives push configurations ids and lists them', () => {
    const state = { task_responses: [{ content: { id: 'x', status } }] };
    const config = { url: 'http://127.0.0.1:1/' };
    const set = ['tasks/pushNotificationConfig/set', { taskId: 'x', pushNotificationConfig: config }] as const;
    const list = ['tasks/pushNotificationConfig/list', { id: 'x' }] as const;
    const [, first, , listed] = converse(state, send, set, set, list) as ValueMap[];
    expect(first).toMatchObject({
      taskId: 'x',
      pushNotificationConfig: { id: expect.any(String), ...config },
    });
    expect(listed).toHaveLength(2);
  });
});

describe('a2aServer, tasks/cancel', () => {
  const cancel = ['tasks/cancel', { id: 'x' }] as const;
  const canceled = (state: Value) =>
    converse({ task_responses: [{ content: { id: 'x', status: state } }] }, send, cancel, [
      'tasks/get',
      { id: 'x' },
    ]).slice(1);
  test.each(['completed', 'canceled', 'failed', 'rejected'])('refuses to cancel a task that is %s', (state) => {
    const status = { state };
    expect(canceled(status)).toMatchObject([{ code: -32002 }, { status }]);
    expect(canceled(state)).toMatchObject([{ code: -32002 }, { status: state }]);
  });
  test.each(['submitted', 'working', 'input-required', 'auth-required'])('cancels a task that is %s', (state) => {
    const ended = { status: { state: 'canceled' } };
    expect(canceled({ state, timestamp: 't' })).toMatchObject([
      { status: { state: 'canceled', timestamp: 't' } },
      ended,
    ]);
    expect(canceled(state)).toMatchObject([ended, ended]);
  });
});

test('a2aServer: refuses params that are null with -32602', () => {
  const plan = binding.plan({ method: 'message/send', params: null }, null, (value) => value, contextWith());
  expect(readAnswerContent(plan.answer((value) => value))).toMatchObject({ code: -32602 });
  expect(plan).not.toHaveProperty('memory');
});

test('a2aServer: replaces a push configuration without an id by the next one', () => {
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

describe('a2aServer, refusals', () => {
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
  ])('answers %s with params %j by the error %i', (method, params, code) => {
    expect(converse({}, [method, params])).toMatchObject([{ code }]);
  });
});

test('a2aServer: warns of the reserved "synthesize" and answers with an empty task', () => {
  const state = { task_responses: [{ synthesize: { prompt: 'x' } }] };
  const plan = binding.plan({ method: 'message/send', params: { message } }, state, (value) => value, contextWith());
  expect(plan.warnings).toMatchObject([{ code: 'W-006' }]);
  expect(readAnswerContent(plan.answer((value) => value))).toMatchObject({ status: { state: 'completed' } });
});

describe('a2aServer, eras (version undefined is 0.3, code undefined is no error)', () => {
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
    return { said: readAnswerContent(plan.answer((value) => value)) as ValueMap, plan };
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
  ])('answers as a server of the era %s the method %s in version %s with the code %s', (era, method, spoken, code) => {
    expect(asked(era, method, spoken).said.code).toBe(code);
  });

  test.each([
    ['message/send', 'Method not found: SendMessage'],
    ['x/y', 'Method not found: x/y'],
  ])('names the refused method %s by its 1.0 name, if it has one: %s', (method, text) => {
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
  ])(
    'checks the required extensions in %s, version %s, for the state %j: sent %s, missing %s',
    (method, spoken, state, extensions, missing) => {
      const repeated = extensions === undefined ? undefined : { 'a2a-extensions': extensions };
      const { said, plan } = asked('both', method, spoken, state, repeated);
      expect(said.code).toBe(missing === undefined ? undefined : -32008);
      expect(said.message).toBe(missing === undefined ? undefined : `Extension support required: ${missing}`);
      expect(plan.warnings?.filter(({ code }) => code === 'O-126') ?? []).toMatchObject(
        missing === undefined ? [] : [{ severity: 'warning' }],
      );
    },
  );

  test('lists tasks in the form of the request’s version', () => {
    const memory = { tasks: [{ id: 'x', status, history: [1, 2], artifacts: [] }], configs: [] };
    const listed = (era?: string) =>
      readAnswerContent(
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
    const tooMany = { method: 'tasks/list', params: { pageSize: 101 }, era: '1.0' };
    const refused = binding.plan(tooMany, {}, (value) => value, contextWith(memory));
    expect(readAnswerContent(refused.answer((value) => value))).toMatchObject({ code: -32602 });
    expect(listed()).toEqual({ tasks: memory.tasks, totalSize: 1, pageSize: 1, nextPageToken: '' });
  });
});

describe('a2aServer, answers', () => {
  const plan = (method: string, state: Value, params: ValueMap = { message }, memory?: Value, era?: string) =>
    binding.plan({ method, params, ...(era !== undefined && { era }) }, state, (value) => value, contextWith(memory));
  const whole = (made: ReturnType<typeof plan>): Value[] => [
    ...made.steps.map((step) => (step.kind === 'part' ? step.content((value) => value) : 'no part')),
    readAnswerContent(made.answer((value) => value)),
  ];
  const answered = (entry: ValueMap): ValueMap => ({ task_responses: [entry] });
  const task = { kind: 'task', id: 't', contextId: 'c', status };
  const final = { kind: 'status-update', taskId: 't', contextId: 'c', status, final: true };

  test.each<[string, string, ValueMap, readonly Value[], readonly string[]]>([
    ['answers message/send with the content', 'message/send', { content: task }, [task], ['/task_responses/0']],
    [
      'answers message/stream with the task and its final update',
      'message/stream',
      { content: task },
      [task, final],
      ['/task_responses/0'],
    ],
    [
      'answers message/stream with the written stream',
      'message/stream',
      { stream: [task, 'a', 'b'] },
      [task, 'a', 'b'],
      ['/task_responses/0/stream'],
    ],
    [
      'answers message/stream with the only item of the written stream',
      'message/stream',
      { stream: ['a'] },
      ['a'],
      ['/task_responses/0/stream'],
    ],
    [
      'answers message/send with the task of the written stream',
      'message/send',
      { stream: ['a', task] },
      [task],
      ['/task_responses/0'],
    ],
    [
      'ignores a stream that is not a list',
      'message/stream',
      { stream: 'odd', content: 'x' },
      ['x'],
      ['/task_responses/0'],
    ],
    [
      'uses the stream when the content is null',
      'message/send',
      { content: null, stream: [task] },
      [task],
      ['/task_responses/0'],
    ],
    [
      'converts content of A2A 1.0',
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

  test.each<[string | undefined, Value | undefined, number | undefined]>([
    ['1.0', undefined, -32004],
    ['1.0', null, -32004],
    ['1.0', { name: 'x' }, -32004],
    ['1.0', { capabilities: { extendedAgentCard: false }, supportsAuthenticatedExtendedCard: true }, -32004],
    ['1.0', { capabilities: { extendedAgentCard: 'yes' } }, -32004],
    ['1.0', { capabilities: { extendedAgentCard: true } }, undefined],
    ['1.0', { capabilities: {}, supportsAuthenticatedExtendedCard: true }, undefined],
    ['1.0', 'odd', undefined],
    [undefined, undefined, undefined],
    [undefined, { name: 'x' }, undefined],
    [undefined, { supportsAuthenticatedExtendedCard: true }, undefined],
    [undefined, { supportsAuthenticatedExtendedCard: false }, -32004],
    [undefined, { capabilities: { extendedAgentCard: false } }, -32004],
  ])('answers a request of version %s for the extended card of %j with the error %s', (era, agent_card, code) => {
    const state = agent_card === undefined ? {} : { agent_card };
    const [answer] = whole(plan('agent/getAuthenticatedExtendedCard', state, {}, undefined, era));
    expect((answer as ValueMap).code).toBe(code);
  });

  test('answers without an entry with an empty task that has new ids', () => {
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
    ['answers in the context that the message names', { contextId: 'mine' }, { contextId: 'mine' }],
    ['answers with the task that the message continues', { taskId: 'k' }, { id: 'k', contextId: 'kc' }],
    [
      'answers with the continued task in the context that the message names',
      { taskId: 'k', contextId: 'mine' },
      { id: 'k', contextId: 'mine' },
    ],
    ['refuses a message for an unknown task', { taskId: 'other' }, { code: -32001 }],
    ['refuses a message for a task that has ended', { taskId: 'old' }, { code: -32004 }],
    [
      'answers a message whose task id is empty with a new task',
      { taskId: '' },
      { id: expect.stringMatching(/^fresh/) as unknown as Value },
    ],
    ['refuses a message without an id', { messageId: '' }, { code: -32602 }],
    ['refuses a message whose id is a number', { messageId: 5 }, { code: -32602 }],
    ['refuses a message of an unknown role', { role: 'root' }, { code: -32602 }],
    ['refuses a message without parts', { parts: [] }, { code: -32602 }],
    ['refuses a message whose parts are no list', { parts: 'odd' }, { code: -32602 }],
    ['refuses a part that is no object', { parts: ['odd'] }, { code: -32602 }],
    ['refuses a part without content', { parts: [{ kind: 'text' }] }, { code: -32602 }],
    ['refuses a part of an unknown kind', { parts: [{ kind: 'smell', smell: 'x' }] }, { code: -32602 }],
    [
      'answers a message with a file and with data',
      { taskId: 'k', role: 'agent', parts: [{ file: {} }, { data: null }] },
      { id: 'k' },
    ],
  ])('%s', (_, fields, expected) => {
    const open = { id: 'k', contextId: 'kc', status: { state: 'input-required' } };
    const memory = { tasks: [open, { id: 'old', contextId: 'kc', status }], configs: [] };
    expect(whole(plan('message/send', {}, { message: { ...message, ...fields } }, memory))).toMatchObject([expected]);
  });

  test.each<[string | undefined, string, unknown]>([
    [undefined, 'completed', [{ id: 'k' }, { kind: 'status-update', final: true }]],
    ['1.0', 'working', [{ id: 'k' }, { kind: 'status-update', final: true }]],
    ['1.0', 'completed', [{ code: -32004 }]],
  ])('answers tasks/resubscribe in version %s for a task that is %s', (era, state, expected) => {
    const memory = { tasks: [{ id: 'k', contextId: 'kc', status: { state } }], configs: [] };
    expect(whole(plan('tasks/resubscribe', {}, { id: 'k' }, memory, era))).toMatchObject(expected as object);
  });

  test.each<[Value | undefined, readonly string[], string]>([
    [{ name: 'x' }, ['/agent_card'], 'x'],
    [null, [], 'oatf-agent'],
    [undefined, [], 'oatf-agent'],
  ])('answers with the card %j from the pieces %j, named %s', (agent_card, pieces, name) => {
    const made = plan('agent_card/get', agent_card === undefined ? {} : { agent_card });
    expect(made.pieces).toEqual(pieces);
    expect(whole(made)).toMatchObject([{ name }]);
  });

  test.each<[string, ValueMap, string | undefined, unknown]>([
    ['for its task', { pushNotificationConfig: { url: 'u' } }, undefined, [{ taskId: 't', config: { url: 'u' } }]],
    [
      'together with its era',
      { pushNotificationConfig: { url: 'u' } },
      '1.0',
      [{ taskId: 't', config: { url: 'u' }, era: '1.0' }],
    ],
    ['unless it is a string', { pushNotificationConfig: 'u' }, undefined, []],
    ['unless it is missing', {}, undefined, []],
  ])('remembers the push configuration of a message %s', (_, configuration, era, configs) => {
    const made = plan('message/send', answered({ content: task }), { message, configuration }, undefined, era);
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
    ['get', { id: 'k', pushNotificationConfigId: 'b' }, { taskId: 'k', pushNotificationConfig: { id: 'b', url: 'v' } }],
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
  ])('answers tasks/pushNotificationConfig/%s %j with %j', (method, params, expected) => {
    expect(readAnswerContent(config(method, params).answer((value) => value))).toMatchObject(expected as object);
  });

  test('forgets a configuration that was deleted or set again', () => {
    const left = (made: ReturnType<typeof plan>) =>
      ((made.memory as ValueMap).configs as readonly { taskId: string; config: ValueMap; era?: string }[]).map(
        ({ taskId, config: { id, url }, era }) => [taskId, id, url, era].join(' ').trim(),
      );
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
  ])('supports push configurations with the state %j: %s', (state, does) => {
    const { code } = readAnswerContent(config('get', { id: 'k' }, state).answer((value) => value)) as ValueMap;
    expect(code).toBe(does ? undefined : -32003);
  });

  test('remembers the latest 100 tasks and configurations', () => {
    const tasks = Array.from({ length: 100 }, (_, index) => ({ id: `t${index}`, status }));
    const configs = tasks.map(({ id }) => ({ taskId: id, config: { url: 'u' } }));
    const configuration = { pushNotificationConfig: { url: 'u' } };
    const made = plan('message/send', answered({ content: task }), { message, configuration }, { tasks, configs });
    const memory = made.memory as unknown as { tasks: { id: string }[]; configs: { taskId: string }[] };
    expect([memory.tasks.length, memory.tasks[0]?.id, memory.tasks.at(-1)?.id]).toEqual([100, 't1', 't']);
    expect([memory.configs.length, memory.configs[0]?.taskId, memory.configs.at(-1)?.taskId]).toEqual([100, 't1', 't']);
    const again = plan('message/send', answered({ content: { ...task, id: 't5' } }), { message }, { tasks, configs });
    const kept = again.memory as unknown as typeof memory;
    expect([kept.tasks.length, kept.tasks[0]?.id, kept.tasks.filter(({ id }) => id === 't5').length]).toEqual([
      100,
      't0',
      1,
    ]);
  });

  test('expects an answer to a push notification only', () => {
    expect([binding.isNotification('message/send'), binding.isNotification('send_push_notification')]).toEqual([
      true,
      false,
    ]);
    expect(binding.operationName?.('SendMessage')).toBe('message/send');
  });
});

test.each<[string, Value, readonly Value[]]>([
  ['an id and no context', { id: 't', status }, ['t', 'C']],
  ['a context and no id', { contextId: 'c', status }, ['T', 'c']],
  ['an id and a context', { id: 't', contextId: 'c', status }, ['t', 'c']],
  ['ids that are numbers', { id: 1, contextId: 2, status }, ['T', 'C']],
])('streamItems: gives updates the right ids for a task with %s', (_, content, [taskId, contextId]) => {
  expect(listStreamItems(content, () => ids).at(-1)).toMatchObject({ taskId, contextId });
});

test('streamItems: sends no update for an artifact that is not an object', () => {
  const artifacts = ['odd', { artifactId: 'a' }];
  expect(listStreamItems({ id: 't', contextId: 'c', status, artifacts }, () => ids)).toHaveLength(4);
});
