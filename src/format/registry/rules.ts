// Every rule with its clause and its requirement. `V-` and `W-` ids are the format's. `O-` ids are ours, for requirements to
// which the format gives no id.

/** The requirement of each rule and warning, and the clause of the format that states it. */
export const rules = {
  'V-001': { specRef: '§11.1.1', asks: '`oatf` is present and names a supported version' },
  'V-002': { specRef: '§11.1.2', asks: '`oatf` is the first key (reported as W-001)' },
  'V-003': { specRef: '§11.1.3', asks: 'there is exactly one `attack`, and it is a mapping' },
  'V-004': { specRef: '§11.1.4', asks: '`attack.execution` is present' },
  'V-005': { specRef: '§11.1.5', asks: 'closed enumerations hold legal members' },
  'V-006': { specRef: '§11.1.9', asks: '`indicators`, if present, is not empty' },
  'V-007': { specRef: '§11.1.7-8', asks: '`phases` is not empty' },
  'V-008': { specRef: '§11.1.7', asks: 'an actor has at most one terminal phase, and it is the last' },
  'V-009': { specRef: '§11.1.7', asks: 'an actor’s first phase has `state`' },
  'V-010': { specRef: '§11.1.10', asks: 'explicit indicator ids are unique' },
  'V-011': { specRef: '§11.1.7', asks: 'explicit phase names are unique within an actor' },
  'V-012': { specRef: '§11.1.11', asks: 'an indicator has exactly one of pattern, expression, semantic' },
  'V-013': { specRef: '§6.2', asks: 'every regular expression is valid RE2' },
  'V-014': { specRef: '§6.3', asks: 'every CEL expression parses' },
  'V-015': { specRef: '§5.5', asks: 'every JSONPath selector parses' },
  'V-016': { specRef: '§5.7', asks: 'no template reference is left unclosed' },
  'V-017': { specRef: '§4.3', asks: '`severity.confidence` is from 0 to 100' },
  'V-018': { specRef: '§7', asks: '`surface` is an operation of the indicator’s protocol (warning)' },
  'V-019': { specRef: '§5.3', asks: '`count` and `match` stand only beside `event`' },
  'V-020': { specRef: '§11.1.1', asks: 'no anchors, aliases, merge keys or custom tags' },
  'V-021': { specRef: '§6.1 §6.2 §6.4', asks: 'targets are wildcard dot-paths' },
  'V-022': { specRef: '§6.4', asks: '`semantic.threshold` is from 0 to 1' },
  'V-023': { specRef: '§4.2', asks: '`attack.id` matches its pattern' },
  'V-024': { specRef: '§6.1', asks: 'an explicit indicator id is the attack’s id and at least two digits' },
  'V-025': { specRef: '§6.1', asks: '`indicator.confidence` is from 0 to 100' },
  'V-026': { specRef: '§6.3', asks: 'values of `expression.variables` are simple dot-paths' },
  'V-027': { specRef: '§5.4', asks: 'keys of match predicates are simple dot-paths' },
  'V-028': {
    specRef: '§5.1',
    asks: 'without `execution.mode`, phases name one mode and indicators their protocol',
  },
  'V-029': { specRef: '§7', asks: 'a trigger’s event is one of its mode’s events (warning)' },
  'V-030': {
    specRef: '§5.1',
    asks: 'an execution has exactly one of state, phases, actors; `state` needs `mode`',
  },
  'V-031': {
    specRef: '§5.1',
    asks: 'there is an actor; actors have unique, well-formed names, a mode and phases',
  },
  'V-032': { specRef: '§5.5', asks: 'a cross-actor reference names an actor of the document' },
  'V-033': { specRef: '§11.1.14', asks: 'a response list has at most one entry without `when`' },
  'V-034': { specRef: '§5.1', asks: 'modes and protocols are well-formed' },
  'V-035': { specRef: '§4.2', asks: '`attack.version` is at least 1' },
  'V-036': { specRef: '§5.2', asks: '`trigger.after` is a duration' },
  'V-037': { specRef: '§5.5', asks: 'extractor names are well-formed' },
  'V-038': { specRef: '§11.1.7', asks: '`extractors`, if present, is not empty' },
  'V-039': { specRef: '§11.1.15', asks: 'keys of `expression.variables` are CEL identifiers' },
  'V-040': { specRef: '§5.3', asks: 'a trigger has `event` or `after`' },
  'V-041': { specRef: '§11.1.16', asks: 'an action has exactly one key that is not an extension' },
  'V-042': { specRef: '§5.5', asks: 'a regex extractor has a capture group' },
  'V-043': { specRef: '§5.2', asks: '`on_enter`, if present, is not empty' },
  'V-044': { specRef: '§5.2', asks: 'a phase’s own mode equals its actor’s' },
  'V-045': { specRef: '§4.2', asks: '`impact` has no repeats' },
  'V-046': { specRef: '§4.2', asks: '`grace_period` is a duration' },
  'V-047': { specRef: '§2.3a', asks: '`correlation` stands only beside `indicators`' },
  'V-048': { specRef: '§6.1', asks: '`indicator.actor` names an actor of the document' },
  'V-049': { specRef: '§6.1', asks: '`indicator.method` names the block that is there' },
  'O-001': { specRef: '§5.2', asks: '`state` is a mapping' },
  'O-002': { specRef: '§2.7a', asks: '`send` has a `method`, `log` has a `message`' },
  'O-003': { specRef: '§2.16', asks: '`examples`, if present, has positive or negative ones' },
  'O-004': { specRef: '§2.13', asks: 'a pattern has exactly one form: `condition`, or one operator' },
  'O-005': { specRef: '§5.3', asks: '`trigger.count` is at least 1' },
  'O-006': { specRef: '§2.11', asks: '`any_of` is not empty' },
  'O-007': { specRef: '§5.1', asks: '`execution.mode` does not stand beside `actors`' },
  'O-008': {
    specRef: '§2.1',
    asks: '`created` and `modified` are ISO 8601 dates or date-times with zone (warning)',
  },
  'O-009': { specRef: '§7', asks: 'a key of `state` is one that the mode’s binding defines (warning)' },
  'O-010': { specRef: '§5.4', asks: 'a `when` in `state` is a predicate that can hold (warning)' },
  'O-011': { specRef: '§6.1', asks: 'an indicator looks at what the agent sends (warning)' },
  'O-012': { specRef: '§2.1', asks: 'a number is one that JSON can spell: no `.inf`, no `.nan`' },
  'O-013': {
    specRef: '§7',
    asks: 'the parts of `state` that a binding reads have the right shape (warning)',
  },
  'O-014': { specRef: '§5.6', asks: 'templates stand where they are read, and can resolve (warning)' },
  'O-015': { specRef: '§2.7a', asks: 'an entry action is one that the mode’s binding knows (warning)' },
  'O-016': { specRef: '§7', asks: 'a payload is one that official clients take (warning)' },
  'W-001': { specRef: '§11.1.2', asks: '`oatf` is the first key' },
  'W-002': { specRef: '§5.1', asks: 'the mode is one that an included binding defines' },
  'W-003': { specRef: '§6.1', asks: 'the protocol is one that an included binding defines' },
  'W-004': { specRef: '§5.6', asks: 'a template’s reference resolves' },
  'W-005': { specRef: '§6.1', asks: 'an indicator’s protocol has an actor' },
  'W-006': { specRef: '§7.0.1', asks: '`synthesize` is reserved and is not used' },
  'W-007': { specRef: '§6.4', asks: 'a semantic indicator needs an evaluator that the tool may not have' },
} as const;

