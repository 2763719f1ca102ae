// Closed enumerations are unions of their canonical spellings; open ones are strings (SDK spec §2.20).

/** The closed enumerations of SDK spec §2.20, with their members in the order of the specification. */
export const enumerations = {
  Tier: ['ingested', 'local_action', 'boundary_breach'],
  SeverityLevel: ['informational', 'low', 'medium', 'high', 'critical'],
  Impact: [
    'behavior_manipulation',
    'data_exfiltration',
    'data_tampering',
    'unauthorized_actions',
    'information_disclosure',
    'credential_theft',
    'service_disruption',
    'privilege_escalation',
  ],
  Category: [
    'capability_poisoning',
    'response_fabrication',
    'context_manipulation',
    'oversight_bypass',
    'temporal_manipulation',
    'availability_disruption',
    'cross_protocol_chain',
  ],
  Status: ['draft', 'experimental', 'stable', 'deprecated'],
  CorrelationLogic: ['any', 'all'],
  ExtractorSource: ['request', 'response'],
  ExtractorType: ['json_path', 'regex'],
  SemanticIntentClass: [
    'prompt_injection',
    'data_exfiltration',
    'privilege_escalation',
    'social_engineering',
    'instruction_override',
  ],
  Relationship: ['primary', 'related'],
  LogLevel: ['info', 'warn', 'error'],
  ElicitationMode: ['form', 'url'],
  ElicitationAction: ['accept', 'decline', 'cancel'],
  Direction: ['request', 'response'],
  IndicatorMethod: ['pattern', 'expression', 'semantic'],
  // Output only: a document never contains the following values.
  IndicatorResult: ['matched', 'not_matched', 'error', 'skipped'],
  AttackResult: ['exploited', 'not_exploited', 'partial', 'error'],
  AdvanceReason: ['event_matched', 'timeout'],
  ParseErrorKind: ['syntax', 'type_mismatch', 'unknown_variant'],
  EvaluationErrorKind: [
    'path_resolution',
    'regex_timeout',
    'cel_error',
    'type_error',
    'semantic_error',
    'unsupported_method',
  ],
  GenerationErrorKind: ['provider_unavailable', 'model_error', 'validation_failure', 'timeout', 'content_policy'],
  DiagnosticSeverity: ['error', 'warning'],
} as const;

/** How far an attack got, from the least to the most severe. */
export type Tier = (typeof enumerations)['Tier'][number];
/** How severe an attack is. */
export type SeverityLevel = (typeof enumerations)['SeverityLevel'][number];
/** The effect of an attack on its victim. */
export type Impact = (typeof enumerations)['Impact'][number];
/** The kind of attack. */
export type Category = (typeof enumerations)['Category'][number];
/** How mature a document is. */
export type Status = (typeof enumerations)['Status'][number];
/** Whether any indicator is enough, or all must match. */
export type CorrelationLogic = (typeof enumerations)['CorrelationLogic'][number];
/** Whether an extractor reads requests or responses. */
export type ExtractorSource = (typeof enumerations)['ExtractorSource'][number];
/** How an extractor finds its value. */
export type ExtractorType = (typeof enumerations)['ExtractorType'][number];
/** The kind of intent that a semantic indicator looks for. */
export type SemanticIntentClass = (typeof enumerations)['SemanticIntentClass'][number];
/** How closely an attack corresponds to an entry of another framework. */
export type Relationship = (typeof enumerations)['Relationship'][number];
/** How important a log line is. */
export type LogLevel = (typeof enumerations)['LogLevel'][number];
/** How a server asks the user: with a form, or by sending the user to a URL. */
export type ElicitationMode = (typeof enumerations)['ElicitationMode'][number];
/** The valid values of `elicitation_responses[].action` (format spec §7.1.5). */
export type ElicitationAction = (typeof enumerations)['ElicitationAction'][number];
/** The messages that an indicator looks at, as seen from its actor's role. */
export type Direction = (typeof enumerations)['Direction'][number];
/** How an indicator examines messages. */
export type IndicatorMethod = (typeof enumerations)['IndicatorMethod'][number];

// Output only: a document never contains the following values.
/** The result of an indicator. */
export type IndicatorResult = (typeof enumerations)['IndicatorResult'][number];
/** The combined result of an attack's indicators. */
export type AttackResult = (typeof enumerations)['AttackResult'][number];
/** Why a phase ended. */
export type AdvanceReason = (typeof enumerations)['AdvanceReason'][number];
/** The kind of a parse error. */
export type ParseErrorKind = (typeof enumerations)['ParseErrorKind'][number];
/** The kind of an error in the evaluation of an indicator. */
export type EvaluationErrorKind = (typeof enumerations)['EvaluationErrorKind'][number];
/** Why content could not be generated. Reserved, like `synthesize` itself. */
export type GenerationErrorKind = (typeof enumerations)['GenerationErrorKind'][number];
/** Whether a diagnostic makes the document invalid. */
export type DiagnosticSeverity = (typeof enumerations)['DiagnosticSeverity'][number];

/** Open: an unknown mode parses and validates. A tool that has no binding for it skips its execution. */
export type Mode = string;
/** Open, like `Mode`. */
export type Protocol = string;
/** Open: the name of a protocol operation (SDK spec §2.21). */
export type Surface = string;
/** Open: an unknown framework is treated as `other`. */
export type Framework = string;
