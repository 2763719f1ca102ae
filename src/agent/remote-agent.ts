import type { AgentUnderTest } from './agent.ts';

/** An agent that is already running and speaks AG-UI. It is neither launched nor told anything, and never ended. */
export function remoteAgent(name: string, url: string): AgentUnderTest {
  return {
    name,
    kind: 'ag-ui',
    speaks: ['ag_ui'],
    isTold: false,
    launch: async () => ({ doors: { ag_ui: url }, stop: async () => {} }),
  };
}
