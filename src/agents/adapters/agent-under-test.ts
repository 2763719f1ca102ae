import type { Endpoint } from '../../attack/engine/ports.ts';
import type { InProcessAgent } from '../../attack/transport/in-process-client.ts';
import type { UrlPeer } from '../../attack/transport/mcp-client/mcp-client-transport.ts';
import type { PlannedStep } from '../../format/model/user-plan.ts';

export type { Endpoint, InProcessAgent };

/** The configuration shape that MCP clients share for listing servers. */
export interface McpConfig {
  readonly mcpServers: { readonly [name: string]: { readonly type: 'http'; readonly url: string } };
}

/** The information that an agent under test gets before it is attacked: what any agent gets from its user. */
export interface Briefing {
  /** The endpoint of each server actor, by actor name. */
  readonly endpoints: { readonly [actor: string]: Endpoint };
  readonly mcpConfig: McpConfig;
  /** The URLs of the cards of other agents that it may call. */
  readonly a2aCards: readonly string[];
  /** The time that the run may take from now on. */
  readonly withinMs?: number | undefined;
}

/** An agent that can be attacked. */
export interface AgentUnderTest {
  readonly name: string;
  readonly kind: string;
  /** The protocols of the addresses at which it is reached. */
  readonly speaks: readonly (keyof AgentAddresses)[];
  /** Kinds of pieces that it cannot receive, whatever the document says. */
  readonly lacks?: readonly string[] | undefined;
  /** Surfaces that it lacks according to its configuration. */
  readonly without?: readonly string[] | undefined;
  /** The only MCP era that it meets, if a suite is played in each era. */
  readonly era?: 'legacy' | 'modern' | undefined;
  /** Whether it learns the addresses of a run's servers. An agent that is already running does not. */
  readonly isTold: boolean;
  /** Whether runs must not overlap, because the agent can know the servers of only one run. */
  readonly isOneAtATime?: boolean | undefined;
  /** Whether it keeps its memory from run to run, so that each run must be a conversation of its own. */
  readonly remembers?: boolean | undefined;
  /** Its address, for people to read; absent if it has none before it is launched. */
  readonly place?: string | undefined;
  /** The prompt of its user, if neither the document nor the caller sets one. */
  readonly prompt?: string | undefined;
  /** Why its program cannot be run, as far as that shows without launching it. */
  findLaunchProblem?(): string | undefined;
  /** Resolves once the agent accepts messages. One launch serves one run, so that runs do not see each other. */
  launch(briefing: Briefing): Promise<RunningAgent>;
  /** The same agent, but it follows these steps. Only the built-in agents do: no other agent may know them. */
  readonly followPlan?: ((steps: readonly PlannedStep[]) => AgentUnderTest) | undefined;
  /** Stops what was started once for all runs; called after the last run. */
  close?(): Promise<void>;
}

/** An agent that was launched for one run. */
export interface RunningAgent {
  /** The addresses at which client actors reach it. */
  readonly addresses: AgentAddresses;
  /** The tokens that its model has used so far, if it counts them. */
  usage?(): Usage;
  /** Whether it will do nothing more until it gets another message. Absent if that cannot be known. */
  isSettled?(): boolean;
  /** What could not be passed on to it from the user side, so that it has not seen the whole attack. */
  missed?(): string | undefined;
  /** Why it could not act at all, such as a model service that cannot be reached or that refuses access. */
  absent?(): string | undefined;
  /** Called whenever the agent sent something to a server of the run: what it left running is then still at work. */
  heard?(): void;
  /** What it left running when it had ended, so that it could still have acted. */
  left?(): string | undefined;
  /** Secrets that it was given and that must not be stored. Evaluation still sees them. */
  readonly secrets?: readonly string[] | undefined;
  /** Facts about its program, if it is a program that was launched. */
  program?(): ProgramFacts | undefined;
  /** The steps of the document's plan that it could not make, and why. Only the built-in agents follow plans. */
  skipped?(): readonly string[];
  /** Whether its program was ended because it exceeded a limit; how it ended then says nothing about the agent. */
  wasCut?(): boolean;
  /** The resources that its program used, and the limit that it exceeded. */
  health?(): AgentHealth | undefined;
  /** Ends everything that the launch started; resolves when none of it is left. */
  stop(): Promise<void>;
}

/** The tokens that an agent's model has used. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the given prices; absent without prices. */
  readonly cost?: number;
}

/** The resources that a supervised program used. */
export interface AgentHealth {
  /** The highest memory seen for the program and its child processes together. */
  readonly memoryBytes?: number;
  /** The limit that it exceeded, so that it was ended. */
  readonly cut?: 'time' | 'memory' | 'output';
  /** The same in words. */
  readonly why?: string;
}

/** How the agent's program ended, as far as a run needs it for an explanation. */
export interface ProgramFacts {
  /** The exit code of the last launch; absent while it runs and if a signal ended it. */
  readonly exitCode?: number;
  readonly signal?: string;
  /** The end of its standard error. */
  readonly stderr: string;
}

/** Addresses by protocol; a protocol that the agent does not speak is absent. */
export interface AgentAddresses {
  readonly ag_ui?: string | UrlPeer | InProcessAgent;
  readonly mcp?: string | UrlPeer;
  readonly a2a?: string | UrlPeer;
}

/** An agent that listens on this machine. */
export interface ServedAgent extends RunningAgent {
  readonly addresses: { readonly [D in keyof AgentAddresses]: string };
}
