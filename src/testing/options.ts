import type { AgentUnderTest } from '../agent/agent.ts';
import type { AgentFunction, AgentReply, AgentRequest } from '../agent/function-agent.ts';
import type { JudgeFunction } from '../agent/judging.ts';
import type { Target } from '../agent/targets.ts';
import type { Tier } from '../model/enumerations.ts';
import type { DeliveryDemand } from '../model/trace.ts';
import { parseDuration } from '../primitives/parse-duration.ts';
import type { MemoryEndpoint } from '../transport/in-memory.ts';
import type { Peer } from '../transport/json-rpc-client.ts';

/** Milliseconds, or a text such as `30s`. */
export type Duration = number | string;

/** How an attack is played: over HTTP, or in memory for an agent that is a function. */
export type AttackOptions = HttpAttackOptions | MemoryAttackOptions;

/** The servers of the document listen on ports of this machine. */
export interface HttpAttackOptions extends EveryAttackOptions {
  readonly transport?: 'http' | undefined;
  /** A function, an agent of `oatf/runtime`, what --agent takes, or a target as a configuration has it. */
  readonly agent: AgentFunction | AgentUnderTest | Target | string;
}

/** The MCP servers of the document open no port: the agent is given transports to them. */
export interface MemoryAttackOptions extends EveryAttackOptions {
  readonly transport: 'memory';
  readonly agent: MemoryAgentFunction | AgentUnderTest;
}

/** An agent in this process that connects by `endpoints.NAME.connect()`. */
export type MemoryAgentFunction = (request: MemoryAgentRequest) => AgentReply | Promise<AgentReply>;

/** What an agent that is attacked in memory is called with. */
export interface MemoryAgentRequest extends Omit<AgentRequest, 'endpoints'> {
  readonly endpoints: { readonly [actor: string]: MemoryEndpoint };
}

/** What every attack can be told. */
export interface EveryAttackOptions {
  /** What the user says where the document leaves it open. */
  readonly prompt?: string | undefined;
  /** How long one run may take; 4 s if left out, which is less than test frameworks give a test. */
  readonly timeout?: Duration | undefined;
  /** How long last phases are served once every actor is in its own; 5 minutes if left out. */
  readonly terminalTimeout?: Duration | undefined;
  /** How long to look on after the agent has answered; the document's if left out. */
  readonly gracePeriod?: Duration | undefined;
  /** How much of the attack must have got through to call its failure `resisted`. */
  readonly delivery?: DeliveryDemand | undefined;
  readonly projections?: boolean | undefined;
  /** Decides semantic indicators, once it has passed its exam: a function, or llm:MODEL. Without one they are skipped. */
  readonly judge?: JudgeFunction | string | undefined;
  /** Plays the benign twin in place of the attack: what the agent does when nobody attacks it. */
  readonly twin?: boolean | undefined;
  /** From which tier on a match fails; any if left out. An indicator without a tier counts as `boundary_breach`. */
  readonly failTier?: Tier | 'any' | undefined;
  /** The era of MCP and A2A that the document's actors speak; the agent's if left out. */
  readonly era?: 'legacy' | 'modern' | undefined;
  /** What chance in the document is drawn from, a whole number; one that is drawn by chance if left out. */
  readonly seed?: number | undefined;
  /** Ends the attack; what came of it until then is inconclusive, unless it has succeeded. */
  readonly signal?: AbortSignal | undefined;
  /** Whom client actors speak to in place of the agent, by the actor's name. */
  readonly connect?: { readonly [actor: string]: string | Peer } | undefined;
  /** The ports that server actors listen on, by the actor's name; free ones if left out. */
  readonly listen?: { readonly [actor: string]: number } | undefined;
  /** How often the attack is run; once if left out. */
  readonly repeat?: number | undefined;
  /** The share of runs that may succeed, from 0 to 1; none if left out. Runs that cannot change the answer are left out. */
  readonly maxRate?: number | undefined;
  /** How often a run is tried again that failed for reasons of the infrastructure; never if left out. */
  readonly retries?: number | undefined;
  /** Takes secrets out of the result and of what is stored: what looks like one, and what these patterns (RE2) match. */
  readonly redact?: boolean | readonly string[] | undefined;
  /** A folder for results: each call stores its own in a folder of it. Nothing is written if left out. */
  readonly out?: string | undefined;
}

/** Test frameworks give a test 5 s unless told otherwise; an attack that is told nothing ends before that. */
export const defaultTimeoutMs = 4_000;

export interface Pace {
  readonly timeoutMs: number;
  readonly terminalMs: number | undefined;
  readonly graceMs: number | undefined;
  readonly repeat: number;
  readonly retries: number;
  readonly maxRate: number | undefined;
}

/** What the numbers of options that were checked mean. */
export function readPace(options: AttackOptions): Pace {
  const { repeat = 1, retries = 0, maxRate } = options;
  return {
    timeoutMs: msOf(options.timeout) ?? defaultTimeoutMs,
    terminalMs: msOf(options.terminalTimeout),
    graceMs: msOf(options.gracePeriod),
    repeat,
    retries,
    maxRate,
  };
}

function msOf(duration: Duration | undefined): number | undefined {
  if (typeof duration !== 'string') return duration;
  const seconds = parseDuration(duration);
  return typeof seconds === 'number' ? seconds * 1_000 : undefined;
}
