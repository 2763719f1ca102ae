import { describe, expect, test } from 'vitest';
import { a2aClient } from '../../src/bindings/a2a/client.ts';
import type { Fill, Ids, Reader } from '../../src/engine/binding.ts';
import type { Value } from '../../src/index.ts';

const asIs: Fill = (value) => value;
const ids: Ids = { own: 'own', fresh: () => 'fresh' };

describe('actions', () => {
  test('are done in order, with their params as they are', () => {
    const actions = [
      { method: 'agent_card/get' },
      { method: 'message/send', params: { message: { odd: [null] } } },
      { method: 'x/unheard-of', params: [1, 2] },
    ];
    const { acts } = a2aClient.acts({ actions }, ids);
    expect(acts.map((act) => [act.method, act.content(asIs)])).toEqual([
      ['agent_card/get', {}],
      ['message/send', { message: { odd: [null] } }],
      ['x/unheard-of', [1, 2]],
    ]);
  });

  test.each<[string, Value]>([
    ['no method', [{ params: {} }]],
    ['no object', ['message/send']],
  ])('with %s are skipped with a warning', (_, actions) => {
    expect(a2aClient.acts({ actions }, ids)).toMatchObject({ acts: [], warnings: [{ code: 'O-111' }] });
  });

  test.each([undefined, null, {}, { actions: 'none' }])('may be missing: %j', (state) => {
    expect(a2aClient.acts(state as Value | undefined, ids).acts).toEqual([]);
  });
});

describe('a task', () => {
  const saying = (fields: Value, method = 'message/send', params: Value = {}) =>
    a2aClient.lasting?.progress({ method, params }, fields);
  const working = { id: 't', status: { state: 'working' } };

  test.each<[string, ReturnType<typeof saying>, ReturnType<typeof saying>]>([
    ['is begun by a message', saying(working), { name: 't', state: 'begun' }],
    [
      '… and by an update of its stream',
      saying({ taskId: 't', status: { state: 'submitted' } }, 'message/stream'),
      { name: 't', state: 'begun' },
    ],
    ['goes on, whoever began it', saying(working, 'tasks/get'), { name: 't', state: 'going on' }],
    [
      '… without an id of its own',
      saying({ status: 'working' }, 'tasks/get', { id: 't' }),
      { name: 't', state: 'going on' },
    ],
    ...['completed', 'failed', 'canceled', 'rejected', 'input-required', 'auth-required', 'unknown'].map(
      (state): [string, ReturnType<typeof saying>, ReturnType<typeof saying>] => [
        `is over when it is ${state}`,
        saying({ id: 't', status: { state } }, 'tasks/get'),
        { name: 't', state: 'over' },
      ],
    ),
    ['without an id is nobody’s', saying({ status: { state: 'working' } }), undefined],
    ['is none without a state', saying({ id: 't' }), undefined],
    ['is no message', saying({ kind: 'message', role: 'agent', parts: [] }), undefined],
  ])('%s', (_, said, expected) => {
    expect(said).toEqual(expected);
  });

  test('is asked for by its id', () => {
    expect(a2aClient.lasting?.poll('t')).toEqual({ method: 'tasks/get', params: { id: 't' } });
  });
});

describe('a stream', () => {
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

  test('gives each item its names, and each says what was asked', () => {
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
    [
      'a final update that has no state',
      [update({ final: true })],
      false,
      'the stream ended before the task did',
    ],
    ['a message', [{ kind: 'message', role: 'agent', parts: [] }], true, undefined],
    ['a task that is done', [{ kind: 'task', status: { state: 'completed' } }], false, undefined],
    ['a task that waits for us', [{ kind: 'task', status: { state: 'input-required' } }], false, undefined],
    [
      'a task that goes on',
      [{ kind: 'task', status: { state: 'working' } }],
      false,
      'the stream ended before the task did',
    ],
    [
      'a task that goes on and can be asked for',
      [
        { kind: 'task', id: 't', status: { state: 'working' } },
        { kind: 'artifact-update', taskId: 't' },
      ],
      false,
      undefined,
    ],
    ['nothing', [], false, 'the stream ended before the task did'],
    ['a message without its kind', [{ role: 'agent', parts: [] }], true, undefined],
    ...[
      { kind: 'message', role: 'agent', parts: [], status: { state: 'working' } },
      { kind: 'note', role: 'agent', parts: [] },
      { role: 'agent', parts: 'none' },
      { parts: [] },
      'done',
    ].map((item): [string, readonly Value[], boolean, string] => [
      `what is none: ${JSON.stringify(item)}`,
      [item],
      false,
      'the stream ended before the task did',
    ]),
  ])('is over with %s', (_, items, isOver, end) => {
    expect(read(...items)).toMatchObject({ isOver, end });
  });
});
