// The public names of the SDK. A test pins them.

export { encode } from './document/encode.ts';
export { normalize } from './document/normalize.ts';
export { type ParseResult, parse } from './document/parse.ts';
export { serialize } from './document/serialize.ts';
export { createCelEvaluator } from './evaluate/cel-evaluator.ts';
export { evaluateExpression } from './evaluate/expression.ts';
export {
  type AsyncEvaluators,
  type Evaluators,
  evaluateIndicator,
  evaluateIndicatorAsync,
} from './evaluate/indicator.ts';
export { evaluatePattern } from './evaluate/pattern.ts';
export { type ReadRecord, readRecord } from './evaluate/read-record.ts';
export { type IndicatorScope, selectMessages, selects } from './evaluate/select.ts';
export type { TraceOptions } from './evaluate/trace.ts';
export { agentVerdict, computeVerdict, type JudgedAttack, type VerdictsById } from './evaluate/verdict.ts';
export {
  type AsyncTraceEvaluator,
  asyncTraceEvaluator,
  type EvaluateTraceOptions,
  evaluateTrace,
  evaluateTraceAsync,
  type TraceEvaluation,
  type TraceEvaluator,
  traceEvaluator,
} from './evaluate-trace.ts';
export { defaultLimits, type EvaluationLimits } from './expression/limits.ts';
export type { ActorDelivery, Coverage, CoveredPiece, Delivery } from './judge/coverage.ts';
export type { ActorFacts } from './judge/delivery-facts.ts';
export type { Judgement } from './judge/judge.ts';
export type { FoundCause, RunOutcome } from './judge/outcome.ts';
export type { RunTask } from './judge/task.ts';
export { diagnose, type LoadResult, load } from './load.ts';
export type { WrittenAwait } from './model/awaits.ts';
export type * from './model/document.ts';
export type * from './model/enumerations.ts';
export type {
  Diagnostic,
  EvaluationError,
  GenerationError,
  LocatedDiagnostic,
  ParseError,
  SourcePosition,
  SourceRange,
  ValidationError,
} from './model/errors.ts';
export { isEvaluationError } from './model/errors.ts';
export type * from './model/execution.ts';
export type * from './model/extension-points.ts';
export { parseJson, stringifyJson } from './model/json.ts';
export type { WrittenMark } from './model/marks.ts';
export type * from './model/normalized.ts';
export type { Path } from './model/path.ts';
export type { Cause, TaskState } from './model/results.ts';
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
export { WrittenNumber } from './model/written-number.ts';
export { computeEffectiveState } from './primitives/compute-effective-state.ts';
export { directionOf } from './primitives/direction-of.ts';
export { evaluateCondition } from './primitives/evaluate-condition.ts';
export { evaluateExtractor } from './primitives/evaluate-extractor.ts';
export { evaluatePredicate } from './primitives/evaluate-predicate.ts';
export { evaluateTrigger } from './primitives/evaluate-trigger.ts';
export { extractProtocol } from './primitives/extract-protocol.ts';
export { type InterpolatedText, interpolateTemplate } from './primitives/interpolate-template.ts';
export { type InterpolatedValue, interpolateValue } from './primitives/interpolate-value.ts';
export { messageValue } from './primitives/message-value.ts';
export { parseDuration } from './primitives/parse-duration.ts';
export { resolveSimplePath } from './primitives/resolve-simple-path.ts';
export { resolveWildcardPath } from './primitives/resolve-wildcard-path.ts';
export { selectResponse } from './primitives/select-response.ts';
export { enumerations } from './registry/enumerations.ts';
export type { ModelTypes, TypeName } from './registry/field-table.ts';
export { knownModes } from './registry/modes.ts';
export { knownProtocols } from './registry/protocols.ts';
export { type RuleId, rules } from './registry/rules.ts';
export { type Validation, validate } from './validate/validate.ts';
