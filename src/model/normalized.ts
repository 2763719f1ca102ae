import type {
  Action,
  Attack,
  Classification,
  Condition,
  Correlation,
  Document,
  Execution,
  Extensions,
  Extractor,
  FrameworkMapping,
  Indicator,
  SemanticMatch,
  Severity,
  Trigger,
} from './document.ts';
import type { Mode, Protocol } from './enumerations.ts';
import type { Value } from './value.ts';

// What `normalize` guarantees (SDK §3.3). A `Document` is not assignable to these, so evaluating one that
// was never normalized does not compile.

type Present<T, K extends keyof T> = Omit<T, K> & { readonly [P in K]-?: Exclude<T[P], undefined> };

export interface NormalizedDocument extends Omit<Document, 'attack'> {
  readonly attack: NormalizedAttack;
}

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

export interface NormalizedClassification extends Omit<Classification, 'mappings'> {
  readonly mappings?: readonly Present<FrameworkMapping, 'relationship'>[];
}

export interface NormalizedExecution extends Pick<Execution, 'extensions'> {
  readonly actors: readonly NormalizedActor[];
}

export interface NormalizedActor {
  readonly name: string;
  readonly mode: Mode;
  readonly phases: readonly NormalizedPhase[];
  readonly extensions?: Extensions;
}

export interface NormalizedPhase {
  readonly name: string;
  readonly description?: string;
  readonly mode: Mode;
  readonly state?: Value;
  readonly extractors?: readonly Extractor[];
  readonly onEnter?: readonly Action[];
  readonly trigger?: Trigger;
  readonly extensions?: Extensions;
}

export interface NormalizedIndicator extends Omit<Indicator, 'id' | 'protocol' | 'pattern' | 'semantic'> {
  readonly id: string;
  readonly protocol: Protocol;
  readonly pattern?: NormalizedPattern;
  readonly semantic?: Present<SemanticMatch, 'target'>;
}

export interface NormalizedPattern {
  readonly target: string;
  readonly condition: Condition;
}
