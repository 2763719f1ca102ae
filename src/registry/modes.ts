import type { Mode, Protocol } from '../model/enumerations.ts';

// A mode is a row. Modes are open, so a look-up may miss; then the name itself says the protocol and the role.

/** Which side of its protocol an actor plays. */
export type Role = 'server' | 'client';

/** What an agent has to serve so that a client can speak to it. */
export type Door = 'ag_ui' | 'mcp' | 'a2a';

/** What an agent is told of a server: an entry among its MCP servers, or where its card is. */
export type Notice = 'mcp_config' | 'agent_card';

interface ModeWords {
  /** How an actor of this mode meets the agent. */
  readonly meets: string;
  /** Who is attacked through it. */
  readonly targets: string;
}

interface ModeRow {
  readonly protocol: Protocol;
  readonly role: Role;
  /** Of clients only. */
  readonly door?: Door;
  /** Of servers only. */
  readonly notice?: Notice;
}

const modes: ReadonlyMap<Mode, ModeRow> = new Map<Mode, ModeRow>([
  [
    'mcp_server',
    {
      protocol: 'mcp',
      role: 'server',
      notice: 'mcp_config',
    },
  ],
  [
    'mcp_client',
    {
      protocol: 'mcp',
      role: 'client',
      door: 'mcp',
    },
  ],
  [
    'a2a_server',
    {
      protocol: 'a2a',
      role: 'server',
      notice: 'agent_card',
    },
  ],
  [
    'a2a_client',
    {
      protocol: 'a2a',
      role: 'client',
      door: 'a2a',
    },
  ],
  [
    'ag_ui_client',
    {
      protocol: 'ag_ui',
      role: 'client',
      door: 'ag_ui',
    },
  ],
]);

/** Apart from the rows, so that the SDK does without them. */
const wordsOfModes: { readonly [mode: Mode]: ModeWords } = {
  mcp_server: { meets: 'listens as an MCP server', targets: 'agents that use MCP servers' },
  mcp_client: { meets: 'connects as an MCP client', targets: 'MCP servers' },
  a2a_server: { meets: 'listens as an A2A agent', targets: 'agents that hand work to other agents over A2A' },
  a2a_client: { meets: 'connects as an A2A client', targets: 'agents that take work over A2A' },
  ag_ui_client: { meets: 'speaks as the user, over AG-UI', targets: 'agents that talk with a user' },
};

/** The mode whose actors speak as the agent's user. */
export const userMode: Mode = 'ag_ui_client';

/** Modes that the included bindings define. */
export function knownModes(): readonly Mode[] {
  return [...modes.keys()];
}

/** What stands before the final `_server` or `_client` is the protocol; the rest is the role. */
function readMode(mode: Mode): Pick<ModeRow, 'protocol' | 'role'> {
  return {
    protocol: mode.replace(/_(server|client)$/, ''),
    role: mode.endsWith('_client') ? 'client' : 'server',
  };
}

export function protocolOf(mode: Mode): Protocol {
  return (modes.get(mode) ?? readMode(mode)).protocol;
}

export function roleOf(mode: Mode): Role {
  return (modes.get(mode) ?? readMode(mode)).role;
}

/** The mode in which a side of a protocol is played, by the convention for names. */
export function modeOf(protocol: Protocol, role: Role): Mode {
  return `${protocol}_${role}`;
}

export function isClientMode(mode: Mode): boolean {
  return roleOf(mode) === 'client';
}

/** The door that actors of a mode need; nothing for servers, and for modes that no included binding defines. */
export function doorOf(mode: Mode): Door | undefined {
  return modes.get(mode)?.door;
}

/** How an agent is told of actors of a mode; nothing for clients, and for modes that no included binding defines. */
export function noticeOf(mode: Mode): Notice | undefined {
  return modes.get(mode)?.notice;
}

export function modeInWords(mode: Mode): ModeWords {
  const words = Object.hasOwn(wordsOfModes, mode) ? wordsOfModes[mode] : undefined;
  const meets = isClientMode(mode) ? 'connects to the agent' : 'listens for the agent';
  return (
    words ?? {
      meets: `${meets}, by a binding that is not included`,
      targets: `agents that speak ${mode}`,
    }
  );
}
