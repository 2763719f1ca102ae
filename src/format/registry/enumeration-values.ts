import type * as model from '../model/enumeration-types.ts';

/** Takes a row per member of `T`, so that a missing or misspelled member does not compile. */
function listMembers<T extends string>(rows: { [M in T]: true }): readonly T[] {
  return Object.keys(rows) as T[];
}

/** The closed enumerations of SDK spec §2.20, with their members in the order of the specification. */
export const enumerations = {
  Tier: listMembers<model.Tier>({ ingested: true, local_action: true, boundary_breach: true }),
  SeverityLevel: listMembers<model.SeverityLevel>({
    informational: true,
    low: true,
    medium: true,
    high: true,
    critical: true,
  }),
  Impact: listMembers<model.Impact>({
    behavior_manipulation: true,
    data_exfiltration: true,
    data_tampering: true,
    unauthorized_actions: true,
    information_disclosure: true,
    credential_theft: true,
    service_disruption: true,
    privilege_escalation: true,
  }),
  Category: listMembers<model.Category>({
    capability_poisoning: true,
    response_fabrication: true,
    context_manipulation: true,
    oversight_bypass: true,
    temporal_manipulation: true,
    availability_disruption: true,
    cross_protocol_chain: true,
  }),
  Status: listMembers<model.Status>({ draft: true, experimental: true, stable: true, deprecated: true }),
  CorrelationLogic: listMembers<model.CorrelationLogic>({ any: true, all: true }),
  ExtractorSource: listMembers<model.ExtractorSource>({ request: true, response: true }),
  ExtractorType: listMembers<model.ExtractorType>({ json_path: true, regex: true }),
  SemanticIntentClass: listMembers<model.SemanticIntentClass>({
    prompt_injection: true,
    data_exfiltration: true,
    privilege_escalation: true,
    social_engineering: true,
    instruction_override: true,
  }),
  Relationship: listMembers<model.Relationship>({ primary: true, related: true }),
  LogLevel: listMembers<model.LogLevel>({ info: true, warn: true, error: true }),
  ElicitationMode: listMembers<model.ElicitationMode>({ form: true, url: true }),
  ElicitationAction: listMembers<model.ElicitationAction>({ accept: true, decline: true, cancel: true }),
  Direction: listMembers<model.Direction>({ request: true, response: true }),
  IndicatorMethod: listMembers<model.IndicatorMethod>({ pattern: true, expression: true, semantic: true }),
  // Output only: a document never contains the following values.
  IndicatorResult: listMembers<model.IndicatorResult>({
    matched: true,
    not_matched: true,
    error: true,
    skipped: true,
  }),
  AttackResult: listMembers<model.AttackResult>({
    exploited: true,
    not_exploited: true,
    partial: true,
    error: true,
  }),
  AdvanceReason: listMembers<model.AdvanceReason>({ event_matched: true, timeout: true }),
  ParseErrorKind: listMembers<model.ParseErrorKind>({
    syntax: true,
    type_mismatch: true,
    unknown_variant: true,
  }),
  EvaluationErrorKind: listMembers<model.EvaluationErrorKind>({
    path_resolution: true,
    regex_timeout: true,
    cel_error: true,
    type_error: true,
    semantic_error: true,
    unsupported_method: true,
  }),
  GenerationErrorKind: listMembers<model.GenerationErrorKind>({
    provider_unavailable: true,
    model_error: true,
    validation_failure: true,
    timeout: true,
    content_policy: true,
  }),
  DiagnosticSeverity: listMembers<model.DiagnosticSeverity>({ error: true, warning: true }),
} as const;

export type EnumerationName = keyof typeof enumerations;