/** The id of a rule or a warning, such as `V-001`. */
export type RuleId = keyof typeof rules;

export type RuleSeverity = 'error' | 'warning';

const warningRules: ReadonlySet<RuleId> = new Set([
  ...(['V-018', 'V-029', 'O-008', 'O-009', 'O-010', 'O-011'] as const),
  ...(['O-013', 'O-014', 'O-015', 'O-016'] as const),
]);

/** W rules and the rules listed above warn. All others are errors. */
export function getRuleSeverity(rule: RuleId): RuleSeverity {
  return rule.startsWith('W-') || warningRules.has(rule) ? 'warning' : 'error';
}

/** The steps of normalization, for people who look a code up. */
export const normalizationSteps = {
  'N-001': 'defaults are filled in',
  'N-002': 'a severity level becomes an object',
  'N-003': 'missing indicator ids are generated',
  'N-004': 'indicator protocols and targets are resolved',
  'N-005': 'pattern shorthand becomes a condition',
  'N-006': 'the single-phase form becomes one actor',
  'N-007': 'the multi-phase form becomes one actor',
  'N-008': 'tags become lower case with hyphens',
} as const;

/** Warnings that only playing a document can show. They are among the diagnostics of a run. */
export const runWarnings = {
  'O-101': { specRef: '§2.7a', asks: 'an entry action is one that a binding knows' },
  'O-102': { specRef: '§7.1.4', asks: 'a peer answers what it is asked within a call' },
  'O-103': { specRef: '§7.1.4', asks: 'a tool result’s fields stand inside `content`' },
  'O-104': { specRef: '§5.1', asks: 'a binding plays the actor’s mode, and there is an agent for it' },
  'O-105': { specRef: '§7.3', asks: 'a run input is there, and names its thread and its run' },
  'O-106': { specRef: '§7.3', asks: 'an agent stops calling tools at some point' },
  'O-107': {
    specRef: '§5.7',
    asks: 'an extractor, a trigger or a `when` handles a message within its limit of steps',
  },
  'O-108': { specRef: '§5.6', asks: 'values that templates insert and extractors hold stay within a limit' },
  'O-110': { specRef: '§7.1.5', asks: 'a phase lasts until it has sent what it has to send' },
  'O-111': { specRef: '§7.1.5', asks: 'an action names its method' },
  'O-112': { specRef: '§7.1.4', asks: 'a client of MCP 2026-07-28 has opened a stream for what it is sent' },
  'O-113': { specRef: '§7.1.2', asks: 'clients of MCP 2026-07-28 send what a phase waits for' },
  'O-114': { specRef: '§5.3', asks: 'an agent connects before `after` ends the first phase' },
  'O-115': { specRef: '§5.2', asks: 'the values that a phase awaits arrive in time' },
  'O-116': { specRef: '§2.7a', asks: 'a transport can carry out a rule of `x-wire`' },
  'O-117': { specRef: '§2.7a', asks: 'a rule of `x-wire` is applied at least once' },
  'O-118': { specRef: '§2.7', asks: 'a run sends no more generated values than it may' },
  'O-120': { specRef: '§7.2.4', asks: 'an agent card leads back to the actor that serves it' },
  'O-121': { specRef: '§7.2', asks: 'gRPC can carry every message that is sent over it' },
  'O-122': {
    specRef: '§7.2.6',
    asks: 'a push notification goes where the agent asked for it, or the operator allows',
  },
  'O-123': { specRef: '§7.2.6', asks: 'an A2A server sends nothing unasked' },
  'O-124': { specRef: '§7.2.5', asks: 'an agent card leads where the operator allows' },
  'O-125': {
    specRef: '§7.2.5',
    asks: 'an agent card leads to the address that the operator’s headers are for',
  },
  'O-126': { specRef: '§7.2.4', asks: 'an agent of A2A 1.0 lists the extensions that the card requires' },
  'O-130': { specRef: '§7.3', asks: 'a question that ends an agent’s run is answered' },
  'O-131': { specRef: '§7.3', asks: 'a patch of the state fits the state' },
} as const;

