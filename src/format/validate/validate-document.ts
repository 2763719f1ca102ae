import type { Document } from '../model/attack-document.ts';
import type { Draft } from '../model/draft.ts';
import type { Diagnostic, ValidationError } from '../model/errors.ts';
import { formatPath, type Path } from '../model/path.ts';
import { isValueMap } from '../model/value.ts';
import { getRuleSeverity, type RuleId, rules } from '../registry/rules.ts';
import { envelopeRules } from './find-envelope-violations.ts';
import { executionRules } from './find-execution-violations.ts';
import { indicatorRules } from './find-indicator-violations.ts';
import { payloadRules } from './find-payload-violations.ts';
import { stateRules } from './find-state-violations.ts';
import type { RuleCheck, RuleFinding } from './rule-finding.ts';

/** The errors and warnings of a document. */
export interface ValidationResult {
  readonly errors: readonly ValidationError[];
  readonly warnings: readonly Diagnostic[];
}

export interface Violation extends RuleFinding {
  readonly rule: RuleId;
}

/** Rules that only the text can break. Decoding reports them. V-002 is reported as W-001. */
type TextRule = 'V-002' | 'V-020' | 'O-012';

const table: { readonly [Id in Exclude<RuleId, TextRule>]: RuleCheck } = {
  ...envelopeRules,
  ...executionRules,
  ...stateRules,
  ...payloadRules,
  ...indicatorRules,
};

/** Checks every rule and returns every violation, in the order of the document (SDK spec §3.2). */
export function validate(document: Document): ValidationResult {
  const violations = sortByPlace(document, findViolations(document));
  const errors: ValidationError[] = [];
  const warnings: Diagnostic[] = [];
  for (const { rule, path, message, hint } of violations) {
    const common = { message, path: formatPath(path), ...(hint !== undefined && { hint }) };
    if (getRuleSeverity(rule) === 'error') errors.push({ rule, specRef: rules[rule].specRef, ...common });
    else warnings.push({ severity: 'warning', code: rule, ...common });
  }
  return { errors, warnings };
}

export function findViolations(document: Draft<Document>): readonly Violation[] {
  const violations: Violation[] = [];
  for (const rule of Object.keys(table) as (keyof typeof table)[]) {
    for (const finding of table[rule](document)) violations.push({ rule, ...finding });
  }
  return violations;
}

/** Sorts by position. The model keeps the order of the source's keys, so the index on each level gives the position. */
function sortByPlace(document: Document, violations: readonly Violation[]): readonly Violation[] {
  if (violations.length < 2) return violations;
  return violations
    .map((violation) => ({ violation, place: computeSortKey(document, violation.path) }))
    .sort((a, b) => comparePlaces(a.place, b.place))
    .map(({ violation }) => violation);
}

function computeSortKey(document: Document, path: Path): readonly number[] {
  const place: number[] = [];
  let node: unknown = document;
  for (const segment of path) {
    if (Array.isArray(node)) {
      place.push(Number(segment));
      node = node[Number(segment)];
    } else if (isValueMap(node)) {
      const keys = Object.keys(node);
      const name = String(segment);
      const index = Math.max(keys.indexOf(name), keys.indexOf(toModelName(name)));
      if (index < 0) break;
      place.push(index);
      node = node[keys[index] as string];
    } else break;
  }
  return place;
}

function toModelName(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (const [level, index] of a.entries()) {
    const other = b[level];
    if (other === undefined) return 1;
    if (index !== other) return index - other;
  }
  return a.length - b.length;
}
