import type * as model from '../model/attack-document.ts';
import type * as verdict from '../model/attack-verdict.ts';
import type { Canary } from '../model/document-canary.ts';
import type * as marks from '../model/document-mark.ts';
import type { enumerations } from '../model/enumeration-types.ts';
import type * as plan from '../model/user-plan.ts';
import type { patterns } from './fields.ts';

// The shape of the field table. A field that the model has and the table lacks does not compile.

export type EnumerationName = keyof typeof enumerations;

/** The types of the format, by their names in the specification. */
export interface ModelTypes {
  Document: model.Document;
  Attack: model.Attack;
  Correlation: model.Correlation;
  Severity: model.Severity;
  Classification: model.Classification;
  FrameworkMapping: model.FrameworkMapping;
  Reference: model.Reference;
  Execution: model.Execution;
  Actor: model.Actor;
  Phase: model.Phase;
  Action: model.Action;
  SendAction: model.SendAction;
  LogAction: model.LogAction;
  Trigger: model.Trigger;
  Extractor: model.Extractor;
  MatchCondition: model.MatchCondition;
  Indicator: model.Indicator;
  PatternMatch: model.PatternMatch;
  ExpressionMatch: model.ExpressionMatch;
  SemanticMatch: model.SemanticMatch;
  SemanticExamples: model.SemanticExamples;
  Mark: marks.WrittenMark;
  Canary: Canary;
  Await: model.WrittenAwait;
  PlannedStep: plan.WrittenPlanStep;
  PlanCall: plan.WrittenPlanCall;
  PlanMessage: plan.WrittenPlanMessage;
  PlanFrontendCall: plan.WrittenPlanFrontendCall;
  IndicatorVerdict: verdict.IndicatorVerdict;
  Match: verdict.Match;
  Looked: verdict.Looked;
  NearMiss: verdict.NearMiss;
  EvaluationSummary: verdict.EvaluationSummary;
  AttackVerdict: verdict.AttackVerdict;
}

/** The name of a type of the format. */
export type TypeName = keyof ModelTypes;

export type FieldType =
  | { readonly kind: 'string'; readonly pattern?: keyof typeof patterns }
  | { readonly kind: 'integer' | 'number'; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: 'boolean' }
  /** Passed through unchanged, null included. */
  | { readonly kind: 'value' }
  /** Passed through, but valid only as a mapping, which a rule checks. Null means absent. */
  | { readonly kind: 'state' }
  /** A bare value, or a MatchCondition if it has an operator key. Null is a value. */
  | { readonly kind: 'condition' }
  | { readonly kind: 'enumeration'; readonly of: EnumerationName }
  | { readonly kind: 'object'; readonly of: TypeName }
  | { readonly kind: 'list'; readonly of: FieldType; readonly minimum?: number; readonly unique?: true }
  | { readonly kind: 'map'; readonly of: FieldType }
  /** A scalar of the enumeration, or the object. */
  | { readonly kind: 'shorthand'; readonly scalar: EnumerationName; readonly object: TypeName };

export interface TableField {
  readonly type: FieldType;
  readonly required?: true;
  /** The V rule that an absent field also breaks. */
  readonly absenceRule?: string;
  /** The V rule that a value of the wrong type also breaks. */
  readonly typeRule?: string;
  readonly default?: string | number | boolean;
  /** The document's spelling, if it is not the snake_case of the model's name. */
  readonly key?: string;
}

export interface TypeRow {
  /** Set if `x-` fields are allowed. They are kept in `extensions`. */
  readonly extensible?: true;
  /** The `x-` fields that this tool reads. To other tools they are mere extensions, so `parse` does not check them. */
  readonly ownExtensions?: { readonly [key: string]: TableField };
  /** The field that keeps all keys without a row, unchanged. */
  readonly otherKeys?: string;
  readonly fields: { readonly [name: string]: TableField };
}

/** Model fields without a key of their own in the document. */
type Collected = 'extensions' | 'binding';

/** The fields of a type that have a row in its table. */
export type FieldName<T extends TypeName> = Exclude<keyof ModelTypes[T], Collected>;

/** The types and fields that the table must have. */
export type TableKeys = {
  readonly [T in TypeName]: { readonly fields: { readonly [F in FieldName<T>]-?: object } };
};

/** The table: a row for each type, and in it one for each field. */
export type FieldTable = TableKeys & { readonly [T in TypeName]: TypeRow };
