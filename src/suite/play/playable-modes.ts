import { createA2aClientBinding } from '../../attack/bindings/a2a/a2a-client-binding.ts';
import { type A2aServerOptions, a2aServer } from '../../attack/bindings/a2a/a2a-server-binding.ts';
import { agUiClient } from '../../attack/bindings/ag-ui/ag-ui-client-binding.ts';
import { mcpClient } from '../../attack/bindings/mcp/mcp-client-binding.ts';
import { createMcpServerBinding } from '../../attack/bindings/mcp/mcp-server-binding.ts';
import type { ServedEra } from '../../attack/bindings/served-era.ts';
import type { PlayableMode } from '../../attack/engine/run-document.ts';
import type { A2aPeer } from '../../attack/transport/a2a/a2a-client.ts';
import type { A2aServerTransportOptions } from '../../attack/transport/a2a/a2a-server.ts';
import type { Exposure } from '../../attack/transport/exposure/exposure.ts';
import type { InProcessAgent } from '../../attack/transport/in-process-client.ts';
import type { McpPeer, SpokenEra, UrlPeer } from '../../attack/transport/mcp-client/mcp-client-transport.ts';
import type { HttpServerOptions } from '../../attack/transport/mcp-server/streamable-http.ts';
import type { Mode } from '../../format/model/enumeration-types.ts';
import type { NormalizedActor } from '../../format/model/normalized.ts';
import { isValueMap } from '../../format/model/value.ts';
import { getRole, type Role } from '../../format/registry/known-modes.ts';

// Joins each row of the registry with its binding and its transport. A transport is loaded when an actor needs it, so
// that the first answer of a run does not wait for the others.

/** A way to carry messages: HTTP over a socket, gRPC alone, the standard streams of a program, or this process itself. */
export type TransportKind = 'socket' | 'grpc' | 'stdio' | 'memory';

const carriers: ReadonlyMap<Mode, readonly TransportKind[]> = new Map<Mode, readonly TransportKind[]>([
  ['mcp_server', ['socket', 'stdio', 'memory']],
  ['mcp_client', ['socket', 'stdio']],
  ['a2a_server', ['socket']],
  ['a2a_client', ['socket', 'grpc']],
  ['ag_ui_client', ['socket', 'memory']],
]);

/** The transports over which actors of a mode can be reached. */
export function listTransports(mode: Mode): readonly TransportKind[] {
  return carriers.get(mode) ?? [];
}

/** Whether actors of a mode have this role and can be reached over this kind of transport. */
export function isCarried(mode: Mode, role: Role, carrier: TransportKind): boolean {
  return getRole(mode) === role && listTransports(mode).includes(carrier);
}

/** The modes of a role that a kind of transport supports, for people to read. */
export function formatCarriedModes(role: Role, carrier: TransportKind): string {
  return [...carriers.keys()].filter((mode) => isCarried(mode, role, carrier)).join(' and ');
}

/** Whether an actor can get an address to listen on. */
export function canListen({ mode }: NormalizedActor): boolean {
  return isCarried(mode, 'server', 'socket');
}

/** The addresses of servers, and how they listen. */
export interface ServerPlaces {
  /** The address for an actor. Default: a free port of this machine. */
  address(actor: NormalizedActor): { readonly host?: string; readonly port: number } | undefined;
  readonly exposure?: Exposure | undefined;
  readonly a2a?: A2aServerOptions | undefined;
  /** Whether actors that can be served within this process are served there, without a port. */
  readonly inMemory?: boolean | undefined;
  /** The protocol era that servers speak. Default: the peer's. */
  readonly era?: ServedEra | undefined;
}

/** The modes of all server actors. */
export function createServerModes(places: ServerPlaces): readonly PlayableMode[] {
  const { address, exposure, a2a, inMemory, era } = places;
  const place = (actor: NormalizedActor): HttpServerOptions & A2aServerTransportOptions => ({
    ...address(actor),
    exposure,
  });
  return [
    inMemory
      ? {
          binding: createMcpServerBinding(era ?? 'both'),
          transport: async () => (await import('../../attack/transport/mcp-server/in-memory.ts')).createMemoryServer(),
        }
      : mcpServerMode(place, era),
    a2aServerMode({ era, isExposed: exposure !== undefined, ...a2a, transport: place }),
  ];
}

