import table from '../../../data/rules.json' with { type: 'json' };

// Every rule with its clause and its requirement, which are the rows of `data/rules.json`. `V-` and `W-` ids are the format's. `O-` ids
// are ours, for requirements to which the format gives no id.

/** The requirement of each rule and warning, and the clause of the format that states it. */
export const rules = table.rules;

/** The id of a rule or a warning, such as `V-001`. */
export type RuleId = keyof typeof rules;

export type RuleSeverity = 'error' | 'warning';

const warningRules: ReadonlySet<RuleId> = new Set([
  ...(['V-018', 'V-029', 'O-008', 'O-009', 'O-010', 'O-011'] as const),
  ...(['O-013', 'O-014', 'O-015', 'O-016', 'O-017'] as const),
  ...(['O-018', 'O-019', 'O-020'] as const),
]);

/** W rules and the rules listed above warn. All others are errors. */
export function getRuleSeverity(rule: RuleId): RuleSeverity {
  return rule.startsWith('W-') || warningRules.has(rule) ? 'warning' : 'error';
}

/** The steps of normalization, for people who look a code up. */
export const normalizationSteps = table.normalizationSteps;

/** Warnings that only playing a document can show. They are among the diagnostics of a run. */
export const runWarnings = table.runWarnings;

/** The rules for marks (docs/extensions/payload.md). Marks are our extension, so the SDK's `validate` does not check them. */
export const markRules = table.markRules;

export type MarkRuleId = keyof typeof markRules;

/** The rules for checks (docs/extensions/task.md, docs/extensions/disclosure.md), which are our extensions too. */
export const checkRules = table.checkRules;

export type CheckRuleId = keyof typeof checkRules;

/** The rules for `x-plan` (docs/extensions/plan.md), which is our extension too. */
export const planRules = table.planRules;

export type PlanRuleId = keyof typeof planRules;

/** The rules for `x-decode` (docs/extensions/decode.md), which is our extension too. */
export const decodeRules = table.decodeRules;

export type DecodeRuleId = keyof typeof decodeRules;

/** The rules for `x-canaries` (docs/extensions/canaries.md), which is our extension too. */
export const canaryRules = table.canaryRules;

export type CanaryRuleId = keyof typeof canaryRules;

/** The rules for `x-wire` (docs/extensions/wire.md), which is our extension too. */
export const ownWireRules = table.ownWireRules;

export type WireRuleId = keyof typeof ownWireRules;

/** The rules for `x-generate` (docs/extensions/generate.md), which is our extension too. */
export const generateRules = table.generateRules;

export type GenerateRuleId = keyof typeof generateRules;

const ownWarnings: ReadonlySet<string> = new Set(['O-214', 'O-242', 'O-284', 'O-017']);

/** Whether a violation of one of our own rules is an error, so that the document is not played. */
export function getOwnRuleSeverity(
  rule: MarkRuleId | CheckRuleId | PlanRuleId | DecodeRuleId | CanaryRuleId | GenerateRuleId | WireRuleId | 'O-017',
): RuleSeverity {
  return ownWarnings.has(rule) ? 'warning' : 'error';
}
