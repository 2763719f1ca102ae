import type { McpConfig, ServedAgent } from '../agent/agent.ts';
import { A2aDoor } from './a2a-door.ts';
import { AgUiDoor, type RunHandler } from './ag-ui-door.ts';
import { BuiltInAgent, type Persona } from './built-in-agent.ts';
import { McpDoor } from './mcp-door.ts';

export interface ServeOptions {
  readonly persona: Persona;
  readonly mcpConfig: McpConfig;
  /** The URLs of the cards of other agents that it may call. */
  readonly a2aCards?: readonly string[] | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

interface Door {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an agent with its doors. A slow MCP server delays a run, not the launch. */
export async function serveAgent(options: ServeOptions): Promise<ServedAgent> {
  const { persona, mcpConfig, a2aCards, host, port, timeoutMs } = options;
  const agent = new BuiltInAgent(persona, mcpConfig, timeoutMs, a2aCards);
  const run: RunHandler = (...given) => agent.run(...given);
  const opened: Door[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(opened.map((door) => door.close()));
  };
  const keep = async (opening: Promise<Door>): Promise<string> => {
    const door = await opening;
    opened.push(door);
    return door.url;
  };
  try {
    const doors = {
      ag_ui: await keep(AgUiDoor.open({ host, port, run })),
      mcp: await keep(McpDoor.open({ host, run })),
      a2a: await keep(A2aDoor.open({ host, run })),
    };
    agent.connect();
    return {
      doors,
      // Everything that it does is part of an answer.
      isSettled: () => true,
      async stop() {
        await closeAll();
        await agent.close();
      },
    };
  } catch (thrown) {
    await closeAll();
    throw thrown;
  }
}
