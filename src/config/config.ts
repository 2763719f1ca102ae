import type { Target, TargetHeaders } from '../agent/targets.ts';

export type { Briefing, Endpoint, McpConfig } from '../agent/agent.ts';
export type { ChatMessage, ToolCall } from '../agent/conversation/chat-message.ts';
export type { AgentFunction, AgentReply, AgentRequest } from '../agent/function-agent.ts';
export type * from '../agent/targets.ts';
export type { Value, ValueMap } from '../model/value.ts';
export type { WrittenNumber } from '../model/written-number.ts';

// What an `oatf.config` file says, in one set of names for TypeScript, JavaScript, JSON and YAML alike. This file is
// `oatf/config`: it loads nothing.

/** What an `oatf.config` file says. Every field may be left out. */
export interface Config {
  /** The JSON Schema, for editors; nobody else reads it. */
  readonly $schema?: string;
  /** What to run where no documents are named: files, folders, patterns, ids of the library. */
  readonly documents?: readonly string[];
  /** What to attack where no --agent is given: names of targets, or what --agent takes. */
  readonly agent?: string | readonly string[];
  /** Agents by name. */
  readonly targets?: { readonly [name: string]: Target };
  /** What the user says where a document leaves that open. */
  readonly prompt?: string;
  /** Such as `30s`. */
  readonly timeout?: string;
  readonly terminalTimeout?: string;
  readonly gracePeriod?: string;
  /** What chance in documents is drawn from. */
  readonly seed?: number;
  readonly repeat?: number;
  /** Such as `5%` or 0.05. */
  readonly maxRate?: string | number;
  readonly concurrency?: number;
  /** Such as `30/m`. */
  readonly rate?: string;
  readonly retries?: number;
  readonly budget?: string;
  readonly delivery?: 'payload' | 'strict' | 'reached';
  /** Who decides semantic indicators: `llm:MODEL`, or a target that is a language model. */
  readonly judge?: string;
  /** How many questions the judge may be asked in all. */
  readonly judgeBudget?: number;
  /** Whether the benign twins of marked documents are played, too. */
  readonly twins?: boolean;
  /** From which tier on a match fails; any if left out. */
  readonly failTier?: 'any' | 'ingested' | 'local_action' | 'boundary_breach';
  readonly projections?: boolean;
  /** Whether well-known shapes of secrets are masked in what is stored, or these patterns (RE2) beside them. */
  readonly redact?: boolean | readonly string[];
  readonly reporter?: readonly string[];
  readonly baseline?: string;
  /** A folder; `{{time}}` in it is when the call began. */
  readonly out?: string;
  /** Where server actors listen, as HOST:PORT, by the actor's name; `*` is any other. */
  readonly listen?: { readonly [actor: string]: string };
  /** Whom client actors speak to in place of the agent, by the actor's name; `*` is any other. */
  readonly connect?: { readonly [actor: string]: string | UrlPlace };
}

/** Where an actor connects to, with what is sent there. */
export interface UrlPlace {
  readonly url: string;
  /** Values may hold {{env.NAME}}, so that no secret stands in the file. */
  readonly headers?: TargetHeaders;
}

/** Lets editors and compilers check a configuration. */
export function defineConfig(config: Config): Config {
  return config;
}
