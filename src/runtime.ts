/**
 * `oatf/runtime`: attacks agents from a program. `playDocument` plays one document once, `playSuite` plays many against
 * many agents, stores the runs and counts. Types of documents, traces and verdicts are in `oatf`, targets in
 * `oatf/config`, transports in `oatf/protocol`.
 *
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { load } from 'oatf';
 * import { builtInAgent, mcpServerMode, openLibrary, playDocument, systemClock } from 'oatf/runtime';
 *
 * const library = openLibrary();
 * if (!library.ok) throw new Error(library.reason);
 * const path = library.documents.find(({ id }) => id === 'OATS-001')?.path ?? '';
 * const loaded = load(readFileSync(path, 'utf8'));
 * if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('\n'));
 *
 * for (const name of ['gullible', 'guarded'] as const) {
 *   const { outcome } = await playDocument(loaded.document, {
 *     agent: builtInAgent(name),
 *     modes: [mcpServerMode()],
 *     clock: systemClock,
 *   });
 *   console.log(`${name}: ${outcome}`);
 * }
 * // prints: gullible: exploited
 * // prints: guarded: resisted
 * ```
 *
 * @packageDocumentation
 */

export { a2aAgent, checkA2aTarget } from './agents/adapters/a2a-agent.ts';
export { agUiAgent, checkAgUiTarget } from './agents/adapters/ag-ui-agent.ts';
export type {
  AgentAddresses,
  AgentUnderTest,
  Briefing,
  RunningAgent,
} from './agents/adapters/agent-under-test.ts';
export {
  type AgentFunction,
  type AgentReply,
  type AgentRequest,
  functionAgent,
} from './agents/adapters/function-agent.ts';
export { checkHttpTarget, httpAgent } from './agents/adapters/http-agent.ts';
export type { JudgeFunction, JudgeQuestion, JudgeScore } from './agents/adapters/judging.ts';
export {
  type BuiltInAgent,
  type BuiltInAgentName,
  builtInAgent,
  builtInAgentNames,
  type LlmJudge,
  type LlmProblem,
  type LlmSettings,
  llmAgent,
  llmJudge,
  readLlmSettings,
} from './agents/built-in/built-in-agents.ts';
export { systemClock } from './attack/transport/clock.ts';
export type { Results, RunEntry } from './format/model/results-file.ts';
export { trackDisclosure } from './judgement/disclosure/track-disclosure.ts';
export { findDisguised } from './judgement/disguise/find-disguised.ts';
export { KnownSecrets } from './secrets/given-secrets.ts';
export { createRedactor, type Redacted, type Redactor, type RedactorOptions } from './secrets/redactor.ts';
export type { SemanticJudge } from './suite/judging/examined-judge.ts';
export { createExaminedJudge, type ExaminedJudge, type JudgeLimits } from './suite/judging/examined-judge.ts';
export { type Library, openLibrary } from './suite/library/library.ts';
export {
  type PlannedAttack,
  type PlannedRun,
  type PlanRequest,
  type PlayableDocument,
  planSuite,
  type SuitePlan,
} from './suite/plan/plan.ts';
export { type PlayOptions, type PlayResult, playDocument } from './suite/play/play-run.ts';
export {
  a2aClientMode,
  a2aServerMode,
  agUiClientMode,
  mcpClientMode,
  mcpServerMode,
} from './suite/play/playable-modes.ts';
export type { UserSide } from './suite/play/user-side.ts';
export {
  type Pace,
  type PlayedRun,
  playSuite,
  type RunSettings,
  type Suite,
  type SuiteEnd,
  type SuiteObserver,
} from './suite/play-suite.ts';
export type { RunSpacing } from './suite/schedule-step.ts';
export { createFolderSink } from './suite/store/results-folder.ts';
export { createMemorySink, type OpenSuiteSink, type SuiteSink } from './suite/store/run-sink.ts';
