import { describe, expect, test } from 'vitest';
import { a2aClient } from '../../../src/attack/bindings/a2a/a2a-client-binding.ts';
import type { Fill, Ids, Reader } from '../../../src/attack/engine/binding.ts';
import type { Value } from '../../../src/index.ts';

const asIs: Fill = (value) => value;
const ids: Ids = { own: 'own', fresh: () => 'fresh' };

describe('a2aClient.acts', () => {
  test('performs the actions in order, with their params as written, or without any', () => {
    const actions = [
      { method: 'agent_card/get' },
      { method: 'message/send', params: { message: { odd: [null] } } },
      { method: 'x/unheard-of', params: [1, 2] },
    ];
    const { acts } = a2aClient.acts({ actions }, ids);
    expect(acts.map((act) => [act.method, act.content(asIs)])).toEqual([
      ['agent_card/get', undefined],
      ['message/send', { message: { odd: [null] } }],
      ['x/unheard-of', [1, 2]],
    ]);
  });

  test.each<[string, Value]>([
    ['without a method', [{ params: {} }]],
    ['that is not an object', ['message/send']],
  ])('skips an action %s with a warning', (_, actions) => {
    expect(a2aClient.acts({ actions }, ids)).toMatchObject({ acts: [], warnings: [{ code: 'O-111' }] });
  });

  test.each([undefined, null, {}, { actions: 'none' }])('returns no action when the state is %j', (state) => {
    expect(a2aClient.acts(state as Value | undefined, ids).acts).toEqual([]);
  });
});

describe('a2aClient, task progress', () => {
  const saying = (fields: Value, method = 'message/send', params: Value = {}) =>
    a2aClient.lasting?.progress({ method, params }, fields);
  const working = { id: 't', status: { state: 'working' } };

  test.each<[string, ReturnType<typeof saying>, ReturnType<typeof saying>]>([
    ['begins a task by a message', saying(working), { name: 't', state: 'begun' }],
    [
      'begins a task by an update of its stream',
      saying({ taskId: 't', status: { state: 'submitted' } }, 'message/stream'),
      { name: 't', state: 'begun' },
    ],
    ['continues a task that another client began', saying(working, 'tasks/get'), { name: 't', state: 'going on' }],
    [
      'continues a task without an id in the answer by the id in the request',
      saying({ status: 'working' }, 'tasks/get', { id: 't' }),
      { name: 't', state: 'going on' },
    ],
    ...['completed', 'failed', 'canceled', 'rejected', 'input-required', 'auth-required', 'unknown'].map(
      (state): [string, ReturnType<typeof saying>, ReturnType<typeof saying>] => [
        `ends a task in the state ${state}`,
        saying({ id: 't', status: { state } }, 'tasks/get'),
        { name: 't', state: 'over' },
      ],
    ),
    ['reports nothing for a task without an id', saying({ status: { state: 'working' } }), undefined],
    ['reports nothing for a task without a state', saying({ id: 't' }), undefined],
    ['reports nothing for a message', saying({ kind: 'message', role: 'agent', parts: [] }), undefined],
  ])('%s', (_, said, expected) => {
    expect(said).toEqual(expected);
  });

  test('polls a task by its id', () => {
    expect(a2aClient.lasting?.poll('t')).toEqual({ method: 'tasks/get', params: { id: 't' } });
  });
});

describe('a2aClient, reading a stream', () => {
  const params = { message: { messageId: 'm' } };
  const update = (fields: Record<string, Value>): Value => ({ kind: 'status-update', ...fields });

  function read(...items: readonly Value[]): { events: unknown[]; isOver: boolean; end: string | undefined } {
    let reader: Reader = a2aClient.reader({ method: 'message/stream', params }, undefined);
    const events: unknown[] = [];
    let isOver = false;
    for (const item of items) {
      const reading = reader.read(item, ids);
      if (reading === undefined) continue;
      events.push(...reading.events.map(({ method, request }) => [method, request]));
      isOver ||= reading.isOver ?? false;
      reader = reading.next;
    }
    return { events, isOver, end: reader.end() };
  }

  test('gives each item its event names and the request that it answers', () => {
    const { events } = read({ kind: 'task' }, update({}), { kind: 'artifact-update' }, 'odd', null);
    expect(events).toEqual([
      ['message/stream', params],
      ['message/stream', params],
      ['task/status', params],
      ['message/stream', params],
      ['task/artifact', params],
      ['message/stream', params],
      ['message/stream', params],
    ]);
  });

  test.each<[string, readonly Value[], boolean, string | undefined]>([
    ['a final update', [update({ final: true, status: { state: 'working' } })], true, undefined],
    ['a final update without a state', [update({ final: true })], false, 'the stream ended before the task did'],
    ['a message', [{ kind: 'message', role: 'agent', parts: [] }], true, undefined],
    ['a completed task', [{ kind: 'task', status: { state: 'completed' } }], false, undefined],
    ['a task that requires input', [{ kind: 'task', status: { state: 'input-required' } }], false, undefined],
    [
      'a working task without an id',
      [{ kind: 'task', status: { state: 'working' } }],
      false,
      'the stream ended before the task did',
    ],
    [
      'a working task with an id, which can be polled',
      [
        { kind: 'task', id: 't', status: { state: 'working' } },
        { kind: 'artifact-update', taskId: 't' },
      ],
      false,
      undefined,
    ],
    ['no item', [], false, 'the stream ended before the task did'],
    ['a message without a kind', [{ role: 'agent', parts: [] }], true, undefined],
    ...[
      { kind: 'message', role: 'agent', parts: [], status: { state: 'working' } },
      { kind: 'note', role: 'agent', parts: [] },
      { role: 'agent', parts: 'none' },
      { parts: [] },
      'done',
    ].map((item): [string, readonly Value[], boolean, string] => [
      `an item that is not a message: ${JSON.stringify(item)}`,
      [item],
      false,
      'the stream ended before the task did',
    ]),
  ])('decides whether the stream is over after %s', (_, items, isOver, end) => {
    expect(read(...items)).toMatchObject({ isOver, end });
  });
});
