import type { Mode, Protocol } from '../model/enumeration-types.ts';
import type { SurfaceName } from './piece-kinds.ts';

// The table of modes. Modes are open: for a mode without a row, the name itself gives the protocol and the role.

/** The side of its protocol that an actor plays. */
export type Role = 'server' | 'client';

/** A protocol that an agent must serve so that a client actor can speak to it. */
export type AgentInterface = 'ag_ui' | 'mcp' | 'a2a';

/** How an agent learns of a server actor: by an entry in its MCP configuration, or by the address of an agent card. */
export type Notice = 'mcp_config' | 'agent_card';

interface ModeWords {
  /** How an actor of this mode meets the agent. */
  readonly meets: string;
  /** The agents that an actor of this mode can attack. */
  readonly targets: string;
}

interface ModeRow {
  readonly protocol: Protocol;
  readonly role: Role;
  /** Set for clients only. */
  readonly agentInterface?: AgentInterface;
  /** Set for servers only. */
  readonly notice?: Notice;
  /** Set for servers only: the surface of agents that use such servers. */
  readonly surface?: SurfaceName;
}

const modes: ReadonlyMap<Mode, ModeRow> = new Map<Mode, ModeRow>([
  ['mcp_server', { protocol: 'mcp', role: 'server', notice: 'mcp_config', surface: 'mcp' }],
  ['mcp_client', { protocol: 'mcp', role: 'client', agentInterface: 'mcp' }],
  ['a2a_server', { protocol: 'a2a', role: 'server', notice: 'agent_card', surface: 'a2a' }],
  ['a2a_client', { protocol: 'a2a', role: 'client', agentInterface: 'a2a' }],
  ['ag_ui_client', { protocol: 'ag_ui', role: 'client', agentInterface: 'ag_ui' }],
]);

/** Kept apart from the rows so that the SDK's bundle does not include these texts. */
const wordsOfModes: { readonly [mode: Mode]: ModeWords } = {
  mcp_server: { meets: 'listens as an MCP server', targets: 'agents that use MCP servers' },
  mcp_client: { meets: 'connects as an MCP client', targets: 'MCP servers' },
  a2a_server: { meets: 'listens as an A2A agent', targets: 'agents that hand work to other agents over A2A' },
  a2a_client: { meets: 'connects as an A2A client', targets: 'agents that take work over A2A' },
  ag_ui_client: { meets: 'speaks as the user, over AG-UI', targets: 'agents that talk with a user' },
};

/** The mode whose actors speak as the agent's user. */
export const userMode: Mode = 'ag_ui_client';

/** The modes that the included bindings define. */
export function knownModes(): readonly Mode[] {
  return [...modes.keys()];
}

/** Reads an unknown mode: the ending `_server` or `_client` is the role, the rest is the protocol. */
function readMode(mode: Mode): Pick<ModeRow, 'protocol' | 'role'> {
  return {
    protocol: mode.replace(/_(server|client)$/, ''),
    role: mode.endsWith('_client') ? 'client' : 'server',
  };
}

/** The protocol of a mode: its name without the final `_server` or `_client`. */
export function getProtocol(mode: Mode): Protocol {
  return (modes.get(mode) ?? readMode(mode)).protocol;
}

export function getRole(mode: Mode): Role {
  return (modes.get(mode) ?? readMode(mode)).role;
}

/** The mode for a side of a protocol, by the naming convention. */
export function composeMode(protocol: Protocol, role: Role): Mode {
  return `${protocol}_${role}`;
}

export function isClientMode(mode: Mode): boolean {
  return getRole(mode) === 'client';
}

/** The interface that an agent needs for actors of a mode; undefined for servers and for modes without a row. */
export function findAgentInterface(mode: Mode): AgentInterface | undefined {
  return modes.get(mode)?.agentInterface;
}

/** Whether an actor of this mode speaks to the agent in messages, as a user or another agent does. */
export function speaksInMessages(mode: Mode): boolean {
  return isClientMode(mode) && findAgentInterface(mode) !== 'mcp';
}

/** How an agent learns of actors of a mode; undefined for clients and for modes without a row. */
export function findNotice(mode: Mode): Notice | undefined {
  return modes.get(mode)?.notice;
}

/** The surface that an agent needs for actors of a mode; undefined for clients and for modes without a row. */
export function findModeSurface(mode: Mode): SurfaceName | undefined {
  return modes.get(mode)?.surface;
}

export function describeMode(mode: Mode): ModeWords {
  const words = Object.hasOwn(wordsOfModes, mode) ? wordsOfModes[mode] : undefined;
  const meets = isClientMode(mode) ? 'connects to the agent' : 'listens for the agent';
  return (
    words ?? {
      meets: `${meets}, by a binding that is not included`,
      targets: `agents that speak ${mode}`,
    }
  );
}
