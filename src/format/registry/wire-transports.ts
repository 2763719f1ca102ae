import type { Mode, Protocol } from '../model/enumeration-types.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { getProtocol, getRole, type Role } from './known-modes.ts';

// The behaviours of `x-wire`, and the transports that can carry out each. `validate` warns by this table, and the
// contract suite checks every transport against it.

interface TransportRow {
  readonly protocol: Protocol;
  readonly role: Role;
  /** The name of the transport, for people. */
  readonly words: string;
}

const defineServer = (protocol: Protocol, words: string): TransportRow => ({
  protocol,
  role: 'server',
  words,
});
const defineClient = (protocol: Protocol, words: string): TransportRow => ({
  protocol,
  role: 'client',
  words,
});

/** The transports, distinguished as far as it matters to how messages can be sent. */
export const wireTransports = {
  'mcp-http': defineServer('mcp', 'MCP over HTTP'),
  'mcp-sse': defineServer('mcp', 'MCP over HTTP+SSE'),
  'mcp-stdio': defineServer('mcp', 'MCP over stdio'),
  'mcp-memory': defineServer('mcp', 'MCP in memory'),
  'a2a-json-rpc': defineServer('a2a', 'A2A over JSON-RPC'),
  'a2a-stream': defineServer('a2a', 'A2A over JSON-RPC, streamed'),
  'a2a-rest': defineServer('a2a', 'A2A over HTTP+JSON'),
  'a2a-grpc': defineServer('a2a', 'A2A over gRPC'),
  'a2a-grpc-stream': defineServer('a2a', 'A2A over gRPC, streamed'),
  'mcp-client-http': defineClient('mcp', 'MCP client over HTTP'),
  'mcp-client-stdio': defineClient('mcp', 'MCP client over stdio'),
  'a2a-client-json-rpc': defineClient('a2a', 'A2A client over JSON-RPC'),
  'a2a-client-rest': defineClient('a2a', 'A2A client over HTTP+JSON'),
  'a2a-client-grpc': defineClient('a2a', 'A2A client over gRPC'),
  'ag-ui-client-http': defineClient('ag_ui', 'AG-UI client over HTTP'),
  'ag-ui-client-memory': defineClient('ag_ui', 'AG-UI client in memory'),
} as const satisfies { readonly [name: string]: TransportRow };

export type WireTransport = keyof typeof wireTransports;
type WireTransports = readonly WireTransport[];

const everybody = Object.keys(wireTransports) as WireTransports;
const clients = everybody.filter((each) => wireTransports[each].role === 'client');
const servers = everybody.filter((each) => wireTransports[each].role === 'server');
const mcpServers: WireTransports = ['mcp-http', 'mcp-sse', 'mcp-stdio', 'mcp-memory'];
const mcpClients: WireTransports = ['mcp-client-http', 'mcp-client-stdio'];
const a2aHttp: WireTransports = ['a2a-json-rpc', 'a2a-stream', 'a2a-rest'];
const wholeHttp: WireTransports = ['mcp-http', 'a2a-json-rpc', 'a2a-rest'];
const clientsHttp: WireTransports = ['mcp-client-http', 'a2a-client-json-rpc', 'a2a-client-rest', 'ag-ui-client-http'];
const bytes: WireTransports = [...mcpServers, ...a2aHttp, ...clientsHttp, 'mcp-client-stdio'];
const connections: WireTransports = [
  'mcp-http',
  'mcp-sse',
  'mcp-stdio',
  ...a2aHttp,
  ...clientsHttp,
  'mcp-client-stdio',
];
const streams: WireTransports = ['mcp-http', ...a2aHttp];

/**
 * The transports that can carry out each behaviour. A behaviour is a key of a rule, or a key with its value
 * (`stream.endless`).
 */
export const wireBehaviours: { readonly [behaviour: string]: WireTransports } = {
  delay: everybody,
  drop: servers,
  error: servers,
  repeat: [...mcpServers, 'a2a-stream', 'a2a-grpc-stream', ...clients],
  id: [...mcpServers, 'a2a-json-rpc', 'a2a-stream'],
  'hold.next': servers,
  'hold.cancelled': mcpServers,
  flood: [...mcpServers, ...mcpClients],
  pages: mcpServers,
  batch: [...mcpServers, ...mcpClients],
  // A stream may have sent its head before the answer, so these apply only to answers in one piece and to requests.
  'http.status': wholeHttp,
  'http.headers': [...wholeHttp, ...clientsHttp],
  'http.content_type': [...wholeHttp, ...clientsHttp],
  'http.compress': [...wholeHttp, ...clientsHttp],
  'bytes.cut': bytes,
  'bytes.corrupt': bytes,
  'bytes.repeat_key': bytes,
  'frame.no_newline': ['mcp-stdio', 'mcp-client-stdio'],
  'frame.newline_inside': ['mcp-stdio', 'mcp-client-stdio'],
  pace: connections,
  'end.before': connections,
  'end.during': connections,
  'end.after': connections,
  'end.answering': clientsHttp,
  'read.slowly': [...clientsHttp, 'mcp-client-stdio'],
  'read.none': [...clientsHttp, 'mcp-client-stdio'],
  'stream.endless': [...streams, 'a2a-grpc-stream'],
  'stream.silent': servers.filter((each) => each !== 'mcp-memory'),
  'stream.comments': [...streams, 'mcp-sse'],
  sse: ['mcp-http', 'mcp-sse', 'a2a-stream'],
  'grpc.status': ['a2a-grpc', 'a2a-grpc-stream'],
  'grpc.trailers': ['a2a-grpc', 'a2a-grpc-stream'],
  as: clients,
  together: clients,
};

/** The behaviours that a key of a rule asks for, each with its place in the rule. */
export function listBehaviours(
  action: string,
  value: Value,
): readonly { readonly behaviour: string; readonly at: readonly string[] }[] {
  if (action === 'end') {
    const when = isValueMap(value) && typeof value.when === 'string' ? value.when : undefined;
    return [{ behaviour: `end.${when ?? 'during'}`, at: when === undefined ? [action] : [action, 'when'] }];
  }
  if (action === 'read') return [{ behaviour: value === 'none' ? 'read.none' : 'read.slowly', at: [action] }];
  if (typeof value === 'string' && Object.hasOwn(wireBehaviours, `${action}.${value}`))
    return [{ behaviour: `${action}.${value}`, at: [action] }];
  if (!isValueMap(value) || Object.hasOwn(wireBehaviours, action)) return [{ behaviour: action, at: [action] }];
  return Object.keys(value).map((key) => ({ behaviour: `${action}.${key}`, at: [action, key] }));
}

/** Whether an actor of the mode can have a behaviour over any transport. True for an unknown behaviour: another check reports it. */
export function canDo(mode: Mode, behaviour: string): boolean {
  const transports = Object.hasOwn(wireBehaviours, behaviour) ? wireBehaviours[behaviour] : undefined;
  return (
    transports?.some((transport) => {
      const { protocol, role } = wireTransports[transport];
      return protocol === getProtocol(mode) && role === getRole(mode);
    }) ?? true
  );
}
