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
import type { WrittenNumber } from './written-number.ts';

// The document as written (§2.2 to §2.18). Property order is the source's order, but for keys that look like
// integers, which JavaScript puts first: rules that speak of "first key" and the order of `validate` rely on it.

/** Fields whose names begin with `x-`, under their full names. */
export type Extensions = ValueMap;

/** An OATF document as it is written (§2.2). */
export interface Document {
  readonly oatf: string;
  readonly schema?: string;
  readonly attack: Attack;
}

/** The attack that a document describes: what it is, how it is played and how its success is seen. */
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

/** How the verdicts of several indicators become one. */
export interface Correlation {
  readonly logic?: CorrelationLogic;
}

/** How grave the attack is, and how sure its author is of that (0 to 100). */
export interface Severity {
  readonly level: SeverityLevel;
  readonly confidence?: number;
}

/** What kind of attack it is, in our words and in those of other frameworks. */
export interface Classification {
  readonly category?: Category;
  readonly mappings?: readonly FrameworkMapping[];
  readonly tags?: readonly string[];
}

/** The same attack in another framework, such as ATLAS or OWASP. */
export interface FrameworkMapping {
  readonly framework: Framework;
  readonly id: string;
  readonly name?: string;
  readonly url?: string;
  readonly relationship?: Relationship;
}

/** Where to read more. */
export interface Reference {
  readonly url: string;
  readonly title?: string;
  readonly description?: string;
}

/** How the attack is played: by several actors, by one in phases, or by one that keeps one state. */
export interface Execution {
  readonly mode?: Mode;
  readonly state?: Value;
  readonly phases?: readonly Phase[];
  readonly actors?: readonly Actor[];
  readonly extensions?: Extensions;
}

/** One participant on the attacker’s side, with its own phases. */
export interface Actor {
  readonly name: string;
  readonly mode: Mode;
  readonly phases: readonly Phase[];
  readonly extensions?: Extensions;
}

/** A stretch of an actor’s part, in which it keeps one state until its trigger fires. */
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

/** Sends a message on entry of a phase. */
export interface SendAction {
  readonly method?: string;
  readonly params?: Value;
}

/** Writes a line to the log of the run on entry of a phase. */
export interface LogAction {
  readonly message?: string;
  readonly level?: LogLevel;
}

/** What ends a phase: an event, as often as `count` says, or time (§2.8). */
export interface Trigger {
  readonly event?: string;
  readonly count?: number;
  readonly match?: MatchPredicate;
  readonly after?: string;
}

/** Takes a value out of a message and keeps it under a name, for templates to use (§2.9). */
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

/** What must hold at one path of a `MatchPredicate`. */
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
  readonly gt?: number | WrittenNumber;
  readonly lt?: number | WrittenNumber;
  readonly gte?: number | WrittenNumber;
  readonly lte?: number | WrittenNumber;
  readonly exists?: boolean;
}

/** What shows in the messages of a run that the attack succeeded (§2.12). */
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

/** A CEL expression that is true of a message which shows success, and the variables that it reads. */
export interface ExpressionMatch {
  readonly cel: string;
  readonly variables?: { readonly [name: string]: string };
}

/** An intent that a text is judged for by a semantic evaluator. */
export interface SemanticMatch {
  readonly target?: string;
  readonly intent: string;
  readonly intentClass?: SemanticIntentClass;
  readonly threshold?: number;
  readonly examples?: SemanticExamples;
}

/** Texts that carry the intent, and texts that do not. */
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
