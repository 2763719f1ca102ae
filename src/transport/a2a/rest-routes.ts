import type { Value, ValueMap } from '../../model/value.ts';

// The paths of HTTP+JSON in A2A 0.3, for both sides.

interface Row {
  readonly verbs: readonly string[];
  readonly path: string;
  readonly method: string;
  /** What the placeholders of the path are called in the params. */
  readonly task?: string;
}

const config = 'pushNotificationConfigId';
const rows: readonly Row[] = [
  { verbs: ['GET'], path: '/v1/card', method: 'agent/getAuthenticatedExtendedCard' },
  { verbs: ['POST'], path: '/v1/message:send', method: 'message/send' },
  { verbs: ['POST'], path: '/v1/message:stream', method: 'message/stream' },
  { verbs: ['GET'], path: '/v1/tasks', method: 'tasks/list' },
  { verbs: ['GET'], path: '/v1/tasks/{task}', method: 'tasks/get' },
  { verbs: ['POST'], path: '/v1/tasks/{task}:cancel', method: 'tasks/cancel' },
  { verbs: ['GET', 'POST'], path: '/v1/tasks/{task}:subscribe', method: 'tasks/resubscribe' },
  {
    verbs: ['POST'],
    path: '/v1/tasks/{task}/pushNotificationConfigs',
    method: 'tasks/pushNotificationConfig/set',
    task: 'taskId',
  },
  {
    verbs: ['GET'],
    path: '/v1/tasks/{task}/pushNotificationConfigs',
    method: 'tasks/pushNotificationConfig/list',
  },
  {
    verbs: ['GET'],
    path: '/v1/tasks/{task}/pushNotificationConfigs/{config}',
    method: 'tasks/pushNotificationConfig/get',
  },
  {
    verbs: ['DELETE'],
    path: '/v1/tasks/{task}/pushNotificationConfigs/{config}',
    method: 'tasks/pushNotificationConfig/delete',
  },
];

// What ends in an action is no id, so those paths are tried first.
const compiled = rows.toSorted(byAction).map((row) => ({
  ...row,
  pattern: new RegExp(`^${row.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+?)')}$`),
}));

export interface Route {
  readonly method: string;
  readonly ids: ValueMap;
}

/** What a request to a path asks for; nothing where there is no such path. */
export function routeOf(verb: string, path: string): Route | undefined {
  for (const { verbs, pattern, method, task = 'id' } of compiled) {
    const found = verbs.includes(verb) ? pattern.exec(path) : null;
    if (found === null) continue;
    const ids = Object.entries(found.groups ?? {}).map(([name, text]): [string, Value] => [
      name === 'task' ? task : config,
      decoded(text),
    ]);
    return { method, ids: Object.fromEntries(ids) };
  }
  return undefined;
}

function byAction(one: Row, other: Row): number {
  return Number(other.path.includes('}:')) - Number(one.path.includes('}:'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface RestRequest {
  /** The one to try first. */
  readonly verbs: readonly string[];
  readonly path: string;
  /** What is left for the body or the query. */
  readonly rest: ValueMap;
}

/** Where a method is asked for; nothing for one that HTTP+JSON does not have. */
export function restRequest(method: string, params: ValueMap): RestRequest | undefined {
  const row = rows.find((each) => each.method === method);
  if (row === undefined) return undefined;
  const { [row.task ?? 'id']: task = '', ...others } = params;
  const isAboutTask = row.path.includes('{task}');
  const { [config]: id = '', ...rest } = isAboutTask ? others : params;
  const path = row.path
    .replace('{task}', encodeURIComponent(String(task)))
    .replace('{config}', encodeURIComponent(String(id)));
  return {
    verbs: row.verbs,
    path,
    rest: row.path.includes('{config}') ? rest : isAboutTask ? others : params,
  };
}