/** `mcp_server` actors over Streamable HTTP; options may differ by actor. */
export function mcpServerMode(
  options: HttpServerOptions | ((actor: NormalizedActor) => HttpServerOptions) = {},
  era: ServedEra = 'both',
): PlayableMode {
  return {
    binding: createMcpServerBinding(era),
    async transport(actor) {
      const { createMcpServer } = await import('../../attack/transport/mcp-server/streamable-http.ts');
      return createMcpServer(typeof options === 'function' ? options(actor) : options);
    },
  };
}

/** How `a2a_server` actors are played. */
export interface A2aServerModeOptions extends A2aServerOptions {
  /** The address and options for listening; they may differ by actor. */
  readonly transport?: A2aServerTransportOptions | ((actor: NormalizedActor) => A2aServerTransportOptions) | undefined;
}

/** `a2a_server` actors over JSON-RPC, HTTP+JSON and gRPC, all on one port. */
export function a2aServerMode({ transport = {}, ...options }: A2aServerModeOptions = {}): PlayableMode {
  return {
    binding: a2aServer(options),
    async transport(actor) {
      const { createA2aServer } = await import('../../attack/transport/a2a/a2a-server.ts');
      return createA2aServer(typeof transport === 'function' ? transport(actor) : transport);
    },
  };
}

/** How `a2a_client` actors are played, and against which agent. */
export interface A2aClientModeOptions {
  /** Whether an actor has an agent to speak to; an actor without one is left out. */
  plays(actor: NormalizedActor): boolean;
  /** The address of that agent; called when the actor begins to speak. */
  target(actor: NormalizedActor): A2aPeer;
  /** Hosts, in addition to the target's, that its card may lead to and push notifications may go to. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The era of A2A to speak. Default: that of the agent's card. */
  readonly era?: SpokenEra | undefined;
}

/** `a2a_client` actors, over the transport that the agent's card prefers. */
export function a2aClientMode({ plays, target, allowedHosts, era }: A2aClientModeOptions): PlayableMode {
  return {
    binding: createA2aClientBinding(allowedHosts),
    plays,
    async transport(actor) {
      const { createA2aClient } = await import('../../attack/transport/a2a/a2a-client.ts');
      return createA2aClient({ target: () => target(actor), allowedHosts, era });
    },
  };
}

/** How `ag_ui_client` actors are played, and against which agent. */
export interface AgUiClientModeOptions {
  /** Whether an actor has an agent to speak to; an actor without one is left out. */
  plays(actor: NormalizedActor): boolean;
  /** That agent: an address, or a function in this process; called when the actor begins to speak. */
  target(actor: NormalizedActor): UrlPeer | InProcessAgent;
}

/** `ag_ui_client` actors over HTTP, where each run is a POST that an event stream answers, or in this process. */
export function agUiClientMode({ plays, target }: AgUiClientModeOptions): PlayableMode {
  return {
    binding: agUiClient,
    plays,
    async transport(actor) {
      const { createRunClient } = await import('../../attack/transport/run-client.ts');
      return createRunClient(() => target(actor));
    },
  };
}

/** How `mcp_client` actors are played, and against which server. */
export interface McpClientModeOptions {
  /** Whether an actor has a server to speak to; an actor without one is left out. */
  plays(actor: NormalizedActor): boolean;
  /** That server; called when the actor begins to speak. */
  target(actor: NormalizedActor): McpPeer;
  /**
   * The era of MCP to speak. Default: the era without sessions if the server speaks it, otherwise the one with a
   * handshake.
   */
  readonly era?: SpokenEra | undefined;
}

/** `mcp_client` actors: over Streamable HTTP, the older HTTP+SSE, or the standard streams of a program. */
export function mcpClientMode({ plays, target, era }: McpClientModeOptions): PlayableMode {
  return {
    binding: mcpClient,
    plays,
    async transport(actor) {
      const { createMcpClient } = await import('../../attack/transport/mcp-client/mcp-client-transport.ts');
      const state = actor.phases[0]?.state;
      const isVersionWritten = isValueMap(state) && state.protocol_version !== undefined;
      return createMcpClient({ target: () => target(actor), era, isVersionWritten });
    },
  };
}
