import type * as model from '../model/enumerations.ts';

/** Takes a row per member of `T`, so that a missing or misspelled member does not compile. */
function members<T extends string>(rows: { [M in T]: true }): readonly T[] {
  return Object.keys(rows) as T[];
}

/** The closed enumerations of SDK spec §2.20, with their members in the order of the specification. */
export const enumerations = {
  Tier: members<model.Tier>({ ingested: true, local_action: true, boundary_breach: true }),
  SeverityLevel: members<model.SeverityLevel>({
    informational: true,
    low: true,
    medium: true,
    high: true,
    critical: true,
  }),
  Impact: members<model.Impact>({
    behavior_manipulation: true,
    data_exfiltration: true,
    data_tampering: true,
    unauthorized_actions: true,
    information_disclosure: true,
    credential_theft: true,
    service_disruption: true,
    privilege_escalation: true,
  }),
  Category: members<model.Category>({
    capability_poisoning: true,
    response_fabrication: true,
    context_manipulation: true,
    oversight_bypass: true,
    temporal_manipulation: true,
    availability_disruption: true,
    cross_protocol_chain: true,
  }),
  Status: members<model.Status>({ draft: true, experimental: true, stable: true, deprecated: true }),
  CorrelationLogic: members<model.CorrelationLogic>({ any: true, all: true }),
  ExtractorSource: members<model.ExtractorSource>({ request: true, response: true }),
  ExtractorType: members<model.ExtractorType>({ json_path: true, regex: true }),
  SemanticIntentClass: members<model.SemanticIntentClass>({
    prompt_injection: true,
    data_exfiltration: true,
    privilege_escalation: true,
    social_engineering: true,
    instruction_override: true,
  }),
  Relationship: members<model.Relationship>({ primary: true, related: true }),
  LogLevel: members<model.LogLevel>({ info: true, warn: true, error: true }),
  ElicitationMode: members<model.ElicitationMode>({ form: true, url: true }),
  ElicitationAction: members<model.ElicitationAction>({ accept: true, decline: true, cancel: true }),
  Direction: members<model.Direction>({ request: true, response: true }),
  IndicatorMethod: members<model.IndicatorMethod>({ pattern: true, expression: true, semantic: true }),
  // Output only: a document never contains the following values.
  IndicatorResult: members<model.IndicatorResult>({
    matched: true,
    not_matched: true,
    error: true,
    skipped: true,
  }),
  AttackResult: members<model.AttackResult>({
    exploited: true,
    not_exploited: true,
    partial: true,
    error: true,
  }),
  AdvanceReason: members<model.AdvanceReason>({ event_matched: true, timeout: true }),
  ParseErrorKind: members<model.ParseErrorKind>({ syntax: true, type_mismatch: true, unknown_variant: true }),
  EvaluationErrorKind: members<model.EvaluationErrorKind>({
    path_resolution: true,
    regex_timeout: true,
    cel_error: true,
    type_error: true,
    semantic_error: true,
    unsupported_method: true,
  }),
  GenerationErrorKind: members<model.GenerationErrorKind>({
    provider_unavailable: true,
    model_error: true,
    validation_failure: true,
    timeout: true,
    content_policy: true,
  }),
  DiagnosticSeverity: members<model.DiagnosticSeverity>({ error: true, warning: true }),
} as const;

export type EnumerationName = keyof typeof enumerations;
