import { a2aClient } from '../bindings/a2a/client.ts';
import { type A2aServerOptions, a2aServer } from '../bindings/a2a/server.ts';
import { agUiClient } from '../bindings/ag-ui/client.ts';
import { mcpClient } from '../bindings/mcp/client.ts';
import { mcpServerOf } from '../bindings/mcp/server.ts';
import type { ServedEra } from '../bindings/served-era.ts';
import type { PlayableMode } from '../engine/run.ts';
import type { Mode } from '../model/enumerations.ts';
import type { NormalizedActor } from '../model/normalized.ts';
import { type Role, roleOf } from '../registry/modes.ts';
import type { A2aPeer } from '../transport/a2a/client.ts';
import type { A2aServerTransportOptions } from '../transport/a2a/server.ts';
import type { Exposure } from '../transport/exposure/exposure.ts';
import type { Peer, SpokenEra, UrlPeer } from '../transport/json-rpc-client.ts';
import type { StreamableHttpOptions } from '../transport/streamable-http.ts';
import type { Voice } from '../transport/voice-client.ts';

// Joins each row of the registry with its binding and its transport. A transport is loaded when an actor needs it, so
// that the first answer of a run does not wait for the others.

/** A way to carry messages: HTTP over a socket, gRPC alone, the standard streams of a program, or this process itself. */
export type Carrier = 'socket' | 'grpc' | 'stdio' | 'memory';

const carriers: ReadonlyMap<Mode, readonly Carrier[]> = new Map<Mode, readonly Carrier[]>([
  ['mcp_server', ['socket', 'stdio', 'memory']],
  ['mcp_client', ['socket', 'stdio']],
  ['a2a_server', ['socket']],
  ['a2a_client', ['socket', 'grpc']],
  ['ag_ui_client', ['socket', 'memory']],
]);

/** The carriers over which actors of a mode can be reached. */
export function carriersOf(mode: Mode): readonly Carrier[] {
  return carriers.get(mode) ?? [];
}

/** Tells whether actors of a mode have this role and an included transport for this carrier. */
export function isCarried(mode: Mode, role: Role, carrier: Carrier): boolean {
  return roleOf(mode) === role && carriersOf(mode).includes(carrier);
}

/** The modes of a role that a carrier supports, for people to read. */
export function carriedModes(role: Role, carrier: Carrier): string {
  return [...carriers.keys()].filter((mode) => isCarried(mode, role, carrier)).join(' and ');
}

/** Tells whether an actor can be given an address to listen on. */
export function listens({ mode }: NormalizedActor): boolean {
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
export function serverModes(places: ServerPlaces): readonly PlayableMode[] {
  const { address, exposure, a2a, inMemory, era } = places;
  const place = (actor: NormalizedActor): StreamableHttpOptions & A2aServerTransportOptions => ({
    ...address(actor),
    exposure,
  });
  return [
    inMemory
      ? {
          binding: mcpServerOf(era ?? 'both'),
          transport: async () => (await import('../transport/in-memory.ts')).createMemoryServer(),
        }
      : mcpServerMode(place, era),
    a2aServerMode({ era, isExposed: exposure !== undefined, ...a2a, transport: place }),
  ];
}

/** `mcp_server` actors over Streamable HTTP; options may differ by actor. */
export function mcpServerMode(
  options: StreamableHttpOptions | ((actor: NormalizedActor) => StreamableHttpOptions) = {},
  era: ServedEra = 'both',
): PlayableMode {
  return {
    binding: mcpServerOf(era),
    async transport(actor) {
      const { createStreamableHttp } = await import('../transport/streamable-http.ts');
      return createStreamableHttp(typeof options === 'function' ? options(actor) : options);
    },
  };
}

/** How `a2a_server` actors are played. */
export interface A2aServerModeOptions extends A2aServerOptions {
  /** The address and options for listening; they may differ by actor. */
  readonly transport?:
    | A2aServerTransportOptions
    | ((actor: NormalizedActor) => A2aServerTransportOptions)
    | undefined;
}

/** `a2a_server` actors over JSON-RPC, HTTP+JSON and gRPC, all on one port. */
export function a2aServerMode({ transport = {}, ...options }: A2aServerModeOptions = {}): PlayableMode {
  return {
    binding: a2aServer(options),
    async transport(actor) {
      const { createA2aServer } = await import('../transport/a2a/server.ts');
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
  /** Hosts, in addition to the target's, that its card may lead to. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The era of A2A to speak. Default: that of the agent's card. */
  readonly era?: SpokenEra | undefined;
}

/** `a2a_client` actors, over the transport that the agent's card prefers. */
export function a2aClientMode({ plays, target, allowedHosts, era }: A2aClientModeOptions): PlayableMode {
  return {
    binding: a2aClient,
    plays,
    async transport(actor) {
      const { createA2aClient } = await import('../transport/a2a/client.ts');
      return createA2aClient({ target: () => target(actor), allowedHosts, era });
    },
  };
}

/** How `ag_ui_client` actors are played, and against which agent. */
export interface AgUiClientOptions {
  /** Whether an actor has an agent to speak to; an actor without one is left out. */
  plays(actor: NormalizedActor): boolean;
  /** That agent: an address, or a function in this process; called when the actor begins to speak. */
  target(actor: NormalizedActor): UrlPeer | Voice;
}

/** `ag_ui_client` actors over HTTP, where each run is a POST that an event stream answers, or in this process. */
export function agUiClientMode({ plays, target }: AgUiClientOptions): PlayableMode {
  return {
    binding: agUiClient,
    plays,
    async transport(actor) {
      const { createRunClient } = await import('../transport/run-client.ts');
      return createRunClient(() => target(actor));
    },
  };
}

/** How `mcp_client` actors are played, and against which server. */
export interface McpClientOptions {
  /** Whether an actor has a server to speak to; an actor without one is left out. */
  plays(actor: NormalizedActor): boolean;
  /** That server; called when the actor begins to speak. */
  target(actor: NormalizedActor): Peer;
  /**
   * The era of MCP to speak. Default: the era without sessions if the server speaks it, otherwise the one with a
   * handshake.
   */
  readonly era?: SpokenEra | undefined;
}

/** `mcp_client` actors: over Streamable HTTP, the older HTTP+SSE, or the standard streams of a program. */
export function mcpClientMode({ plays, target, era }: McpClientOptions): PlayableMode {
  return {
    binding: mcpClient,
    plays,
    async transport(actor) {
      const { createJsonRpcClient } = await import('../transport/json-rpc-client.ts');
      return createJsonRpcClient({ target: () => target(actor), era });
    },
  };
}
