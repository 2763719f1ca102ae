import type { McpConfig, RunningAgent } from '../agent.ts';
import { AgUiDoor } from './ag-ui-door.ts';
import { BuiltInAgent, type Persona } from './built-in-agent.ts';

export interface ServeOptions {
  readonly persona: Persona;
  readonly mcpConfig: McpConfig;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/** An agent behind its door. Servers that are slow to be reached hold up a run, not the launch. */
export async function serveAgent(options: ServeOptions): Promise<RunningAgent> {
  const { persona, mcpConfig, host, port, timeoutMs } = options;
  const agent = new BuiltInAgent(persona, mcpConfig, timeoutMs);
  const door = await AgUiDoor.open({ host, port, run: (...run) => agent.run(...run) });
  agent.connect();
  return {
    doors: { ag_ui: door.url },
    async stop() {
      await door.close();
      await agent.close();
    },
  };
}
