// The public names of `oatf/testing`, one by one. A test pins them. Importing it adds `toResist` to the `expect` of Jest and
// Vitest.

import { register } from './register.ts';
import type { ToResist } from './types.ts';

export type { AgentUnderTest, Briefing, McpConfig, ProgramFacts, Usage } from '../agent/agent.ts';
export type { AgentFunction, AgentReply, AgentRequest } from '../agent/function-agent.ts';
export type { Target } from '../agent/targets.ts';
export type { ActorDelivery, Delivery, DeliveryDemand } from '../evaluate/delivery.ts';
export type { DocumentEntry, OutcomeCounts, OutcomeName, Rate } from '../model/results.ts';
export type { TraceRecord } from '../model/trace.ts';
export type { AttackVerdict, IndicatorVerdict } from '../model/verdict.ts';
export type { MemoryConnection } from '../transport/in-memory/connection.ts';
export type { MemoryEndpoint } from '../transport/in-memory.ts';
export { assertResists } from './assert.ts';
export { type AttackAllOptions, attack, attackAll } from './attack.ts';
export type { DocumentFilters, DocumentObject, DocumentReference, Selection } from './documents.ts';
export { type MatcherContext, type MatcherResult, matchers } from './matchers.ts';
export { NotAttacked } from './not-attacked.ts';
export type {
  AttackOptions,
  Duration,
  HttpAttackOptions,
  MemoryAgentFunction,
  MemoryAgentRequest,
  MemoryAttackOptions,
} from './options.ts';
export type { AttackResult, AttackResults, AttackRun, Evidence } from './result.ts';
export type { ToResist } from './types.ts';

register(globalThis);

declare global {
  // Jest's types and Vitest's both take their matchers from here, and it does no harm where neither is installed.
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: all declarations of an interface have to have the same parameters
    interface Matchers<R, T = {}> extends ToResist<R> {}
  }
}
