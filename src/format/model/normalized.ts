import type {
  Actor,
  Attack,
  Classification,
  Condition,
  Correlation,
  Document,
  Execution,
  FrameworkMapping,
  Indicator,
  Phase,
  SemanticMatch,
  Severity,
} from './attack-document.ts';
import type { Mode, Protocol } from './enumeration-types.ts';

// The guarantees of `normalize` (SDK spec §3.3). A `Document` is not assignable to these types, so code that evaluates a
// document which was never normalized does not compile.

/** `T` with some of its optional fields required. */
export type Present<T, K extends keyof T> = Omit<T, K> & { readonly [P in K]-?: Exclude<T[P], undefined> };

/** A document after `normalize`: with defaults, ids and names filled in, and every shorthand expanded. */
export interface NormalizedDocument extends Omit<Document, 'attack'> {
  readonly attack: NormalizedAttack;
}

/** The attack of a normalized document. */
export interface NormalizedAttack
  extends Omit<
    Present<Attack, 'name' | 'version' | 'status'>,
    'severity' | 'classification' | 'execution' | 'indicators' | 'correlation'
  > {
  readonly severity?: Required<Severity>;
  readonly classification?: NormalizedClassification;
  readonly execution: NormalizedExecution;
  readonly indicators?: readonly NormalizedIndicator[];
  readonly correlation?: Required<Correlation>;
}

/** A classification in which every mapping has its relationship. */
export interface NormalizedClassification extends Omit<Classification, 'mappings'> {
  readonly mappings?: readonly Present<FrameworkMapping, 'relationship'>[];
}

/** An execution as a list of actors, in whichever form it was written. */
export interface NormalizedExecution extends Pick<Execution, 'extensions'> {
  readonly actors: readonly NormalizedActor[];
}

/** An actor with a name and named phases. */
export interface NormalizedActor extends Omit<Actor, 'phases'> {
  readonly phases: readonly NormalizedPhase[];
}

/** A phase with its name and mode. */
export interface NormalizedPhase extends Omit<Phase, 'name' | 'mode'> {
  readonly name: string;
  readonly mode: Mode;
}

/** An indicator with its id and protocol. */
export interface NormalizedIndicator extends Omit<Indicator, 'id' | 'protocol' | 'pattern' | 'semantic'> {
  readonly id: string;
  readonly protocol: Protocol;
  readonly pattern?: NormalizedPattern;
  readonly semantic?: Present<SemanticMatch, 'target'>;
}

/** A pattern in its standard form. */
export interface NormalizedPattern {
  readonly target: string;
  readonly condition: Condition;
}
