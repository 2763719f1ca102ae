// MCP since 2026-07-28: no handshake and no session. Every request says who asks, and stands alone.

/** The era, named after the version that it begins with. */
export const mcp2026 = '2026-07-28';

/** Keys of `_meta` that belong to the protocol. */
export const metaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The extension by which a call can become a task. */
export const mcpTasks = 'io.modelcontextprotocol/tasks';

export const mcp2026Error = {
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** The HTTP status of an answer that is an error; any other error is an answer like any other. */
export const mcp2026Status: ReadonlyMap<unknown, number> = new Map([
  [mcp2026Error.headerMismatch, 400],
  [mcp2026Error.missingCapability, 400],
  [mcp2026Error.unsupportedVersion, 400],
  [-32601, 404],
]);

/** Ways of sending that the protocol forbids and a document may order: on the stream of a response to something else; */
export const withinResponse = 'within response';
/** a question in the result of any request. */
export const inAnyResult = 'in any result';

/** Results that a client may keep for a while. */
export const cacheableMethods: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** Requests that may be answered with questions, and are then asked again with the answers. */
export const questionableMethods: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
]);

/** What a server may ask within the answer to a request. */
export const questionMethods: ReadonlySet<string> = new Set([
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
]);

/** The part of a subscription that a notification belongs to. */
export const subscriptionKeys: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
  ['notifications/resources/updated', 'resourceSubscriptions'],
  ['notifications/tasks', 'taskIds'],
]);
