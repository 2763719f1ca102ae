import type { Usage } from './built-in/model.ts';

export type { Usage };

/** The shape that MCP clients have agreed on for telling an agent of its servers. */
export interface McpConfig {
  readonly mcpServers: { readonly [name: string]: { readonly type: 'http'; readonly url: string } };
}

/** What an agent under test is told before it is attacked: the same as any agent is told by its user. */
export interface Briefing {
  readonly mcpConfig: McpConfig;
  /** Where the cards of other agents are that it may ask. */
  readonly a2aCards: readonly string[];
}

/** Something that can be attacked. */
export interface AgentUnderTest {
  readonly name: string;
  readonly kind: string;
  /** The protocols of its doors. */
  readonly speaks: readonly (keyof Doors)[];
  /** Whether it learns of a run's servers; one that was started by somebody else does not. */
  readonly isTold: boolean;
  /** Resolves once the agent can be spoken to. One launch serves one run, so that no run sees another. */
  launch(briefing: Briefing): Promise<RunningAgent>;
}

export interface RunningAgent {
  /** Where client actors reach it. */
  readonly doors: Doors;
  /** What its model has taken so far, where it counts. */
  usage?(): Usage;
  /** Ends everything the launch began; resolves when nothing of it is left. */
  stop(): Promise<void>;
}

/** Addresses by protocol; one that the agent does not speak is absent. */
export interface Doors {
  readonly ag_ui?: string;
  readonly mcp?: string;
  readonly a2a?: string;
}
