/**
 * `oatf/testing`: attacks an agent from a test of Vitest, Jest or node:test. Importing it adds `toResist` and
 * `toDoItsTask` to the `expect` of Vitest and Jest. Agents other than functions are those of `oatf/runtime`, or targets
 * as in a configuration (`oatf/config`); traces and verdicts have the types of `oatf`.
 *
 * ```ts
 * import { assertResists, attack } from 'oatf/testing';
 *
 * // A function, a URL such as ag-ui:http://127.0.0.1:8000/agent, a command, or a built-in agent.
 * const report = await attack('OATS-001', { agent: 'guarded' });
 * assertResists(report);
 * console.log(report.outcome);
 * // prints: resisted
 *
 * const exploited = await attack('OATS-001', { agent: 'gullible' });
 * console.log(exploited.outcome);
 * // prints: exploited
 * ```
 *
 * @packageDocumentation
 */

import { register, type ToResist } from './matchers.ts';

export type { AgentUnderTest, Endpoint } from '../agents/adapters/agent-under-test.ts';
export type { AgentFunction, AgentReply, AgentRequest } from '../agents/adapters/function-agent.ts';
export type { JudgeFunction, JudgeQuestion, JudgeScore } from '../agents/adapters/judging.ts';
export type { MemoryConnection, MemoryEndpoint } from '../attack/transport/mcp-server/in-memory.ts';
export { type AttackAllOptions, attack, attackAll } from './attack.ts';
export type {
  AttackOptions,
  Duration,
  EveryAttackOptions,
  HttpAttackOptions,
  MemoryAgentFunction,
  MemoryAgentRequest,
  MemoryAttackOptions,
} from './attack-options.ts';
export type {
  DocumentFilters,
  DocumentObject,
  DocumentReference,
  OneOrMore,
  Selection,
} from './documents.ts';
export type { ToResist } from './matchers.ts';
export { assertResists, type MatcherContext, type MatcherResult, matchers } from './matchers.ts';
export { NotAttacked } from './not-attacked.ts';
export type { AttackReport, AttackReports, AttackRun, Evidence } from './result.ts';

register(globalThis);

declare global {
  // The types of Jest and of Vitest both take their matchers from here. The declaration is harmless if neither is
  // installed.
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: all declarations of an interface have to have the same parameters
    interface Matchers<R, T = {}> extends ToResist<R> {}
  }
}
