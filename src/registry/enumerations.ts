import type * as model from '../model/enumerations.ts';

/** A row per member of `T`: a member that is missing or misspelt does not compile. */
function members<T extends string>(rows: { [M in T]: true }): readonly T[] {
  return Object.keys(rows) as T[];
}

/** The closed enumerations that stand in documents, in the order seed 004 lists their members. */
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
} as const;

export type EnumerationName = keyof typeof enumerations;
