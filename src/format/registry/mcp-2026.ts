import { getOwnValue, isCollection, isValueMap, toMap, type Value, type ValueMap } from '../model/value.ts';

// MCP since 2026-07-28: no handshake and no session. Every request names its sender and stands alone.

/** The era. Its name is its first version. */
export const mcp2026 = '2026-07-28';

/** The keys of `_meta` that belong to the protocol. */
export const metaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The metadata of a request; empty if it has none. */
export function readRequestMeta(params: Value | undefined): ValueMap {
  return toMap(toMap(params)._meta);
}

/** Adds keys to the `_meta` of params or of a result. What is written there stays, also what is not a map. */
export function addMeta(value: ValueMap | undefined, meta: ValueMap): ValueMap;
export function addMeta(value: Value | undefined, meta: ValueMap): Value;
export function addMeta(value: Value | undefined = {}, meta: ValueMap): Value {
  if (!isValueMap(value)) return value;
  const { _meta: written = {} } = value;
  return isValueMap(written) ? { ...value, _meta: { ...meta, ...written } } : value;
}

/** The extension by which a call can become a task. */
export const mcpTasks = 'io.modelcontextprotocol/tasks';

export const mcp2026Error = {
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** The HTTP status for each protocol error that has one of its own. Every other error is sent with 200. */
export const mcp2026Status: ReadonlyMap<unknown, number> = new Map([
  [mcp2026Error.headerMismatch, 400],
  [mcp2026Error.missingCapability, 400],
  [mcp2026Error.unsupportedVersion, 400],
  [-32601, 404],
]);

/** A way of sending that the protocol forbids but a document may use: on the stream of another request's response. */
export const withinResponse = 'within response';
/** A way of asking that the protocol forbids but a document may use: in the result of any request. */
export const inAnyResult = 'in any result';

/** The methods whose results a client may cache. */
export const cacheableMethods: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** The requests that may be answered with questions. The client then repeats them with the answers. */
export const questionableMethods: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** The questions that a server may ask in its answer to a request. */
export const questionMethods: ReadonlySet<string> = new Set([
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
]);

/** The part of a subscription that each notification belongs to. */
export const subscriptionKeys: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
  ['notifications/resources/updated', 'resourceSubscriptions'],
  ['notifications/tasks', 'taskIds'],
]);

/** A property of a tool's input that calls repeat in an `Mcp-Param-…` header. */
export interface HeaderParam {
  readonly header: string;
  /** The header's value for these arguments; undefined if they omit the property. */
  readValue(args: ValueMap): string | undefined;
}

const mostHeaderParams = 100;

/** The properties of an input schema with that annotation, if `properties` alone lead to them. */
export function listHeaderParams(schema: Value | undefined): readonly HeaderParam[] {
  if (!isValueMap(schema)) return [];
  const known = knownHeaderParams.get(schema) ?? findHeaderParams(schema);
  knownHeaderParams.set(schema, known);
  return known;
}

/** A cache, because each call of a tool looks its schema up. */
const knownHeaderParams = new WeakMap<ValueMap, readonly HeaderParam[]>();

function findHeaderParams(schema: ValueMap): readonly HeaderParam[] {
  const found: HeaderParam[] = [];
  const pending: { readonly schema: Value | undefined; readonly path: readonly string[] }[] = [{ schema, path: [] }];
  for (let next = pending.pop(); next !== undefined && found.length < mostHeaderParams; next = pending.pop()) {
    const properties = isValueMap(next.schema) ? next.schema.properties : undefined;
    for (const [key, property] of Object.entries(isValueMap(properties) ? properties : {})) {
      const path = [...next.path, key];
      const header = isValueMap(property) ? property['x-mcp-header'] : undefined;
      if (typeof header === 'string' && isToken(header))
        found.push({ header, readValue: (args) => readParamText(args, path) });
      pending.push({ schema: property, path });
    }
  }
  return found;
}

function isToken(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text);
}

function readParamText(args: ValueMap, path: readonly string[]): string | undefined {
  let value: Value | undefined = args;
  for (const key of path) value = isValueMap(value) ? getOwnValue(value, key) : undefined;
  return value === undefined || value === null || isCollection(value) ? undefined : String(value);
}
