// §2.20: closed enumerations are unions of their canonical spellings; open ones are strings.

export type Tier = 'ingested' | 'local_action' | 'boundary_breach';
export type SeverityLevel = 'informational' | 'low' | 'medium' | 'high' | 'critical';
export type Impact =
  | 'behavior_manipulation'
  | 'data_exfiltration'
  | 'data_tampering'
  | 'unauthorized_actions'
  | 'information_disclosure'
  | 'credential_theft'
  | 'service_disruption'
  | 'privilege_escalation';
export type Category =
  | 'capability_poisoning'
  | 'response_fabrication'
  | 'context_manipulation'
  | 'oversight_bypass'
  | 'temporal_manipulation'
  | 'availability_disruption'
  | 'cross_protocol_chain';
export type Status = 'draft' | 'experimental' | 'stable' | 'deprecated';
export type CorrelationLogic = 'any' | 'all';
export type ExtractorSource = 'request' | 'response';
export type ExtractorType = 'json_path' | 'regex';
export type SemanticIntentClass =
  | 'prompt_injection'
  | 'data_exfiltration'
  | 'privilege_escalation'
  | 'social_engineering'
  | 'instruction_override';
export type Relationship = 'primary' | 'related';
export type LogLevel = 'info' | 'warn' | 'error';
export type ElicitationMode = 'form' | 'url';
/** Legal members of `elicitation_responses[].action` (§7.1.5). */
export type ElicitationAction = 'accept' | 'decline' | 'cancel';
export type Direction = 'request' | 'response';
export type IndicatorMethod = 'pattern' | 'expression' | 'semantic';

// Output only: these never stand in a document.
export type IndicatorResult = 'matched' | 'not_matched' | 'error' | 'skipped';
export type AttackResult = 'exploited' | 'not_exploited' | 'partial' | 'error';
export type AdvanceReason = 'event_matched' | 'timeout';
export type ParseErrorKind = 'syntax' | 'type_mismatch' | 'unknown_variant';
export type EvaluationErrorKind =
  | 'path_resolution'
  | 'regex_timeout'
  | 'cel_error'
  | 'type_error'
  | 'semantic_error'
  | 'unsupported_method';
export type GenerationErrorKind =
  | 'provider_unavailable'
  | 'model_error'
  | 'validation_failure'
  | 'timeout'
  | 'content_policy';
export type DiagnosticSeverity = 'error' | 'warning';

/** Open: an unknown mode parses and validates; a tool without its binding skips its execution. */
export type Mode = string;
/** Open, like `Mode`. */
export type Protocol = string;
/** Open: a protocol operation name (§2.21). */
export type Surface = string;
/** Open: an unknown framework is treated as `other`. */
export type Framework = string;
