import { describe, expect, test } from 'vitest';
import {
  filterTaskList1,
  findListFault,
  toOwnParams,
  toOwnSpelling,
} from '../../../src/attack/bindings/a2a/a2a-spelling-1.ts';
import type { Value, ValueMap } from '../../../src/index.ts';

// Content that a document spells as A2A 1.0 does.

const status = { state: 'completed' };
const task1 = { id: 't', status: { state: 'TASK_STATE_COMPLETED' } };
const task = { kind: 'task', id: 't', status };
const message1 = { role: 'ROLE_AGENT', messageId: 'm', parts: [{ text: 'a' }] };
const message = { kind: 'message', role: 'agent', messageId: 'm', parts: [{ kind: 'text', text: 'a' }] };

describe('toOwnSpelling', () => {
  test.each<[Value, Value]>([
    [task1, task],
    [message1, message],
    [{ task: task1 }, task],
    [{ message: message1 }, message],
    [
      { statusUpdate: { taskId: 't', status: task1.status } },
      { kind: 'status-update', taskId: 't', status, final: true },
    ],
    [
      { artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts: [{ text: 'a' }] } } },
      {
        kind: 'artifact-update',
        taskId: 't',
        artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'a' }] },
      },
    ],
  ])('converts %j from A2A 1.0', (written, own) => {
    expect(toOwnSpelling(written)).toMatchObject(own as object);
  });

  test.each<Value>([
    { ...task1, kind: 'task' },
    { id: 't', status },
    { id: 't', status: 'TASK_STATE_COMPLETED' },
    { role: 'agent', parts: [] },
    { role: 5 },
    { task: task1, more: 1 },
    { other: task1 },
    {},
    'TASK_STATE_COMPLETED',
    null,
  ])('keeps content unchanged that is not of A2A 1.0: %j', (written) => {
    expect(toOwnSpelling(written)).toEqual(written);
  });
});

describe('toOwnParams', () => {
  test.each<[string, Value, boolean, Value]>([
    ['message/send', { message: message1 }, false, { message }],
    [
      'message/send',
      { message: { role: 'user', parts: [{ text: 'a' }] } },
      false,
      { message: { role: 'user', parts: [{ text: 'a' }] } },
    ],
    [
      'message/send',
      { message: { messageId: 'm', parts: [{ text: 'a' }] } },
      true,
      { message: { messageId: 'm', parts: [{ kind: 'text', text: 'a' }] } },
    ],
    ['message/send', 'odd', true, 'odd'],
    ['message/send', { message: 'ROLE_USER' }, false, { message: 'ROLE_USER' }],
    ['tasks/pushNotificationConfig/get', { taskId: 't', id: 'c' }, true, { id: 't', pushNotificationConfigId: 'c' }],
    ['tasks/pushNotificationConfig/get', { taskId: 't', id: 'c' }, false, { taskId: 't', id: 'c' }],
    ['x/y', { a: 1 }, true, { a: 1 }],
  ])('converts the params of %s: %j', (method, params, isNamed1, own) => {
    expect(toOwnParams(method, params, isNamed1)).toMatchObject(typeof own === 'object' ? (own as object) : {});
    if (typeof own !== 'object') expect(toOwnParams(method, params, isNamed1)).toBe(own);
  });
});

describe('listed1', () => {
  const at = (day: number): string => `2026-01-0${day}T00:00:00Z`;
  const tasks: readonly ValueMap[] = [
    { id: 'a', status: { state: 'working', timestamp: at(1) }, artifacts: [] },
    { id: 'b', status: { state: 'completed', timestamp: at(2) } },
    { id: 'c', status: { state: 'completed' } },
    { id: 'd', status: 'completed' },
  ];
  const ids = (params: ValueMap) => {
    const { tasks: found, ...rest } = filterTaskList1(tasks, params);
    return [
      (found as readonly ValueMap[]).map(({ id }) => id).join(''),
      rest.nextPageToken,
      rest.pageSize,
      rest.totalSize,
    ];
  };
  test.each<[ValueMap, unknown]>([
    [{}, ['abcd', '', 50, 4]],
    [{ status: 'TASK_STATE_COMPLETED' }, ['bc', '', 50, 2]],
    [{ status: 'TASK_STATE_WORKING' }, ['a', '', 50, 1]],
    [{ status: 'TASK_STATE_UNSPECIFIED' }, ['abcd', '', 50, 4]],
    [{ status: '' }, ['abcd', '', 50, 4]],
    [{ statusTimestampAfter: at(1) }, ['abcd', '', 50, 4]],
    [{ statusTimestampAfter: at(2) }, ['bcd', '', 50, 3]],
    [{ pageSize: 3 }, ['abc', '3', 3, 4]],
    [{ pageSize: 4 }, ['abcd', '', 4, 4]],
    [{ pageSize: 2, pageToken: '2' }, ['cd', '', 2, 4]],
    [{ pageSize: 1, pageToken: '2' }, ['c', '3', 1, 4]],
    [{ pageSize: 100, pageToken: '' }, ['abcd', '', 100, 4]],
    [{ pageSize: null, pageToken: null }, ['abcd', '', 50, 4]],
  ])('selects and pages tasks by %j: %j', (params, expected) => {
    expect(findListFault(params)).toBeUndefined();
    expect(ids(params)).toEqual(expected);
  });

  test.each<[ValueMap, string]>([
    [{ status: 5 }, 'status'],
    [{ status: 'TASK_STATE_ODD' }, 'status'],
    [{ statusTimestampAfter: 5 }, 'statusTimestampAfter'],
    [{ statusTimestampAfter: 'yesterday' }, 'statusTimestampAfter'],
    [{ pageSize: 0 }, 'pageSize'],
    [{ pageSize: -3 }, 'pageSize'],
    [{ pageSize: 1.5 }, 'pageSize'],
    [{ pageSize: 'many' }, 'pageSize'],
    [{ pageSize: 101 }, 'pageSize'],
    [{ pageToken: '-2' }, 'pageToken'],
    [{ pageToken: 'odd' }, 'pageToken'],
  ])('refuses a list of tasks by %j because of %s', (params, field) => {
    expect(findListFault(params)).toContain(`\`${field}\``);
  });

  test.each<[Value | undefined, boolean]>([
    [true, true],
    ['true', true],
    [false, false],
    [undefined, false],
  ])('returns artifacts only when includeArtifacts is true: %s', (includeArtifacts, areThere) => {
    const params = includeArtifacts === undefined ? {} : { includeArtifacts };
    const [first] = filterTaskList1(tasks, params).tasks as readonly ValueMap[];
    expect(Object.hasOwn(first ?? {}, 'artifacts')).toBe(areThere);
  });
});
