// The public names of `oatf/testing`, listed one by one; a test pins them. Importing this module adds `toResist` and
// `toDoItsTask` to the `expect` of Jest and Vitest.

import { register } from './register.ts';
import type { ToResist } from './types.ts';

export type {
  AgentHealth,
  AgentUnderTest,
  Briefing,
  Doors,
  Endpoint,
  McpConfig,
  ProgramFacts,
  RunningAgent,
  Usage,
  Voice,
} from '../agent/agent.ts';
export type { ChatMessage, ToolCall } from '../agent/conversation/chat-message.ts';
export type { AgentFunction, AgentReply, AgentRequest } from '../agent/function-agent.ts';
export type { Judged, JudgeFunction, JudgeQuestion } from '../agent/judging.ts';
export type * from '../agent/targets.ts';
export type { ActorDelivery, Coverage, CoveredPiece, Delivery } from '../judge/coverage.ts';
export type { ActorFacts } from '../judge/delivery-facts.ts';
export type { FoundCause } from '../judge/outcome.ts';
export type { RunTask } from '../judge/task.ts';
export type { SemanticExamples } from '../model/document.ts';
export type {
  // Here `AttackResult` is the result of an attack with all of its runs.
  AttackResult as VerdictResult,
  Category,
  DiagnosticSeverity,
  EvaluationErrorKind,
  IndicatorResult,
  Mode,
  Protocol,
  SemanticIntentClass,
  SeverityLevel,
  Status,
  Tier,
} from '../model/enumerations.ts';
export type { Diagnostic, EvaluationError } from '../model/errors.ts';
export type { Cause, DocumentEntry, OutcomeCounts, OutcomeName, Rate, TaskState } from '../model/results.ts';
export type {
  DeliveryDemand,
  EndReason,
  MarkerRecord,
  MessageRecord,
  SentBy,
  TraceRecord,
  WaitingFor,
} from '../model/trace.ts';
export type { Value, ValueMap } from '../model/value.ts';
export type * from '../model/verdict.ts';
export type { WrittenNumber } from '../model/written-number.ts';
export type { Standing } from '../suite/settled.ts';
export type { MemoryConnection } from '../transport/in-memory/connection.ts';
export type { MemoryEndpoint } from '../transport/in-memory.ts';
export type { CommandPeer, Peer, UrlPeer } from '../transport/json-rpc-client.ts';
export { assertResists } from './assert.ts';
export { type AttackAllOptions, attack, attackAll } from './attack.ts';
export type {
  DocumentFilters,
  DocumentObject,
  DocumentReference,
  OneOrMore,
  Selection,
} from './documents.ts';
export { type MatcherContext, type MatcherResult, matchers } from './matchers.ts';
export { NotAttacked } from './not-attacked.ts';
export type {
  AttackOptions,
  Duration,
  EveryAttackOptions,
  HttpAttackOptions,
  MemoryAgentFunction,
  MemoryAgentRequest,
  MemoryAttackOptions,
} from './options.ts';
export type { AttackResult, AttackResults, AttackRun, Evidence } from './result.ts';
export type { ToResist } from './types.ts';

register(globalThis);

declare global {
  // The types of Jest and of Vitest both take their matchers from here. The declaration is harmless if neither is
  // installed.
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: all declarations of an interface have to have the same parameters
    interface Matchers<R, T = {}> extends ToResist<R> {}
  }
}
