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
} from './enumeration-types.ts';
import type { Value, ValueMap } from './value.ts';
import type { WrittenNumber } from './written-number.ts';

// The document as written (SDK spec §2.2 to §2.18). Properties keep the order of the source, except keys that look like
// integers, which JavaScript puts first. The order of `validate` and the rules about the "first key" rely on this.

/** The fields whose names begin with `x-`, under their full names. */
export type Extensions = ValueMap;

/** An OATF document as it is written (SDK spec §2.2). */
export interface Document {
  readonly oatf: string;
  readonly schema?: string;
  readonly attack: Attack;
}

/** The attack that a document describes: its identity, how it is played, and how its success shows. */
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

/** How the verdicts of several indicators combine into one. */
export interface Correlation {
  readonly logic?: CorrelationLogic;
}

/** How severe the attack is, and how confident the author is in that level (0 to 100). */
export interface Severity {
  readonly level: SeverityLevel;
  readonly confidence?: number;
}

/** The kind of attack, in the format's terms and in those of other frameworks. */
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

/** A link to further reading. */
export interface Reference {
  readonly url: string;
  readonly title?: string;
  readonly description?: string;
}

/** How the attack is played: by several actors, by one actor in phases, or by one actor in a single state. */
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

/** A part of an actor's play: the actor keeps one state until the trigger of the phase fires. */
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

/** An entry of `x-await`, an extension of ours: what a phase waits for (docs/extensions/README.md). */
export interface WrittenAwait {
  /** Default: the actor itself. */
  readonly actor?: string;
  readonly extractors: readonly string[];
  /** Default: half a minute. */
  readonly within?: string;
}

/** An action on entry of a phase. A valid one has exactly one of `send`, `log` or one entry of `binding` (V-041). */
export interface Action {
  readonly send?: SendAction;
  readonly log?: LogAction;
  /** Actions that protocol bindings define, by key, as the document writes them. */
  readonly binding?: ValueMap;
  readonly extensions?: Extensions;
}

/** Sends a message when a phase is entered. */
export interface SendAction {
  readonly method?: string;
  readonly params?: Value;
}

/** Writes a line to the log of the run when a phase is entered. */
export interface LogAction {
  readonly message?: string;
  readonly level?: LogLevel;
}

/** The event that ends a phase after `count` occurrences, or the time after which the phase ends (SDK spec §2.8). */
export interface Trigger {
  readonly event?: string;
  readonly count?: number;
  readonly match?: MatchPredicate;
  readonly after?: string;
}

/** Takes a value from a message and keeps it under a name, for templates to use (SDK spec §2.9). */
export interface Extractor {
  readonly name: string;
  readonly source: ExtractorSource;
  readonly type: ExtractorType;
  readonly selector: string;
}

/** Conditions by simple dot-path. All of them must hold (SDK spec §2.10). */
export interface MatchPredicate {
  readonly [path: string]: Condition;
}

/** The condition at one path of a `MatchPredicate`. */
export type MatchEntry = Condition;

/** A bare value means deep equality. An object with an operator key is a `MatchCondition`. */
export type Condition = Value | MatchCondition;

/** Operators, spelled as in the document. All that are present must hold (SDK spec §2.11). */
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

/** A rule that looks for one thing in messages, which shows that the attack succeeded (SDK spec §2.12). */
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

/** A pattern: `condition` in the standard form, or one operator as a direct key in the shorthand form. */
export interface PatternMatch extends Omit<MatchCondition, 'exists'> {
  readonly target?: string;
  readonly condition?: Condition;
}

/** A CEL expression that is true of a message which shows success, and the variables that it reads. */
export interface ExpressionMatch {
  readonly cel: string;
  readonly variables?: { readonly [name: string]: string };
}

/** The intent that a semantic evaluator looks for in a text. */
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

/** Reserved in version 0.1: tools warn about it (W-006) and use `content` if that is present. */
export interface SynthesizeBlock {
  readonly prompt?: string;
}

/** An entry of one of the five response lists in `state` (SDK spec §2.24). */
export interface ResponseEntry {
  readonly when?: MatchPredicate;
  readonly content?: Value;
  readonly synthesize?: SynthesizeBlock;
}
