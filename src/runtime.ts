// The public names of `oatf/runtime`. A test pins them.

export { a2aAgent, problemOfA2a } from './agent/a2a-agent.ts';
export { agUiAgent, problemOfAgUi } from './agent/ag-ui-agent.ts';
export type {
  AgentHealth,
  AgentUnderTest,
  Briefing,
  Doors,
  McpConfig,
  ProgramFacts,
  RunningAgent,
  ServedAgent,
  Usage,
  Voice,
} from './agent/agent.ts';
export type { ChatMessage, ToolCall } from './agent/conversation/chat-message.ts';
export {
  type AgentFunction,
  type AgentReply,
  type AgentRequest,
  functionAgent,
} from './agent/function-agent.ts';
export { httpAgent, problemOfHttp } from './agent/http-agent.ts';
export type { Judged, JudgeFunction, JudgeQuestion } from './agent/judging.ts';
export type {
  A2aTarget,
  AgUiTarget,
  AnyTarget,
  Configure,
  HttpTarget,
  LlmTarget,
  OfKind,
  ServedTarget,
  Start,
  SurfaceName,
  TargetContext,
  TargetHeaders,
  TargetKinds,
} from './agent/targets.ts';
export type { CardUrls } from './bindings/a2a/card.ts';
export { a2aClient } from './bindings/a2a/client.ts';
export { type A2aServerOptions, a2aServer } from './bindings/a2a/server.ts';
export { agUiClient } from './bindings/ag-ui/client.ts';
export { mcpClient } from './bindings/mcp/client.ts';
export { mcpServer } from './bindings/mcp/server.ts';
export type { ServedEra } from './bindings/served-era.ts';
export {
  type BuiltInAgent,
  builtInAgent,
  type Environment,
  type LlmApi,
  type LlmJudge,
  type LlmProblem,
  type LlmSettings,
  type LlmSource,
  llmAgent,
  llmJudge,
  readLlmSettings,
} from './built-in/built-in-agents.ts';
export { type BuiltInAgentName, builtInAgentNames } from './built-in/names.ts';
export { seeThrough } from './disguise/see-through.ts';
export type {
  Act,
  Acts,
  AnswerPlan,
  Binding,
  CarriedEvent,
  ClientBinding,
  EntryAsk,
  Fill,
  Ids,
  LastingWork,
  PageKeys,
  PartReading,
  PeerRequest,
  PlanContext,
  PlanStep,
  Progress,
  Reader,
  SaidWithin,
  ServerBinding,
  WithinEvent,
} from './engine/binding.ts';
export type { Answer, Incoming, Recipient, RefusedMessage, Sending } from './engine/messages.ts';
export type { Answered, Clock, Endpoint, Sent, Transport } from './engine/ports.ts';
export type { PlayableMode } from './engine/run.ts';
export { defaultRunLimits, type RunEnd, type RunLimits } from './engine/run-end.ts';
export type { ActorDelivery, Coverage, CoveredPiece, Delivery } from './judge/coverage.ts';
export type { ActorFacts } from './judge/delivery-facts.ts';
export type { Judgement } from './judge/judge.ts';
export type { FoundCause, RunOutcome } from './judge/outcome.ts';
export type { RunTask } from './judge/task.ts';
export type * from './model/document.ts';
export type * from './model/enumerations.ts';
export type { Diagnostic, EvaluationError } from './model/errors.ts';
export type { SeenThrough, SeeThrough } from './model/extension-points.ts';
export type * from './model/normalized.ts';
export type { Path } from './model/path.ts';
export type * from './model/results.ts';
export type {
  DeliveryDemand,
  EndReason,
  EndRecord,
  MarkerRecord,
  MessageRecord,
  SentBy,
  TraceRecord,
  WaitingFor,
} from './model/trace.ts';
export type { Value, ValueMap } from './model/value.ts';
export type * from './model/verdict.ts';
export type * from './model/views.ts';
export type {
  WireBytes,
  WireEnd,
  WireFlood,
  WireGrpc,
  WireHttp,
  WireOrder,
  WirePerformed,
  WirePoint,
  WireSse,
} from './model/wire.ts';
export type { WrittenNumber } from './model/written-number.ts';
export { GivenValues } from './secrets/given.ts';
export {
  createRedactor,
  type Finder,
  type MarkedText,
  type Range,
  type Redacted,
  type Redactor,
  type SecretPattern,
  type Secrets,
  type Span,
} from './secrets/redactor.ts';
export type { JudgeFacts } from './suite/evaluation.ts';
export {
  type ExaminedJudge,
  examinedJudge,
  type JudgeAnswer,
  type JudgeLimits,
  type JudgeSpent,
} from './suite/judging/examined-judge.ts';
export type { SemanticJudge } from './suite/judging/semantic-judge.ts';
export { type Library, type LibraryDocument, openLibrary } from './suite/library.ts';
export type { ResultsFacts } from './suite/make-results.ts';
export {
  type A2aClientModeOptions,
  type A2aServerModeOptions,
  type AgUiClientOptions,
  a2aClientMode,
  a2aServerMode,
  agUiClientMode,
  type McpClientOptions,
  mcpClientMode,
  mcpServerMode,
} from './suite/modes.ts';
export {
  type PlannedAttack,
  type PlannedDocument,
  type PlannedShard,
  type PlanRequest,
  type Playable,
  planSuite,
  type SuitePlan,
  type Task,
  type Tool,
} from './suite/plan.ts';
export { type PlayOptions, type PlayResult, playDocument, type RunControl } from './suite/play.ts';
export {
  type Onlooker,
  type Pace,
  type PlayedRun,
  playSuite,
  type RunSettings,
  type Suite,
  type SuiteEnd,
  type TryOptions,
} from './suite/play-suite.ts';
export { inFolder } from './suite/results.ts';
export type { Spacing } from './suite/schedule.ts';
export type { Tally } from './suite/settled.ts';
export type { Shard } from './suite/shard.ts';
export { inMemory, type OpenSink, type RunSink } from './suite/sink.ts';
export { type Audience, defaultPrompt, userActor } from './suite/user.ts';
export {
  type A2aClientLimits,
  type A2aClientOptions,
  type A2aPeer,
  createA2aClient,
} from './transport/a2a/client.ts';
export { type A2aServerTransportOptions, createA2aServer } from './transport/a2a/server.ts';
export { systemClock } from './transport/clock.ts';
export type { Exposure, TlsPair } from './transport/exposure/exposure.ts';
export {
  type CommandPeer,
  createJsonRpcClient,
  type JsonRpcClientLimits,
  type JsonRpcClientOptions,
  type Peer,
  type SpokenEra,
  type UrlPeer,
} from './transport/json-rpc-client.ts';
export type { SessionLimits } from './transport/sessions/limits.ts';
export { createSseClient, type SseClientLimits, type SseClientOptions } from './transport/sse-client.ts';
export type { Limits as StreamableHttpLimits } from './transport/streamable-http/options.ts';
export { createStreamableHttp, type StreamableHttpOptions } from './transport/streamable-http.ts';
