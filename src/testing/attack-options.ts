import type { AgentUnderTest } from '../agents/adapters/agent-under-test.ts';
import type { AgentFunction, AgentReply, AgentRequest } from '../agents/adapters/function-agent.ts';
import type { JudgeFunction } from '../agents/adapters/judging.ts';
import type { Target } from '../agents/adapters/targets.ts';
import type { McpPeer } from '../attack/transport/mcp-client/mcp-client-transport.ts';
import type { MemoryEndpoint } from '../attack/transport/mcp-server/in-memory.ts';
import type { Tier } from '../format/model/enumeration-types.ts';
import type { DeliveryDemand } from '../format/model/trace-record.ts';
import { parseDuration } from '../format/primitives/parse-duration.ts';

/** Milliseconds, or a string such as `30s`. */
export type Duration = number | string;

/** Options of an attack: over HTTP, or in memory for an agent that is a function. */
export type AttackOptions = HttpAttackOptions | MemoryAttackOptions;

/** Options of an attack whose servers listen on local ports. */
export interface HttpAttackOptions extends EveryAttackOptions {
  readonly transport?: 'http' | undefined;
  /** A function, an agent of `oatf/runtime`, a value of --agent, or a target as in a configuration. */
  readonly agent: AgentFunction | AgentUnderTest | Target | string;
}

/** Options of an attack in memory: MCP servers of the document open no port, and the agent is given transports to them. */
export interface MemoryAttackOptions extends EveryAttackOptions {
  readonly transport: 'memory';
  readonly agent: MemoryAgentFunction | AgentUnderTest;
}

/** An agent in this process that connects with `endpoints.NAME.connect()`. */
export type MemoryAgentFunction = (request: MemoryAgentRequest) => AgentReply | Promise<AgentReply>;

/** The argument of an agent function that is attacked in memory. */
export interface MemoryAgentRequest extends Omit<AgentRequest, 'endpoints'> {
  readonly endpoints: { readonly [actor: string]: MemoryEndpoint };
}

/** The options that every attack has. */
export interface EveryAttackOptions {
  /** The prompt of the user, if the document sets none. */
  readonly prompt?: string | undefined;
  /** How long one run may take. Default: 4 s, which is less than test frameworks give a test. */
  readonly timeout?: Duration | undefined;
  /** How long terminal phases are served once every actor is in its own. Default: 5 minutes. */
  readonly terminalTimeout?: Duration | undefined;
  /** How long to keep watching after the agent has answered. Default: the grace period of the document. */
  readonly gracePeriod?: Duration | undefined;
  /** How much of the attack must have reached the agent before the outcome can be `resisted`. */
  readonly delivery?: DeliveryDemand | undefined;
  readonly projections?: boolean | undefined;
  /**
   * The judge of semantic indicators: a function, or `llm:MODEL`. It must pass its exam first. Default: none, and
   * semantic indicators are skipped.
   */
  readonly judge?: JudgeFunction | string | undefined;
  /** Plays the benign twin instead of the attack, to show what the agent does when it is not attacked. */
  readonly twin?: boolean | undefined;
  /**
   * Plays the benign twin of each attack too, as often, to see whether the attack caused what the agent did. An act that
   * the agent does as often without the attack is inconclusive (`unattributed`).
   */
  readonly twins?: boolean | undefined;
  /** The lowest tier at which a match fails. Default: any. An indicator without a tier counts as `boundary_breach`. */
  readonly failTier?: Tier | 'any' | undefined;
  /** The MCP and A2A era of the document's actors. Default: the era of the agent. */
  readonly era?: 'legacy' | 'modern' | undefined;
  /** The seed of the document's random values, a whole number. Default: a random seed. */
  readonly seed?: number | undefined;
  /** `fresh` replaces the document's canaries by new ones of the same kinds, drawn from `seed`. Default: as written. */
  readonly canaries?: 'as_written' | 'fresh' | undefined;
  /** Ends the attack. The outcome is then inconclusive, unless the attack has already succeeded. */
  readonly signal?: AbortSignal | undefined;
  /** The peers of client actors, by actor name, if it is not the agent. */
  readonly connect?: { readonly [actor: string]: string | McpPeer } | undefined;
  /** The ports of server actors, by actor name. Default: free ports. */
  readonly listen?: { readonly [actor: string]: number } | undefined;
  /** How many times the attack is run. Default: once. */
  readonly repeat?: number | undefined;
  /**
   * The share of runs that may succeed, from 0 to 1. Default: 0. Runs that can no longer change the answer are skipped.
   */
  readonly maxRate?: number | undefined;
  /** How many times a run is retried after a failure of the infrastructure. Default: 0. */
  readonly retries?: number | undefined;
  /** Masks secrets in the result and in stored files: well-known shapes, and the matches of these patterns (RE2). */
  readonly redact?: boolean | readonly string[] | undefined;
  /** A folder for results; each call stores its results in a new folder within it. Default: nothing is written. */
  readonly out?: string | undefined;
}

/** Test frameworks give a test 5 s by default; an attack without `timeout` ends before that. */
export const defaultTimeoutMs = 4_000;

export interface AttackPace {
  readonly timeoutMs: number;
  readonly terminalMs: number | undefined;
  readonly graceMs: number | undefined;
  readonly repeat: number;
  readonly retries: number;
  readonly maxRate: number | undefined;
}

/** Reads the numbers and durations of checked options. */
export function readPace(options: AttackOptions): AttackPace {
  const { repeat = 1, retries = 0, maxRate } = options;
  return {
    timeoutMs: parseMilliseconds(options.timeout) ?? defaultTimeoutMs,
    terminalMs: parseMilliseconds(options.terminalTimeout),
    graceMs: parseMilliseconds(options.gracePeriod),
    repeat,
    retries,
    maxRate,
  };
}

function parseMilliseconds(duration: Duration | undefined): number | undefined {
  if (typeof duration !== 'string') return duration;
  const seconds = parseDuration(duration);
  return typeof seconds === 'number' ? seconds * 1_000 : undefined;
}
