interface ModeWords {
  /** How an actor of this mode meets the agent. */
  readonly meets: string;
  /** Who is attacked through it. */
  readonly targets: string;
}

const modes: { readonly [mode: string]: ModeWords } = {
  mcp_server: { meets: 'listens as an MCP server', targets: 'agents that use MCP servers' },
  mcp_client: { meets: 'connects as an MCP client', targets: 'MCP servers' },
  a2a_server: { meets: 'listens as an A2A agent', targets: 'agents that hand work to other agents over A2A' },
  a2a_client: { meets: 'connects as an A2A client', targets: 'agents that take work over A2A' },
  ag_ui_client: { meets: 'speaks as the user, over AG-UI', targets: 'agents that talk with a user' },
};

export function modeInWords(mode: string): ModeWords {
  const known = Object.hasOwn(modes, mode) ? modes[mode] : undefined;
  const meets = isClient(mode) ? 'connects to the agent' : 'listens for the agent';
  return (
    known ?? { meets: `${meets}, by a binding that is not included`, targets: `agents that speak ${mode}` }
  );
}

export function isClient(mode: string): boolean {
  return mode.endsWith('_client');
}
