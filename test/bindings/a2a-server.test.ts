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