/** The rules for marks (docs/extensions/payload.md). Marks are our extension, so the SDK's `validate` does not check them. */
export const markRules = {
  'O-201': { asks: '`x-payload` is a list of marks, at least one of them needed' },
  'O-202': { asks: 'a mark names an actor and a phase of the document' },
  'O-203': { asks: 'a mark’s pointer leads to something that its phase sends' },
  'O-204': { asks: 'marks do not overlap' },
  'O-205': { asks: 'the benign twin of a document loads' },
  'O-206': { asks: '`x-await` names extractors of the document’s actors' },
} as const;

export type MarkRuleId = keyof typeof markRules;

/** The rules for the checks of a task (docs/extensions/task.md), which is our extension too. */
export const taskRules = {
  'O-211': { asks: '`x-task` is a list of checks, written like indicators' },
  'O-212': { asks: 'the id of a check ends in T and a number, and is unique' },
  'O-213': { asks: 'a check looks at what comes from the agent' },
  'O-214': { asks: 'a check can be evaluated (warning)' },
} as const;

export type TaskRuleId = keyof typeof taskRules;

/** The rules for `x-decode` (docs/extensions/decode.md), which is our extension too. */
export const decodeRules = {
  'O-221': { asks: '`x-decode` is true or false' },
  'O-222': { asks: '`x-decode` stands beside a pattern that looks for a text' },
} as const;

export type DecodeRuleId = keyof typeof decodeRules;

/** The rules for `x-wire` (docs/extensions/wire.md), which is our extension too. */
export const ownWireRules = {
  'O-241': { asks: '`x-wire` is a list of rules, each with what it is for and what it does' },
  'O-242': { asks: 'an actor of this mode can do what a rule of `x-wire` says (warning)' },
} as const;

export type WireRuleId = keyof typeof ownWireRules;

/** The rules for `x-generate` (docs/extensions/generate.md), which is our extension too. */
export const generateRules = {
  'O-231': { asks: '`x-generate` is a list of generated values, each with its kind and parameters' },
  'O-232': { asks: 'a generated value replaces something that its phase sends' },
  'O-233': { asks: 'a generated value is within the size limit' },
  'O-234': { asks: 'generated values do not overlap' },
} as const;

export type GenerateRuleId = keyof typeof generateRules;

/** Whether a violation of one of our own rules is an error, so that the document is not played. */
export function getOwnRuleSeverity(
  rule: MarkRuleId | TaskRuleId | DecodeRuleId | GenerateRuleId | WireRuleId,
): RuleSeverity {
  return rule === 'O-214' || rule === 'O-242' ? 'warning' : 'error';
}
