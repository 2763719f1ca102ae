import type { McpConfig, ServedAgent } from '../adapters/agent-under-test.ts';
import { A2aInterface } from './a2a-interface.ts';
import { AgUiInterface, type RunHandler } from './ag-ui-interface.ts';
import { type Persona, PersonaAgent } from './built-in-agent.ts';
import { McpInterface } from './mcp-interface.ts';

/** The peers that an agent may call, and the address at which it listens. */
export interface ServeAddresses {
  readonly mcpConfig: McpConfig;
  /** The URLs of the cards of other agents. */
  readonly a2aCards?: readonly string[] | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
}

export interface ServeOptions extends ServeAddresses {
  readonly persona: Persona;
  readonly timeoutMs?: number | undefined;
}

interface ServedInterface {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an agent with its interfaces. A slow MCP server delays a run, not the launch. */
export async function serveAgent(options: ServeOptions): Promise<ServedAgent> {
  const { persona, mcpConfig, a2aCards, host, port, timeoutMs } = options;
  const { follower } = persona;
  const agent = new PersonaAgent(persona, mcpConfig, timeoutMs, a2aCards);
  const run: RunHandler = (...given) => agent.run(...given);
  const opened: ServedInterface[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(opened.map((each) => each.close()));
  };
  const keep = async (opening: Promise<ServedInterface>): Promise<string> => {
    const served = await opening;
    opened.push(served);
    return served.url;
  };
  try {
    const addresses = {
      ag_ui: await keep(AgUiInterface.open({ host, port, run })),
      mcp: await keep(McpInterface.open({ host, run })),
      a2a: await keep(A2aInterface.open({ host, run })),
    };
    agent.connect();
    return {
      addresses,
      // Everything that it does is part of an answer.
      isSettled: () => true,
      ...(follower !== undefined && { skipped: () => follower.skipped }),
      absent: () => agent.absence,
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
