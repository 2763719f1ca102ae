import type { Endpoint } from '../engine/ports.ts';
import type { UrlPeer } from '../transport/json-rpc-client.ts';
import type { Voice } from '../transport/voice-client.ts';

export type { Endpoint, Voice };

/** The shape that MCP clients have agreed on for telling an agent of its servers. */
export interface McpConfig {
  readonly mcpServers: { readonly [name: string]: { readonly type: 'http'; readonly url: string } };
}

/** What an agent under test is told before it is attacked: the same as any agent is told by its user. */
export interface Briefing {
  /** Where each actor that listens is, by its name. */
  readonly endpoints: { readonly [actor: string]: Endpoint };
  readonly mcpConfig: McpConfig;
  /** Where the cards of other agents are that it may ask. */
  readonly a2aCards: readonly string[];
  /** How long the run may last from now on. */
  readonly withinMs?: number | undefined;
}

/** Something that can be attacked. */
export interface AgentUnderTest {
  readonly name: string;
  readonly kind: string;
  /** The protocols of its doors. */
  readonly speaks: readonly (keyof Doors)[];
  /** Kinds of pieces that it cannot be handed, whatever the document says. */
  readonly lacks?: readonly string[] | undefined;
  /** Surfaces that it is without, by its configuration. */
  readonly without?: readonly string[] | undefined;
  /** The one era of MCP that it meets, where a suite is played in each. */
  readonly era?: 'legacy' | 'modern' | undefined;
  /** Whether it learns of a run's servers; one that was started by somebody else does not. */
  readonly isTold: boolean;
  /** Whether a run must be over before the next begins, since the agent can be told of one only. */
  readonly isOneAtATime?: boolean | undefined;
  /** Whether it goes on from run to run with what it remembers, so that each has to be a conversation of its own. */
  readonly remembers?: boolean | undefined;
  /** Where it is spoken to, for people to read; absent for one that is nowhere before it is launched. */
  readonly place?: string | undefined;
  /** What its user says where the document leaves that open, and nobody has said otherwise. */
  readonly prompt?: string | undefined;
  /** Resolves once the agent can be spoken to. One launch serves one run, so that no run sees another. */
  launch(briefing: Briefing): Promise<RunningAgent>;
  /** Ends what was started once for all runs; called when there will be no more. */
  close?(): Promise<void>;
}

/** An agent that was launched for one run. */
export interface RunningAgent {
  /** Where client actors reach it. */
  readonly doors: Doors;
  /** What its model has taken so far, where it counts. */
  usage?(): Usage;
  /** Whether it does nothing more until it is spoken to again; left out where nobody can know. */
  isSettled?(): boolean;
  /** What of the user's side could not be handed to it, so that it has not seen all of the attack. */
  missed?(): string | undefined;
  /** What it was given and must not be stored; evaluation sees it all the same. */
  readonly secrets?: readonly string[] | undefined;
  /** What was seen of its program, where it is one that is launched. */
  program?(): ProgramFacts | undefined;
  /** Whether its program was ended because it took more than it may, so that how it ended is not its own doing. */
  wasCut?(): boolean;
  /** What its program took, and what it took too much of. */
  health?(): AgentHealth | undefined;
  /** Ends everything the launch began; resolves when nothing of it is left. */
  stop(): Promise<void>;
}

/** What an agent's model has taken. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the prices that were given, where they were. */
  readonly cost?: number;
}

/** What was seen of a program that is watched. */
export interface AgentHealth {
  /** The most memory that it and all that it had started were seen to take. */
  readonly memoryBytes?: number;
  /** What it took more of than it may, so that it was ended. */
  readonly cut?: 'time' | 'memory' | 'output';
  /** The same in words. */
  readonly why?: string;
}

/** How the agent's program went, as far as the run needs to explain it. */
export interface ProgramFacts {
  /** Of the last launch; nothing while it runs, and where it was ended by a signal. */
  readonly exitCode?: number;
  readonly signal?: string;
  /** The end of what it wrote to its standard error. */
  readonly stderr: string;
}

/** Addresses by protocol; one that the agent does not speak is absent. */
export interface Doors {
  readonly ag_ui?: string | UrlPeer | Voice;
  readonly mcp?: string | UrlPeer;
  readonly a2a?: string | UrlPeer;
}

/** An agent that listens on this machine. */
export interface ServedAgent extends RunningAgent {
  readonly doors: { readonly [D in keyof Doors]: string };
}
