/**
 * `oatf/config`: the contents of an `oatf.config` file, with the same names in TypeScript, JavaScript, JSON and YAML. It
 * loads nothing.
 *
 * ```ts
 * import { defineConfig } from 'oatf/config';
 *
 * const config = defineConfig({
 *   documents: ['attacks/'],
 *   agent: 'support',
 *   targets: {
 *     support: { agUi: 'http://127.0.0.1:8000/agent', headers: { authorization: 'Bearer {{env.TOKEN}}' } },
 *   },
 *   repeat: 5,
 *   maxRate: '10%',
 * });
 * export default config;
 *
 * console.log(config.agent);
 * // prints: support
 * ```
 *
 * @packageDocumentation
 */

import type { Target, TargetHeaders } from '../../agents/adapters/targets.ts';

export type { Briefing } from '../../agents/adapters/agent-under-test.ts';
export type { AgentFunction, AgentReply, AgentRequest } from '../../agents/adapters/function-agent.ts';
export type { AgentTurn } from '../../agents/adapters/prompt-agent.ts';
export type * from '../../agents/adapters/targets.ts';

/** The contents of an `oatf.config` file. Every field is optional. */
export interface Config {
  /** The JSON Schema, for editors; `oatf` ignores it. */
  readonly $schema?: string;
  /** The documents to run if the command line names none: files, folders, patterns, ids of the library. */
  readonly documents?: readonly string[];
  /** The agents to attack if there is no --agent: names of targets, or values of --agent. */
  readonly agent?: string | readonly string[];
  /** Agents by name. */
  readonly targets?: { readonly [name: string]: Target };
  /** The prompt of the user, if a document sets none. */
  readonly prompt?: string;
  /** How long a run may take, such as `30s`. */
  readonly timeout?: string;
  readonly terminalTimeout?: string;
  readonly gracePeriod?: string;
  /** The seed of random values in documents. */
  readonly seed?: number;
  /** Whether canaries are played as documents write them, or drawn from the seed. */
  readonly canaries?: 'as_written' | 'fresh';
  readonly repeat?: number;
  /** The share of runs in which an attack may succeed, such as `5%` or 0.05. */
  readonly maxRate?: string | number;
  readonly concurrency?: number;
  /** The highest rate at which runs begin, such as `30/m`. */
  readonly rate?: string;
  readonly retries?: number;
  readonly budget?: string;
  readonly delivery?: 'payload' | 'strict' | 'reached';
  /** The judge of semantic indicators: `llm:MODEL`, or a target that is a language model. */
  readonly judge?: string;
  /** How many questions the judge may be asked in total. */
  readonly judgeBudget?: number;
  /** Whether the benign twins of marked documents are played as well. */
  readonly twins?: boolean;
  /** The lowest tier at which a match fails. Default: any. */
  readonly failTier?: 'any' | 'ingested' | 'local_action' | 'boundary_breach';
  /** The lowest accepted utility under attack of an agent, such as `80%` or 0.8. Default: any. */
  readonly minUtility?: string | number;
  readonly projections?: boolean;
  /** Whether well-known shapes of secrets are masked in stored results; or patterns (RE2) to mask in addition. */
  readonly redact?: boolean | readonly string[];
  readonly reporter?: readonly string[];
  readonly baseline?: string;
  /** The folder for results; `{{time}}` in it becomes the time at which the call began. */
  readonly out?: string;
  /** The addresses of server actors, as HOST:PORT, by actor name; `*` is every other actor. */
  readonly listen?: { readonly [actor: string]: string };
  /** The peers of client actors instead of the agent, by actor name; `*` is every other actor. */
  readonly connect?: { readonly [actor: string]: string | UrlPlace };
}

/** The URL that an actor connects to, with the headers it sends. */
export interface UrlPlace {
  readonly url: string;
  /** Values may hold {{env.NAME}}, so that the file contains no secret. */
  readonly headers?: TargetHeaders;
}

/** Returns its argument; its type lets editors and compilers check a configuration. */
export function defineConfig(config: Config): Config {
  return config;
}
