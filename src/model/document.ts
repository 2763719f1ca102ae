import type {
  Category,
  CorrelationLogic,
  Direction,
  ExtractorSource,
  ExtractorType,
  Framework,
  Impact,
  IndicatorMethod,
  LogLevel,
  Mode,
  Protocol,
  Relationship,
  SemanticIntentClass,
  SeverityLevel,
  Status,
  Surface,
  Tier,
} from './enumerations.ts';
import type { Value, ValueMap } from './value.ts';

// The document as written (§2.2 to §2.18). Property order is the source's order, but for keys that look like
// integers, which JavaScript puts first: rules that speak of "first key" and the order of `validate` rely on it.

/** Fields whose names begin with `x-`, under their full names. */
export type Extensions = ValueMap;

export interface Document {
  readonly oatf: string;
  readonly schema?: string;
  readonly attack: Attack;
}

export interface Attack {
  readonly id?: string;
  readonly name?: string;
  readonly version?: number;
  readonly status?: Status;
  readonly created?: string;
  readonly modified?: string;
  readonly author?: string;
  readonly description?: string;
  readonly gracePeriod?: string;
  readonly severity?: Severity | SeverityLevel;
  readonly impact?: readonly Impact[];
  readonly classification?: Classification;
  readonly references?: readonly Reference[];
  readonly execution: Execution;
  readonly indicators?: readonly Indicator[];
  readonly correlation?: Correlation;
  readonly extensions?: Extensions;
}

export interface Correlation {
  readonly logic?: CorrelationLogic;
}

export interface Severity {
  readonly level: SeverityLevel;
  readonly confidence?: number;
}

export interface Classification {
  readonly category?: Category;
  readonly mappings?: readonly FrameworkMapping[];
  readonly tags?: readonly string[];
}

export interface FrameworkMapping {
  readonly framework: Framework;
  readonly id: string;
  readonly name?: string;
  readonly url?: string;
  readonly relationship?: Relationship;
}

export interface Reference {
  readonly url: string;
  readonly title?: string;
  readonly description?: string;
}

export interface Execution {
  readonly mode?: Mode;
  readonly state?: Value;
  readonly phases?: readonly Phase[];
  readonly actors?: readonly Actor[];
  readonly extensions?: Extensions;
}

export interface Actor {
  readonly name: string;
  readonly mode: Mode;
  readonly phases: readonly Phase[];
  readonly extensions?: Extensions;
}

export interface Phase {
  readonly name?: string;
  readonly description?: string;
  readonly mode?: Mode;
  readonly state?: Value;
  readonly extractors?: readonly Extractor[];
  readonly onEnter?: readonly Action[];
  readonly trigger?: Trigger;
  readonly extensions?: Extensions;
}

/** A legal action has exactly one of `send`, `log` and one entry of `binding` (V-041). */
export interface Action {
  readonly send?: SendAction;
  readonly log?: LogAction;
  /** Actions that protocol bindings define, by their key; kept as written. */
  readonly binding?: ValueMap;
  readonly extensions?: Extensions;
}

export interface SendAction {
  readonly method?: string;
  readonly params?: Value;
}

export interface LogAction {
  readonly message?: string;
  readonly level?: LogLevel;
}

export interface Trigger {
  readonly event?: string;
  readonly count?: number;
  readonly match?: MatchPredicate;
  readonly after?: string;
}

export interface Extractor {
  readonly name: string;
  readonly source: ExtractorSource;
  readonly type: ExtractorType;
  readonly selector: string;
}

/** Simple dot-paths and what must hold there; all entries must (§2.10). */
export interface MatchPredicate {
  readonly [path: string]: Condition;
}

export type MatchEntry = Condition;

/** A bare value means deep equality; an object with an operator key is a `MatchCondition`. */
export type Condition = Value | MatchCondition;

/** Operators keep the document's spelling; all that are present must hold (§2.11). */
export interface MatchCondition {
  readonly contains?: string;
  readonly starts_with?: string;
  readonly ends_with?: string;
  readonly regex?: string;
  readonly any_of?: readonly Value[];
  readonly gt?: number;
  readonly lt?: number;
  readonly gte?: number;
  readonly lte?: number;
  readonly exists?: boolean;
}

export interface Indicator {
  readonly id?: string;
  readonly protocol?: Protocol;
  readonly surface?: Surface;
  readonly target: string;
  readonly actor?: string;
  readonly direction?: Direction;
  readonly method?: IndicatorMethod;
  readonly description?: string;
  readonly pattern?: PatternMatch;
  readonly expression?: ExpressionMatch;
  readonly semantic?: SemanticMatch;
  readonly confidence?: number;
  readonly tier?: Tier;
  readonly severity?: SeverityLevel;
  readonly falsePositives?: readonly string[];
  readonly extensions?: Extensions;
}

/** Standard form has `condition`; shorthand form has one operator as a direct key. */
export interface PatternMatch extends Omit<MatchCondition, 'exists'> {
  readonly target?: string;
  readonly condition?: Condition;
}

export interface ExpressionMatch {
  readonly cel: string;
  readonly variables?: { readonly [name: string]: string };
}

export interface SemanticMatch {
  readonly target?: string;
  readonly intent: string;
  readonly intentClass?: SemanticIntentClass;
  readonly threshold?: number;
  readonly examples?: SemanticExamples;
}

export interface SemanticExamples {
  readonly positive?: readonly string[];
  readonly negative?: readonly string[];
}

/** Reserved in 0.1: where it stands, tools warn (W-006) and use `content` if there is any. */
export interface SynthesizeBlock {
  readonly prompt?: string;
}

/** An entry of one of the five response lists inside `state` (§2.24). */
export interface ResponseEntry {
  readonly when?: MatchPredicate;
  readonly content?: Value;
  readonly synthesize?: SynthesizeBlock;
}
