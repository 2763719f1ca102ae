// Closed enumerations are unions of their canonical spellings; open ones are strings (SDK spec §2.20).

/** How far an attack got, from the least to the most severe. */
export type Tier = 'ingested' | 'local_action' | 'boundary_breach';
/** How severe an attack is. */
export type SeverityLevel = 'informational' | 'low' | 'medium' | 'high' | 'critical';
/** The effect of an attack on its victim. */
export type Impact =
  | 'behavior_manipulation'
  | 'data_exfiltration'
  | 'data_tampering'
  | 'unauthorized_actions'
  | 'information_disclosure'
  | 'credential_theft'
  | 'service_disruption'
  | 'privilege_escalation';
/** The kind of attack. */
export type Category =
  | 'capability_poisoning'
  | 'response_fabrication'
  | 'context_manipulation'
  | 'oversight_bypass'
  | 'temporal_manipulation'
  | 'availability_disruption'
  | 'cross_protocol_chain';
/** How mature a document is. */
export type Status = 'draft' | 'experimental' | 'stable' | 'deprecated';
/** Whether any indicator is enough, or all must match. */
export type CorrelationLogic = 'any' | 'all';
/** Whether an extractor reads requests or responses. */
export type ExtractorSource = 'request' | 'response';
/** How an extractor finds its value. */
export type ExtractorType = 'json_path' | 'regex';
/** The kind of intent that a semantic indicator looks for. */
export type SemanticIntentClass =
  | 'prompt_injection'
  | 'data_exfiltration'
  | 'privilege_escalation'
  | 'social_engineering'
  | 'instruction_override';
/** How closely an attack corresponds to an entry of another framework. */
export type Relationship = 'primary' | 'related';
/** How important a log line is. */
export type LogLevel = 'info' | 'warn' | 'error';
/** How a server asks the user: with a form, or by sending the user to a URL. */
export type ElicitationMode = 'form' | 'url';
/** The valid values of `elicitation_responses[].action` (format spec §7.1.5). */
export type ElicitationAction = 'accept' | 'decline' | 'cancel';
/** The messages that an indicator looks at, as seen from its actor's role. */
export type Direction = 'request' | 'response';
/** How an indicator examines messages. */
export type IndicatorMethod = 'pattern' | 'expression' | 'semantic';

// Output only: a document never contains the following values.
/** The result of an indicator. */
export type IndicatorResult = 'matched' | 'not_matched' | 'error' | 'skipped';
/** The combined result of an attack's indicators. */
export type AttackResult = 'exploited' | 'not_exploited' | 'partial' | 'error';
/** Why a phase ended. */
export type AdvanceReason = 'event_matched' | 'timeout';
/** The kind of a parse error. */
export type ParseErrorKind = 'syntax' | 'type_mismatch' | 'unknown_variant';
/** The kind of an error in the evaluation of an indicator. */
export type EvaluationErrorKind =
  | 'path_resolution'
  | 'regex_timeout'
  | 'cel_error'
  | 'type_error'
  | 'semantic_error'
  | 'unsupported_method';
/** Why content could not be generated. Reserved, like `synthesize` itself. */
export type GenerationErrorKind =
  | 'provider_unavailable'
  | 'model_error'
  | 'validation_failure'
  | 'timeout'
  | 'content_policy';
/** Whether a diagnostic makes the document invalid. */
export type DiagnosticSeverity = 'error' | 'warning';

/** Open: an unknown mode parses and validates. A tool that has no binding for it skips its execution. */
export type Mode = string;
/** Open, like `Mode`. */
export type Protocol = string;
/** Open: the name of a protocol operation (SDK spec §2.21). */
export type Surface = string;
/** Open: an unknown framework is treated as `other`. */
export type Framework = string;
