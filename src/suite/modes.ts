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
import { type A2aPeer, createA2aClient } from '../transport/a2a/client.ts';
import { type A2aServerTransportOptions, createA2aServer } from '../transport/a2a/server.ts';
import type { Exposure } from '../transport/exposure/exposure.ts';
import { createMemoryServer } from '../transport/in-memory.ts';
import {
  createJsonRpcClient,
  type Peer,
  type SpokenEra,
  type UrlPeer,
} from '../transport/json-rpc-client.ts';
import { createRunClient } from '../transport/run-client.ts';
import { createStreamableHttp, type StreamableHttpOptions } from '../transport/streamable-http.ts';
import type { Voice } from '../transport/voice-client.ts';

// Where a row of the registry meets its binding and what carries its messages.

/** What can carry messages: HTTP over a socket, gRPC alone, the standard streams of a program, or this process itself. */
export type Carrier = 'socket' | 'grpc' | 'stdio' | 'memory';

const carriers: ReadonlyMap<Mode, readonly Carrier[]> = new Map<Mode, readonly Carrier[]>([
  ['mcp_server', ['socket', 'stdio', 'memory']],
  ['mcp_client', ['socket', 'stdio']],
  ['a2a_server', ['socket']],
  ['a2a_client', ['socket', 'grpc']],
  ['ag_ui_client', ['socket', 'memory']],
]);

/** What actors of a mode can be met over. */
export function carriersOf(mode: Mode): readonly Carrier[] {
  return carriers.get(mode) ?? [];
}

/** Whether actors of a mode play a role and can do so over a carrier, by an included transport. */
export function isCarried(mode: Mode, role: Role, carrier: Carrier): boolean {
  return roleOf(mode) === role && carriersOf(mode).includes(carrier);
}

/** The modes of a role that a carrier can have, for people to read. */
export function carriedModes(role: Role, carrier: Carrier): string {
  return [...carriers.keys()].filter((mode) => isCarried(mode, role, carrier)).join(' and ');
}

/** Whether an actor can be given an address to listen on. */
export function listens({ mode }: NormalizedActor): boolean {
  return isCarried(mode, 'server', 'socket');
}

/** Where servers are found. */
export interface ServerPlaces {
  /** Where an actor listens; where nothing is said, on a free port of this machine. */
  address(actor: NormalizedActor): { readonly host?: string; readonly port: number } | undefined;
  readonly exposure?: Exposure | undefined;
  readonly a2a?: A2aServerOptions | undefined;
  /** Whether what can be served within this process is served there, and takes no port. */
  readonly inMemory?: boolean | undefined;
  /** The era of their protocols that servers speak; the peer's if left out. */
  readonly era?: ServedEra | undefined;
}

/** All that listen. */
export function serverModes(places: ServerPlaces): readonly PlayableMode[] {
  const { address, exposure, a2a, inMemory, era } = places;
  const place = (actor: NormalizedActor): StreamableHttpOptions & A2aServerTransportOptions => ({
    ...address(actor),
    exposure,
  });
  return [
    inMemory
      ? { binding: mcpServerOf(era ?? 'both'), transport: () => createMemoryServer() }
      : mcpServerMode(place, era),
    a2aServerMode({ era, isExposed: exposure !== undefined, ...a2a, transport: place }),
  ];
}

/** `mcp_server` actors over Streamable HTTP; options may differ from actor to actor. */
export function mcpServerMode(
  options: StreamableHttpOptions | ((actor: NormalizedActor) => StreamableHttpOptions) = {},
  era: ServedEra = 'both',
): PlayableMode {
  return {
    binding: mcpServerOf(era),
    transport: (actor) => createStreamableHttp(typeof options === 'function' ? options(actor) : options),
  };
}

/** How `a2a_server` actors are played. */
export interface A2aServerModeOptions extends A2aServerOptions {
  /** Where actors listen; it may differ from actor to actor. */
  readonly transport?:
    | A2aServerTransportOptions
    | ((actor: NormalizedActor) => A2aServerTransportOptions)
    | undefined;
}

/** `a2a_server` actors over JSON-RPC, HTTP+JSON and gRPC, all on one port. */
export function a2aServerMode({ transport = {}, ...options }: A2aServerModeOptions = {}): PlayableMode {
  return {
    binding: a2aServer(options),
    transport: (actor) => createA2aServer(typeof transport === 'function' ? transport(actor) : transport),
  };
}

/** How `a2a_client` actors are played, and against whom. */
export interface A2aClientModeOptions {
  /** Whether there is an agent for an actor to speak to; one without is left out. */
  plays(actor: NormalizedActor): boolean;
  /** Where that agent is; asked for when the actor begins to speak. */
  target(actor: NormalizedActor): A2aPeer;
  /** Hosts beside the target's that its card may lead to. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The era of A2A to speak in; that of the agent's card if left out. */
  readonly era?: SpokenEra | undefined;
}

/** `a2a_client` actors, over the transport that the agent's card prefers. */
export function a2aClientMode({ plays, target, allowedHosts, era }: A2aClientModeOptions): PlayableMode {
  return {
    binding: a2aClient,
    plays,
    transport: (actor) => createA2aClient({ target: () => target(actor), allowedHosts, era }),
  };
}

/** How `ag_ui_client` actors are played, and against whom. */
export interface AgUiClientOptions {
  /** Whether there is an agent for an actor to speak to; one without is left out. */
  plays(actor: NormalizedActor): boolean;
  /** What that agent is: somewhere, or in this process; asked for when the actor begins to speak. */
  target(actor: NormalizedActor): UrlPeer | Voice;
}

/** `ag_ui_client` actors over HTTP, where each run is a POST that is answered by an event stream, or in this process. */
export function agUiClientMode({ plays, target }: AgUiClientOptions): PlayableMode {
  return {
    binding: agUiClient,
    plays,
    transport: (actor) => createRunClient(() => target(actor)),
  };
}

/** How `mcp_client` actors are played, and against whom. */
export interface McpClientOptions {
  /** Whether there is a server for an actor to speak to; one without is left out. */
  plays(actor: NormalizedActor): boolean;
  /** What that server is; asked for when the actor begins to speak. */
  target(actor: NormalizedActor): Peer;
  /** The era of MCP to speak in; if left out, the one without sessions where the server speaks it, else with a handshake. */
  readonly era?: SpokenEra | undefined;
}

/** `mcp_client` actors: over Streamable HTTP, the older HTTP+SSE, or the standard streams of a program. */
export function mcpClientMode({ plays, target, era }: McpClientOptions): PlayableMode {
  return {
    binding: mcpClient,
    plays,
    transport: (actor) => createJsonRpcClient({ target: () => target(actor), era }),
  };
}
