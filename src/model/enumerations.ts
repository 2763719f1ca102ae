// §2.20: closed enumerations are unions of their canonical spellings; open ones are strings.

/** How far an attack came, from the mildest to the gravest. */
export type Tier = 'ingested' | 'local_action' | 'boundary_breach';
/** How grave an attack is. */
export type SeverityLevel = 'informational' | 'low' | 'medium' | 'high' | 'critical';
/** What an attack does to its victim. */
export type Impact =
  | 'behavior_manipulation'
  | 'data_exfiltration'
  | 'data_tampering'
  | 'unauthorized_actions'
  | 'information_disclosure'
  | 'credential_theft'
  | 'service_disruption'
  | 'privilege_escalation';
/** What kind of attack it is. */
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
/** Whether an extractor reads requests or answers. */
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
/** How important a line of the log is. */
export type LogLevel = 'info' | 'warn' | 'error';
/** How a server asks the user: by a form, or by sending the user to a URL. */
export type ElicitationMode = 'form' | 'url';
/** Legal members of `elicitation_responses[].action` (§7.1.5). */
export type ElicitationAction = 'accept' | 'decline' | 'cancel';
/** Which messages an indicator looks at, as seen from its actor’s role. */
export type Direction = 'request' | 'response';
/** How an indicator looks at messages. */
export type IndicatorMethod = 'pattern' | 'expression' | 'semantic';

// Output only: these never stand in a document.
/** What an indicator found. */
export type IndicatorResult = 'matched' | 'not_matched' | 'error' | 'skipped';
/** What the indicators of an attack come to. */
export type AttackResult = 'exploited' | 'not_exploited' | 'partial' | 'error';
/** Why a phase ended. */
export type AdvanceReason = 'event_matched' | 'timeout';
/** What kind of parse error it is. */
export type ParseErrorKind = 'syntax' | 'type_mismatch' | 'unknown_variant';
/** What kind of error came up while an indicator was evaluated. */
export type EvaluationErrorKind =
  | 'path_resolution'
  | 'regex_timeout'
  | 'cel_error'
  | 'type_error'
  | 'semantic_error'
  | 'unsupported_method';
/** Why nothing could be generated. Reserved, like `synthesize` itself. */
export type GenerationErrorKind =
  | 'provider_unavailable'
  | 'model_error'
  | 'validation_failure'
  | 'timeout'
  | 'content_policy';
/** Whether a diagnostic makes the document invalid. */
export type DiagnosticSeverity = 'error' | 'warning';

/** Open: an unknown mode parses and validates; a tool without its binding skips its execution. */
export type Mode = string;
/** Open, like `Mode`. */
export type Protocol = string;
/** Open: a protocol operation name (§2.21). */
export type Surface = string;
/** Open: an unknown framework is treated as `other`. */
export type Framework = string;
