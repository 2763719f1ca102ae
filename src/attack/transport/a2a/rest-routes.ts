import type { Value, ValueMap } from '../../../format/model/value.ts';
import { type A2aDialect, dialect1, dialect03 } from './proto/a2a-operations.ts';

// The paths of HTTP+JSON, for both sides. Since 1.0 a path has no version prefix, but may begin with a tenant.

interface RoutePath {
  readonly verbs: readonly string[];
  readonly path: string;
  readonly method: string;
  /** The params that the placeholders of the path stand for: before 1.0, and since. */
  readonly names03: IdNames;
  readonly names1: IdNames;
}

interface IdNames {
  readonly task: string;
  readonly config: string;
}

const ofTask = {
  names03: { task: 'id', config: '' },
  names1: { task: 'id', config: '' },
};
const ofConfig = {
  names03: { task: 'id', config: 'pushNotificationConfigId' },
  names1: { task: 'taskId', config: 'id' },
};
const configs = '/tasks/{task}/pushNotificationConfigs';

const shared: readonly RoutePath[] = [
  { verbs: ['POST'], path: '/message:send', method: 'message/send', ...ofTask },
  { verbs: ['POST'], path: '/message:stream', method: 'message/stream', ...ofTask },
  { verbs: ['GET'], path: '/tasks', method: 'tasks/list', ...ofTask },
  { verbs: ['GET'], path: '/tasks/{task}', method: 'tasks/get', ...ofTask },
  { verbs: ['POST'], path: '/tasks/{task}:cancel', method: 'tasks/cancel', ...ofTask },
  { verbs: ['GET', 'POST'], path: '/tasks/{task}:subscribe', method: 'tasks/resubscribe', ...ofTask },
  {
    verbs: ['POST'],
    path: configs,
    method: 'tasks/pushNotificationConfig/set',
    names03: { task: 'taskId', config: '' },
    names1: { task: 'taskId', config: '' },
  },
  { verbs: ['GET'], path: configs, method: 'tasks/pushNotificationConfig/list', ...ofConfig },
  { verbs: ['GET'], path: `${configs}/{config}`, method: 'tasks/pushNotificationConfig/get', ...ofConfig },
  {
    verbs: ['DELETE'],
    path: `${configs}/{config}`,
    method: 'tasks/pushNotificationConfig/delete',
    ...ofConfig,
  },
];

const card = { verbs: ['GET'], method: 'agent/getAuthenticatedExtendedCard', ...ofTask };
const rows03: readonly RoutePath[] = [
  { ...card, path: '/v1/card' },
  ...shared.map((row) => ({ ...row, path: `/v1${row.path}` })),
];
const rows1: readonly RoutePath[] = [{ ...card, path: '/extendedAgentCard' }, ...shared];

interface CompiledRoute {
  readonly row: RoutePath;
  readonly dialect: A2aDialect;
  readonly names: IdNames;
  readonly pattern: RegExp;
}

// Paths that end in an action are tried first, because an action is not an id. 0.3 comes before 1.0, where `v1` could
// be a tenant.
const compiled: readonly CompiledRoute[] = [
  ...rows03.toSorted(compareByAction).map((row) => ({
    row,
    dialect: dialect03,
    names: row.names03,
    pattern: compilePathPattern('', row.path),
  })),
  ...rows1.toSorted(compareByAction).map((row) => ({
    row,
    dialect: dialect1,
    names: row.names1,
    pattern: compilePathPattern('(?:/(?<tenant>[^/]+))?', row.path),
  })),
];

function compilePathPattern(before: string, path: string): RegExp {
  return new RegExp(`^${before}${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+?)')}$`);
}

export interface RestRoute {
  readonly dialect: A2aDialect;
  readonly method: string;
  /** The ids in the path, under the names of the era. */
  readonly ids: ValueMap;
}

/** The operation that a request to a path asks for; undefined when there is no such path. */
export function findRestRoute(verb: string, path: string): RestRoute | undefined {
  for (const { row, dialect, names, pattern } of compiled) {
    const found = row.verbs.includes(verb) ? pattern.exec(path) : null;
    if (found === null) continue;
    const ids = Object.entries(found.groups ?? {}).flatMap(([name, text]): [string, Value][] =>
      text === undefined ? [] : [[name === 'tenant' ? name : names[name as keyof IdNames], decodePathPart(text)]],
    );
    return { dialect, method: row.method, ids: Object.fromEntries(ids) };
  }
  return undefined;
}

function compareByAction(one: RoutePath, other: RoutePath): number {
  return Number(other.path.includes('}:')) - Number(one.path.includes('}:'));
}

function decodePathPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface RestRequest {
  /** The first verb is the one to try first. */
  readonly verbs: readonly string[];
  readonly path: string;
  /** The params left for the body or the query. */
  readonly rest: ValueMap;
}

/** The path for a method, with params under the names of the era; undefined when HTTP+JSON does not have the method. */
export function createRestRequest(dialect: A2aDialect, method: string, params: ValueMap): RestRequest | undefined {
  const is1 = dialect === dialect1;
  const row = (is1 ? rows1 : rows03).find((each) => each.method === method);
  if (row === undefined) return undefined;
  const names = is1 ? row.names1 : row.names03;
  const rest: Record<string, Value> = { ...params };
  const take = (name: string): string => {
    const value = rest[name] ?? '';
    delete rest[name];
    return encodeURIComponent(String(value));
  };
  const tenant = is1 && typeof params.tenant === 'string' && params.tenant !== '' ? `/${take('tenant')}` : '';
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => take(names[name as keyof IdNames]));
  return { verbs: row.verbs, path: tenant + path, rest };
}
